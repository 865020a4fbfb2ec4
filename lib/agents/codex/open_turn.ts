/** Tells whether Codex was stopped in the middle of a turn. */
import type { Line } from "../../log/line_splitter.ts";
import { type FileEdges, recordsIn } from "../../reading/records/file_edges.ts";
import { isContextual } from "./contextual_message.ts";
import { lineType } from "./rollout_line.ts";
import { type RolloutRecord, toRolloutRecord } from "./rollout_record.ts";

/** Versions that write where a turn begins decide by its marks alone. */
const BEGUN = new Set(["event_msg/task_started", "event_msg/turn_started"]);
/** The marks of its end: they decide unless a prompt follows. */
const ENDED: ReadonlyMap<string, boolean> = new Map([
  ["event_msg/turn_aborted", true],
  ["event_msg/task_complete", false],
  ["event_msg/turn_complete", false],
]);
/** Other records behind which nothing is open. */
const SETTLED = new Set(["event_msg/error", "event_msg/thread_rolled_back"]);
const WORK = /^response_item\/(?:reasoning$|.*_call$|.*_output$)/;

const PROMPT = "response_item/message/user";

/** True if the last lines of a thread leave a turn open. */
export function endsOpen({ head, tail, whole }: FileEdges): boolean {
  // The edges may be all of a file that has no tail of its own.
  const lines = whole ? [...head, ...tail] : tail;
  let last: boolean | undefined;
  let prompted = false;
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at] as Line;
    const type = lineType(line.bytes) ?? recordIn(line)?.type ?? "";
    if (BEGUN.has(type)) return true;
    const ended = ENDED.get(type);
    if (ended !== undefined) return prompted ? last ?? false : ended;
    const open = leavesOpen(type, line);
    prompted ||= open === true && type === PROMPT;
    last ??= open;
  }
  return last ?? false;
}

/** True if the turn goes on after an item; undefined where the record does not tell. */
function leavesOpen(type: string, line: Line): boolean | undefined {
  if (SETTLED.has(type)) return false;
  if (WORK.test(type)) return true;
  const payload = /^response_item\/message\/(?:user|assistant)$/.test(type)
    ? recordIn(line)?.payload
    : undefined;
  if (payload === undefined) return undefined;
  if (payload.role === "assistant") return payload.phase === "commentary";
  return isContextual(payload.content) ? undefined : true;
}

function recordIn(line: Line): RolloutRecord | undefined {
  const record = recordsIn([line]).at(-1);
  return record === undefined ? undefined : toRolloutRecord(record);
}
