/** Says in words how a call ended. */
import type { ItemStatus } from "../../projection/transcript/transcript_item.ts";
import { formatDuration } from "../duration.ts";
import type { Ink, Word } from "./block.ts";

/** The fields that tools and commands share. */
export interface Outcome {
  status: ItemStatus;
  exit_code?: number;
  duration_ns?: number;
  truncated?: boolean;
  orphan?: boolean;
}

const STATUS: Readonly<Record<ItemStatus, readonly [text: string, ink: Ink]>> = {
  ok: ["ok", "ok"],
  error: ["failed", "fail"],
  interrupted: ["interrupted", "warn"],
  skipped: ["skipped", "warn"],
  unsettled: ["did not finish", "warn"],
  not_run: ["was not run", "warn"],
};

/** The status as a word. What is no status is shown as it is. */
export function statusWord(status: ItemStatus): Word {
  if (!Object.hasOwn(STATUS, status)) return { text: String(status) };
  const [text, ink] = STATUS[status];
  return { text, ink };
}

/** All that is said of an outcome on one line. */
export function outcomeWords(outcome: Outcome): Word[] {
  const { status, exit_code, duration_ns, truncated, orphan } = outcome;
  const words = [statusWord(status)];
  if (exit_code !== undefined) words.push({ text: `exit ${exit_code}` });
  if (duration_ns !== undefined) words.push({ text: formatDuration(duration_ns), ink: "quiet" });
  if (truncated) words.push({ text: "output truncated", ink: "warn" });
  if (orphan) words.push({ text: "settled without a start", ink: "warn" });
  return words;
}
