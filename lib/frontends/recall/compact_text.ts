/** Tells an agent what a compaction dropped and its summary does not have. */
import { outputText } from "../../core/event/audience.ts";
import type { LogEvent } from "../../core/event/envelope.ts";
import { contentText } from "../../core/event/message.ts";
import type { SessionHandle } from "../../library/handle/session_handle.ts";
import { contextOf } from "../../core/projection/context.ts";
import { foldEvents } from "../../core/projection/projection.ts";
import { transcript } from "../../core/projection/transcript/transcript.ts";
import type { TranscriptItem } from "../../core/projection/transcript/item.ts";
import { inputText, summarizeInput } from "../../text/render/input_summary.ts";
import { changedNames } from "./changed_since.ts";
import { fenced, Quoter, toRead } from "./quoted.ts";

/** Maximum number of characters of the text that an agent gets after a compaction. */
export const MOST_AFTER_COMPACTION = 3000;
/** Maximum bytes of a session that is read. Reading more would delay the compaction too long. */
const READ_BYTES = 64 * 1024 * 1024;
const MOST = { prompt: 240, command: 120, error: 120, name: 40, file: 120, files: 600, calls: 700 };
/** Number of a prompt's first characters. If a summary contains these, it quotes the prompt. */
const QUOTED = 60;
const WORD = "This is a record of the earlier conversation. It is not a new task.";

/** The items of a session that its model no longer has, and the summary in their place. */
interface Dropped {
  items: TranscriptItem[];
  summary: string;
}

/** Quotes what a compaction lost. Undefined if nothing is lost or the session is too long. */
export async function compactText(handle: SessionHandle): Promise<string | undefined> {
  const { bytes = 0, cwd } = await handle.summary();
  if (bytes > READ_BYTES) return undefined;
  const events = (await Array.fromAsync(handle.events())).flat();
  const { items, summary } = dropped(events);
  const quoter = new Quoter(events);
  const has = textFinder(summary);
  const names = changedNames(items, cwd).filter((name) => !has(name.split("/").at(-1) ?? name));
  const calls = failedCalls(items, has, quoter);
  const sections = [
    ...section(
      "Files that were changed:",
      names.map((one) => quoter.start(one, MOST.file)),
      MOST.files,
    ),
    ...section("Calls that failed:", calls, MOST.calls),
  ];
  const more = toRead("all of it", handle.ref, (ref) => `context ${ref} --dropped`);
  const head = summary === ""
    ? "The compaction dropped the text below. The summary may not contain all of that text:"
    : "The compaction dropped the text below, and the summary does not contain that text:";
  const asked = "What the user asked for:";
  const left = MOST_AFTER_COMPACTION - fenced([head, asked, ...sections, ...more], WORD).length - 1;
  const prompts = section(asked, promptsOf(items, has, quoter), left);
  if (prompts.length + sections.length === 0) return undefined;
  return fenced([head, ...prompts, ...sections, ...more], WORD);
}

/**
 * Returns what the last compaction dropped. If the hook runs before the compaction is recorded,
 * returns everything that the model had.
 */
function dropped(events: readonly LogEvent[]): Dropped {
  const items = foldEvents(transcript(), events);
  const last = foldEvents(contextOf(), events).dropped.at(-1);
  const inside = (from: number, to: number): TranscriptItem[] =>
    items.filter(({ seq }) => seq >= from && seq < to);
  const { seq: at = 0, from_seq = 0, to_seq = 0 } = last ?? {};
  const is_over = items.some((item) =>
    item.type === "message" && item.role === "assistant" && item.seq > at
  );
  if (last === undefined || is_over) {
    return { items: inside(to_seq, Infinity), summary: "" };
  }
  const event = events.find(({ seq }) => seq === at);
  const recorded = event?.form === "known" && event.kind === "compaction_applied"
    ? [event.payload.summary ?? "", ...(event.payload.messages ?? []).map(messageText)]
    : [];
  return { items: inside(from_seq, to_seq), summary: recorded.join("\n") };
}

function messageText(message: { content?: Parameters<typeof contentText>[0] }): string {
  return contentText(message.content ?? "");
}

function textFinder(summary: string): (text: string) => boolean {
  const plain = (text: string): string => text.replace(/\s+/gu, " ").trim().toLowerCase();
  const whole = plain(summary);
  return (text) => whole.includes(plain(text));
}

function promptsOf(
  items: readonly TranscriptItem[],
  has: (text: string) => boolean,
  quoter: Quoter,
): string[] {
  const texts = items.flatMap((item) =>
    item.type === "message" && item.role === "user" ? [contentText(item.content).trim()] : []
  );
  return [...new Set(texts.reverse())].filter((text) => text !== "" && !has(text.slice(0, QUOTED)))
    .map((text) => quoter.start(text, MOST.prompt));
}

function failedCalls(
  items: readonly TranscriptItem[],
  has: (text: string) => boolean,
  quoter: Quoter,
): string[] {
  return items.toReversed().flatMap((item) => {
    if (item.type !== "bash" && item.type !== "tool") return [];
    const command = item.type === "bash" ? item.command : inputText(summarizeInput(item.input));
    const failed = item.status === "error" || item.type === "bash" && (item.exit_code ?? 0) !== 0;
    if (!failed || has(command)) return [];
    const told = quoter.end(item.error || outputText(item.output ?? ""), MOST.error);
    const name = item.type === "bash" ? "" : `${quoter.start(item.name, MOST.name)} `;
    return [`${name}${quoter.start(command, MOST.command)}${told === "" ? "" : `: ${told}`}`];
  });
}

/** Returns a heading and the first entries that fit, in reverse order. Empty if none fits. */
function section(heading: string, entries: readonly string[], most: number): string[] {
  const lines: string[] = [];
  let length = heading.length + 1;
  for (const entry of entries) {
    length += entry.length + 3;
    if (length > most) break;
    lines.unshift(`- ${entry}`);
  }
  return lines.length === 0 ? [] : [heading, ...lines];
}
