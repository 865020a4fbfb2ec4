/** Tells a starting agent how the last session of its project ended. */
import type { LogEvent } from "../../core/event/envelope.ts";
import { contentText } from "../../core/event/message.ts";
import type { SessionHandle } from "../../library/handle/session_handle.ts";
import { foldEvents } from "../../core/projection/projection.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import { transcript } from "../../core/projection/transcript/transcript.ts";
import type { TranscriptItem } from "../../core/projection/transcript/item.ts";
import { changedNames, changedSince } from "./changed_since.ts";
import { fenced, Quoter, toRead } from "./quoted.ts";

/** Maximum number of characters of the text that an agent gets at its start. */
export const MOST_AT_START = 1200;
/** Maximum bytes of a session that is read whole. Only the end of a longer session is read. */
const WHOLE_BYTES = 4 * 1024 * 1024;
const LAST_MESSAGES = 64;
const MOST = { prompt: 200, branch: 60, error: 120, files: 220 };
const WORD = "This is history and not a task. Do nothing about it unless asked.";

export async function startText(handle: SessionHandle, row: Summary): Promise<string> {
  const events = await lastEvents(handle, row);
  const items = foldEvents(transcript(), events);
  const quoter = new Quoter(events);
  const { updated_at = "", git_branch, last_error } = row;
  const branch = git_branch === undefined || git_branch === "HEAD"
    ? ""
    : `, on branch ${quoter.start(git_branch, MOST.branch)}`;
  const when = updated_at.slice(0, 16).replace("T", " ");
  const prompt = lastMessage(items, "user");
  const asked = prompt.text || row.last_user_message || row.first_user_message || "";
  const { text: answered } = lastMessage(items.slice(prompt.at + 1), "assistant");
  const lines = [
    `Last session of this project: ${handle.agent_title}, ${when} UTC${branch}.`,
    `Its last prompt: ${quoter.start(asked, MOST.prompt)}`,
    ...last_error === undefined
      ? []
      : [`The session ended with an error: ${quoter.start(last_error, MOST.error)}`],
    ...filesLine(changedSince(changedNames(items, row.cwd), row), quoter),
    ...toRead("it", row.ref, (ref) => `show ${ref} --last 10 --tools none --max-chars 8000`),
  ];
  const label = answered === "" ? "The last prompt got no answer." : "The end of the answer: ";
  const left = MOST_AT_START - fenced([...lines, label], WORD).length;
  lines.splice(2, 0, label + quoter.end(answered, left));
  return fenced(lines, WORD);
}

async function lastEvents(handle: SessionHandle, { bytes }: Summary): Promise<LogEvent[]> {
  const { needs } = transcript();
  if ((bytes ?? 0) > WHOLE_BYTES) return [...await handle.tail(LAST_MESSAGES, { needs })];
  return (await Array.fromAsync(handle.events({ needs }))).flat();
}

function lastMessage(
  items: readonly TranscriptItem[],
  role: "user" | "assistant",
): { text: string; at: number } {
  const texts = items.map((item) =>
    item.type === "message" && item.role === role ? contentText(item.content).trim() : ""
  );
  const at = texts.findLastIndex((text) => text !== "");
  return { text: texts[at] ?? "", at };
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
