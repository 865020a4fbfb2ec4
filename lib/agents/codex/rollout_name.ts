/**
 * Parses the name of a rollout file. Codex: codex-rs/rollout/src/list.rs,
 * `parse_timestamp_uuid_from_filename`: `rollout-YYYY-MM-DDThh-mm-ss-<uuid>.jsonl`, its time local;
 * a cold one may be compressed beside it as `.jsonl.zst` (rollout/src/compression.rs). Before
 * 2025-09 the TypeScript CLI kept one JSON document, `rollout-YYYY-MM-DD-<uuid>.json`.
 */
import { basename } from "node:path";

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const NAME = new RegExp(
  `^rollout-\\d{4}-\\d\\d-\\d\\d(?:T\\d\\d-\\d\\d-\\d\\d)?-(${UUID})(\\.jsonl|\\.jsonl\\.zst|\\.json)$`,
  "i",
);

/** How a rollout is stored. */
export type RolloutForm = "lines" | "compressed" | "document";

/** What a file name says. */
export interface RolloutName {
  /** Id of the thread. */
  id: string;
  form: RolloutForm;
}

/** How a file with this name is stored. */
export function rolloutForm(path: string): RolloutForm {
  if (path.endsWith(".zst")) return "compressed";
  return path.endsWith(".json") ? "document" : "lines";
}

/** Reads a file name; undefined when it is none of a rollout. */
export function parseRolloutName(path: string): RolloutName | undefined {
  const id = NAME.exec(basename(path))?.[1];
  return id === undefined ? undefined : { id: id.toLowerCase(), form: rolloutForm(path) };
}
