/**
 * Reads the records of a session: its messages, and the start of the current conversation. Texts
 * that only the screen showed are among the records.
 */
import { dirname, join } from "node:path";
import { readJson } from "../engine/files/folder.ts";
import { plainText } from "../engine/events/anthropic_blocks.ts";
import { asList, asName, asNumber, asObject, type Json } from "../engine/json.ts";
import type { RecordSink, SourceRecord } from "../engine/records/source_record.ts";
import { readCutDocument } from "../engine/sources/document_source.ts";
import type { RewrittenSource } from "../engine/sources/record_source.ts";
import { type ClineSession, isCore } from "./locate.ts";
import { shownRecords } from "./shown_records.ts";

/** A record of a session. The fields that it has tell its kind. */
export interface ClineRecord {
  /** The fields of the document, without its messages. */
  head?: Json;
  prompt?: string;
  /** The first recorded time, in milliseconds since 1970. */
  began?: number;
  message?: Json;
  /** True for a message that was shown but is not sent to the model. */
  unsent?: boolean;
  /** The messages that are sent to the model in place of all earlier messages. */
  kept?: readonly Json[];
  /** A message of `ui_messages.json` that the conversation does not have. */
  shown?: Json;
  /** A message of `ui_messages.json` with the token counts of a request. */
  request?: Json;
}

export function readMessages(
  path: string,
  sink?: RecordSink,
): { messages: Json[]; head: Json; length: number; salvaged: boolean } {
  const { value = {}, ...document } = readCutDocument(path, "messages", sink);
  const { messages, ...head } = value;
  return { messages: asList(messages).map(asObject), head, ...document };
}

export function clineSource(session: ClineSession): RewrittenSource {
  return {
    rewritten: true,
    *read(options = {}): Generator<readonly SourceRecord[]> {
      const { messages, head, length, salvaged } = readMessages(session.path, options);
      const records = isCore(session)
        ? coreRecords(session, messages)
        : taskRecords(session, messages);
      const position = { offset: 0, length, line: 1 };
      const first = records.find(({ message }) => message !== undefined)?.message;
      const times = records.map(({ message, shown, request }) => (message ?? shown ?? request)?.ts);
      const began = times.filter((time) => typeof time === "number")
        .reduce((least, time) => Math.min(least, time), Infinity);
      const start = { head, prompt: plainText(first?.content), began };
      const values = [start, ...records] as SourceRecord["value"][];
      yield values.map((value, part) => ({ value, position, part, salvaged }));
    },
  };
}

/**
 * Returns the records of a session of @cline/core (0.0.86, `session-compaction`). A separate file
 * has the messages that a compaction made. They count only if the last replaced message still has
 * its recorded position and id. The hash of all replaced messages is not checked.
 */
function coreRecords({ path }: ClineSession, messages: readonly Json[]): ClineRecord[] {
  const state = asObject(readJson(path.replace(/\.messages\.json$/, ".compaction.json")));
  const sent = messages.filter(isSent);
  const replaced = asNumber(state.source_message_count) ?? 0;
  const last = sent[replaced - 1];
  const key = asName(state.source_last_message_key);
  const stands = last !== undefined &&
    (key?.startsWith("id:") !== true || key === `id:${asName(last.id)?.trim()}`);
  return messages.flatMap((message): ClineRecord[] => {
    const record = { message, unsent: !isSent(message) };
    if (!stands || message !== last) return [record];
    return [record, { kept: asList(state.messages).map(asObject) }];
  });
}

function isSent({ metadata }: Json): boolean {
  return asObject(metadata).displayOnly !== true;
}

/** Roles by the type of a screen message, for sessions whose conversation file is missing. */
const SPEAKERS: ReadonlyMap<unknown, string> = new Map([
  ["task", "user"],
  ["user_feedback", "user"],
  ["text", "assistant"],
  ["completion_result", "assistant"],
]);

const SCREEN = "ui_messages.json";

function taskRecords(session: ClineSession, main: readonly Json[]): ClineRecord[] {
  const isLost = session.path.endsWith(SCREEN);
  const screen = isLost
    ? main
    : asList(readJson(join(dirname(session.path), SCREEN))).map(asObject);
  // The first message of the screen is the task, even if its type is a text.
  const messages = isLost
    ? screen.flatMap((shown, index): Json[] => {
      const role = index === 0 ? "user" : SPEAKERS.get(shown.say);
      return role === undefined ? [] : [{ role, content: shown.text, ts: shown.ts }];
    })
    : main;
  const range = asList(
    screen.findLast((one) => one.conversationHistoryDeletedRange !== undefined)
      ?.conversationHistoryDeletedRange ?? session.task?.conversationHistoryDeletedRange,
  );
  const kept = keptOf(messages, range);
  const from = kept.lastIndexOf(false) + 1;
  const { before, after, requests } = shownRecords(messages, screen);
  const replacing = { kept: messages.filter((_, index) => index < from && kept[index]) };
  const records = messages.flatMap((message, index): ClineRecord[] => [
    ...(before.get(index) ?? []).map((shown) => ({ shown })),
    ...(index === from && from > 0 ? [replacing] : []),
    { message },
  ]);
  const cut_off = from > 0 && from === messages.length ? [replacing] : [];
  return [
    ...requests.map((request) => ({ request })),
    ...records,
    ...cut_off,
    ...after.map((shown) => ({ shown })),
  ];
}

/**
 * Returns a flag for each message: true if the message is sent to the model. Cline sends the first
 * two messages, and the messages after a deleted range. Roo Code leaves out all messages before its
 * last summary. Roo Code also leaves out a message that refers to an existing summary or truncation
 * mark.
 *
 * Cline 3.30, ContextManager.ts `getAndAlterTruncatedMessages`; Roo Code 3.40, condense/index.ts
 * `getEffectiveApiHistory`.
 */
function keptOf(messages: readonly Json[], [start, end]: readonly unknown[]): boolean[] {
  const first = Math.max(asNumber(start) ?? Infinity, 2);
  const last = asNumber(end) ?? -1;
  const summary = messages.findLastIndex(({ isSummary }) => isSummary === true);
  const ids = messages.flatMap(({ condenseId, truncationId }) => [condenseId, truncationId]);
  const named = new Set<unknown>(ids.filter((id) => id !== undefined));
  return messages.map(({ condenseParent, truncationParent }, index) => {
    if (index >= first && index <= last) return false;
    if (index < summary || named.has(truncationParent)) return false;
    return summary >= 0 || !named.has(condenseParent);
  });
}
