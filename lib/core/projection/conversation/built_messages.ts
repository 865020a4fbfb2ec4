/** Takes messages out of a {@linkcode MessageBuild}: the complete messages, or all messages. */
import { oneText } from "../../event/audience.ts";
import type { Message } from "../../event/message.ts";
import type { Finding } from "../projection.ts";
import type { Call, MessageBuild, Response } from "./message_build.ts";
import { NOT_RUN_OUTPUT, unsettled, UNSETTLED_OUTPUT } from "./paired_messages.ts";
import { toParts } from "../said_parts.ts";

/** Returns the findings so far, and one for each open call, in the order of their events. */
export function findingsOf({ open, findings }: MessageBuild): Finding[] {
  const found = [...findings];
  for (const calls of open.values()) {
    for (const { seq, call: { name, call_id }, began, response } of calls) {
      if (response === undefined) continue;
      const detail = `${name} ${call_id} did not finish`;
      found.push({ code: "unsettled-call", seq, detail, call_id, began });
    }
  }
  return found.sort((a, b) => a.seq - b.seq);
}

/**
 * Removes and returns the first messages. Stops before a message with unanswered calls, and before
 * the last message, because content with its `message_id` may follow.
 */
export function takeSettledMessages(
  build: MessageBuild,
  unanswered: string | undefined,
): Message[] {
  const { entries } = build;
  let count = 0;
  while (count < entries.length - 1 && isSettled(entries[count])) count++;
  return takeMessages(build, count, unanswered);
}

export function takeMessages(
  build: MessageBuild,
  count: number,
  unanswered: string | undefined,
): Message[] {
  if (count === 0) return [];
  const taken = build.entries.splice(0, count);
  for (const entry of taken) {
    if (entry.role !== "assistant" || entry.message_id === undefined) continue;
    build.responses.delete(entry.message_id);
  }
  return messagesOf(build, taken, unanswered);
}

export function takeLastMessages(build: MessageBuild, unanswered: string | undefined): Message[] {
  return messagesOf(build, build.entries.splice(0), unanswered);
}

/** Returns messages that later events do not change. */
export function messagesSoFar(build: MessageBuild, unanswered: string | undefined): Message[] {
  const messages = messagesOf(build, build.entries, unanswered);
  return messages.map((message) =>
    typeof message.content === "string" ? message : { ...message, content: [...message.content] }
  );
}

/** True if no call of the entry awaits a result. Later content may still be added to the entry. */
export function isSettled(entry: MessageBuild["entries"][number] | undefined): boolean {
  if (entry?.role !== "assistant" || entry.calls === undefined) return true;
  return entry.calls.every(({ result, overdue }) => result !== undefined || overdue);
}

export function messagesOf(
  { numbered }: MessageBuild,
  entries: MessageBuild["entries"],
  unanswered: string | undefined,
): Message[] {
  const messages: Message[] = [];
  for (const entry of entries) {
    if (entry.role === "assistant") addMessages(messages, entry, unanswered, numbered);
    else if (entry.role === "tool") {
      const { role, said, content } = entry;
      messages.push({ role: "assistant", content: said }, { role, content });
    } else messages.push(entry);
  }
  return messages;
}

function addMessages(
  messages: Message[],
  { content, calls, seq, end_seq, provider_data }: Response,
  unanswered: string | undefined,
  numbered: boolean,
): void {
  const add = (message: Message, places?: { seq: number; end_seq: number }): void => {
    if (numbered) Object.assign(message, places);
    messages.push(message);
  };
  const said: Message = { role: "assistant", content };
  if (provider_data !== undefined) said.provider_data = provider_data;
  if (calls === undefined) {
    said.content = oneText(content);
    if (content.length > 0 || provider_data !== undefined) add(said, { seq, end_seq });
    return;
  }
  const results = calls.map(({ call, began, result }) =>
    result ?? unsettled(call, unanswered ?? (began ? UNSETTLED_OUTPUT : NOT_RUN_OUTPUT))
  );
  said.content = [...toParts(content)];
  add(said, { seq, end_seq });
  add({ role: "tool", content: results }, numbered ? resultPlaces(calls, end_seq) : undefined);
}

/**
 * Returns the first and the last event number of a response's results. A call without a result
 * counts with the number of its response.
 */
function resultPlaces(calls: readonly Call[], seq: number): { seq: number; end_seq: number } {
  const ends = calls.map(({ end_seq }) => end_seq ?? seq);
  return {
    seq: ends.reduce((least, end) => Math.min(least, end), Infinity),
    end_seq: ends.reduce((most, end) => Math.max(most, end), -Infinity),
  };
}
