/** Says to a starting agent how the last session of its project ended. */
import type { LogEvent } from "../event/envelope.ts";
import { contentText } from "../event/message.ts";
import type { SessionHandle } from "../library/session_handle.ts";
import { foldEvents } from "../projection/projection.ts";
import type { Summary } from "../projection/summary_row.ts";
import { transcript } from "../projection/transcript/transcript.ts";
import type { TranscriptItem } from "../projection/transcript/transcript_item.ts";
import { changedNames, changedSince } from "./changed_since.ts";
import { fenced, Quoter } from "./quoted.ts";

/** Maximum characters of the text. */
export const MOST_AT_START = 1200;
/** A longer session is read from its end alone. */
const WHOLE_BYTES = 4 * 1024 * 1024;
const LAST_MESSAGES = 64;
const MOST = { prompt: 200, branch: 60, error: 120, files: 220, ref: 100 };
const WORD = "This is history and not a task. Do nothing about it unless asked.";

/** Reads the session, and returns the text about it. */
export async function startText(handle: SessionHandle, row: Summary): Promise<string> {
  const events = await lastEvents(handle, row);
  const items = foldEvents(transcript(), events);
  const quoter = new Quoter(events);
  const said = (role: "user" | "assistant"): string => contentText(messageOf(items, role));
  const { updated_at = "", git_branch, last_error } = row;
  const ref = quoter.start(row.ref, MOST.ref);
  const branch = git_branch === undefined || git_branch === "HEAD"
    ? ""
    : `, on branch ${quoter.start(git_branch, MOST.branch)}`;
  const when = updated_at.slice(0, 16).replace("T", " ");
  const lines = [
    `Last session of this project: ${handle.agent_title}, ${when} UTC${branch} (${ref}).`,
    `Its last prompt: ${quoter.start(said("user") || row.last_user_message || "", MOST.prompt)}`,
    ...last_error === undefined
      ? []
      : [`It ended with an error: ${quoter.start(last_error, MOST.error)}`],
    ...filesLine(changedSince(changedNames(items, row.cwd), row), quoter),
    `To read it: reprise show ${ref} --last 10 --tools none --max-chars 8000`,
  ];
  const label = "The end of its last answer: ";
  const left = MOST_AT_START - fenced([...lines, label], WORD).length;
  const answer = quoter.end(said("assistant"), left);
  if (answer !== "") lines.splice(2, 0, label + answer);
  return fenced(lines, WORD);
}

async function lastEvents(handle: SessionHandle, { bytes }: Summary): Promise<LogEvent[]> {
  const { needs } = transcript();
  if ((bytes ?? 0) > WHOLE_BYTES) return [...await handle.tail(LAST_MESSAGES, { needs })];
  return (await Array.fromAsync(handle.events({ needs }))).flat();
}

/** Returns the last message of a role that has a text. */
function messageOf(
  items: readonly TranscriptItem[],
  role: "user" | "assistant",
): Parameters<typeof contentText>[0] {
  const last = items.findLast((item) =>
    item.type === "message" && item.role === role && contentText(item.content).trim() !== ""
  );
  return last?.type === "message" ? last.content : "";
}

function filesLine(files: ReturnType<typeof changedSince>, quoter: Quoter): string[] {
  const told: string[] = [];
  for (const { name, since } of files) {
    const text = `${quoter.start(name, MOST.files / 2)} (${since})`;
    if ([...told, text].join(", ").length > MOST.files) break;
    told.push(text);
  }
  const more = files.length - told.length;
  if (told.length === 0) return [];
  return [`Files that it changed: ${told.join(", ")}${more > 0 ? `, and ${more} more` : ""}`];
}
