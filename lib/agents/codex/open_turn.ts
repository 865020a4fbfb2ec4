/** Tells whether Codex was stopped in the middle of a turn. */
import { isContextual } from "./contextual_message.ts";
import { isTurnStart, ROLLED_BACK, type RolloutRecord } from "./rollout_record.ts";

/** The marks of a turn's end: they decide unless a prompt follows. */
const ENDED: ReadonlyMap<string, boolean> = new Map([
  ["event_msg/turn_aborted", true],
  ["event_msg/task_complete", false],
  ["event_msg/turn_complete", false],
]);
/** Other records behind which nothing is open. */
const SETTLED = new Set(["event_msg/error", ROLLED_BACK]);
const WORK = /^response_item\/(?:reasoning$|.*_call$|.*_output$)/;

/** True if the last records of a thread leave a turn open; undefined where they do not tell. */
export function leavesOpen(records: readonly RolloutRecord[]): boolean | undefined {
  let last: boolean | undefined;
  let prompted = false;
  for (const record of records.toReversed()) {
    // Versions that write where a turn begins decide by its marks alone.
    if (isTurnStart(record)) return true;
    const ended = ENDED.get(record.type);
    if (ended !== undefined) return prompted ? last : ended;
    const open = goesOn(record);
    prompted ||= open === true && record.type === "response_item/message/user";
    last ??= open;
  }
  return last;
}

/** True if the turn goes on after an item; undefined where the record does not tell. */
function goesOn({ type, payload }: RolloutRecord): boolean | undefined {
  if (SETTLED.has(type)) return false;
  if (WORK.test(type)) return true;
  if (type === "response_item/message/assistant") return payload.phase === "commentary";
  if (type !== "response_item/message/user") return undefined;
  return isContextual(payload.content) ? undefined : true;
}
