/** Recognizes a rollout by the first bytes of a file. */
import { basename } from "node:path";
import { headRecords } from "../../reading/records/head_records.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import { toRolloutRecord } from "./rollout_record.ts";

/** Frames of zstd begin so. */
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];
const TYPES = /^(?:session_meta|response_item|event_msg|turn_context|world_state)(?:\/|$)/;
/** A document of the TypeScript CLI begins so. */
const DOCUMENT = /^\s*\{\s*"session"\s*:\s*\{/;

/** True if a file is a rollout. Only a compressed one needs its name to tell. */
export function recognizeCodex(path: string, head: Uint8Array): boolean {
  const named = basename(path).startsWith("rollout-");
  if (ZSTD.every((byte, index) => head[index] === byte)) {
    return named && path.endsWith(".jsonl.zst");
  }
  const [record] = headRecords(head, 1);
  if (record !== undefined && isFirst(record)) return true;
  return named && DOCUMENT.test(new TextDecoder().decode(head.subarray(0, 200)));
}

function isFirst(source: SourceRecord): boolean {
  const { value } = source;
  const { type, payload } = toRolloutRecord(source);
  if (type === "session_meta") {
    // A bare head, without an envelope, is told by what it says of the project.
    return value.payload !== undefined || "instructions" in payload || "git" in payload;
  }
  return value.payload !== undefined && TYPES.test(type);
}
