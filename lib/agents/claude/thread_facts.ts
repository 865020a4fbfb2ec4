/** Tells what a list says of a thread, from the records that only it has. */
import { readRow } from "../../reading/tree/read_steps.ts";
import { present } from "../../reading/json_value.ts";
import type { SessionThread } from "../../source/session_thread.ts";
import { type ClaudeIndex, USER } from "./index/claude_record.ts";
import { agentMessage } from "./progress_agents.ts";
import { promptTitle } from "./prompt_title.ts";

/** Returns its first prompt, and the time of the record that was written last. */
export function summarizeThread(
  path: string,
  index: ClaudeIndex,
  rows: readonly number[],
): Pick<SessionThread, "title" | "updated_at"> {
  let last = -Infinity;
  for (const row of rows) last = Math.max(last, index.time[row] || -Infinity);
  const updated_at = last === -Infinity ? undefined : new Date(last).toISOString();
  return present({ title: titleOf(path, index, rows), updated_at });
}

/** Records that are looked at for a title. */
const MOST_TRIED = 12;

function titleOf(path: string, index: ClaudeIndex, rows: readonly number[]): string | undefined {
  for (const row of rows.filter((other) => index.type[other] === USER).slice(0, MOST_TRIED)) {
    const value = readRow({}, path, index, row)?.value;
    const title = value && promptTitle({ value: agentMessage(value) ?? value });
    if (title !== undefined) return inShort(title);
  }
  return undefined;
}

const LONGEST_TITLE = 200;

function inShort(title: string): string {
  return title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE).trimEnd()}…` : title;
}
