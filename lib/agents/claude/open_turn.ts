/** Tells whether Claude Code was stopped in the middle of a turn. */
import { asObject } from "../../reading/json_value.ts";
import { blocksOf, type Fields, plainText } from "./content.ts";
import { isWrapped } from "./user_events.ts";

/** Records behind the last one that says something: more than these are not looked at. */
const MOST_RECORDS = 64;

/** True if the last record that tells leaves a turn open. Takes the records last one first. */
export function endsOpen(records: Iterable<Fields | undefined>): boolean {
  let looked = 0;
  for (const value of records) {
    const open = value === undefined ? undefined : leavesOpen(value);
    if (open !== undefined) return open;
    if (++looked === MOST_RECORDS) break;
  }
  return false;
}

/** True if the turn goes on after a record; undefined where the record does not tell. */
function leavesOpen(
  { type, message, isMeta, isCompactSummary }: Fields,
): boolean | undefined {
  const { content } = asObject(message);
  const has = (kind: string): boolean => blocksOf(content).some(({ type }) => type === kind);
  // A thought without a text after it is the beginning of an answer.
  if (type === "assistant") return has("tool_use") || !has("text");
  if (type !== "user" || isMeta === true || isCompactSummary === true) return undefined;
  return has("tool_result") || !isWrapped(plainText(content)) ? true : undefined;
}
