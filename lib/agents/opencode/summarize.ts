/** Summarizes an OpenCode session for a list, from its first and last messages alone. */
import { contentFor } from "../../event/audience.ts";
import { contentText } from "../../event/message.ts";
import { isObject } from "../../event/guard.ts";
import { foldEvents } from "../../projection/projection.ts";
import { excerpt, summary } from "../../projection/summary.ts";
import type { AgentSession } from "../../source/agent.ts";
import { summarizeFrom } from "../../reading/summary/edge_summary.ts";
import { EventWriter } from "../../reading/events/event_writer.ts";
import { asObject } from "../../reading/records/json_value.ts";
import type { RowSummary } from "../../reading/summary/row_summary.ts";
import { compactionAnswer, compactionRequest } from "./compaction.ts";
import { beforeRevert, readSession, startWalk, writeStep } from "./read.ts";
import { writeStart } from "./session_start.ts";
import { openSession } from "./store/open_session.ts";
import type { StoredMessage, StoredSession } from "./stored_session.ts";
import { userMessage } from "./user_content.ts";

/** The row of a session; undefined when there is none. */
export const summarizeSession = summarizeFrom({
  read: readSession,
  quick: foldEdges,
  open: isLeftOpen,
});

/** The summary from the edges; undefined when they cannot tell it. */
function foldEdges(session: AgentSession): RowSummary | undefined {
  using records = openSession(session);
  if (records.unit === "bytes") return undefined;
  const edges = edgesOf(records);
  if (edges === undefined) return undefined;
  const writer = new EventWriter(session);
  const state = startWalk();
  writeStart(writer, session, records.info);
  for (const { index, message } of edges) {
    writeStep(writer, session, records, state, { index, message, next: undefined });
  }
  return { ...foldEvents(summary(), writer.take()), open: endsOpen(records) };
}

function isLeftOpen(session: AgentSession): boolean {
  using records = openSession(session);
  return endsOpen(records);
}

/** True if the last message is a request, or an answer that has not come to its end. */
function endsOpen(records: StoredSession): boolean {
  const { role, error, kept_error, finish, time } = lastLive(records)?.message.info ?? {};
  if (role !== "assistant") return role === "user";
  const failed = error ?? kept_error;
  if (isObject(failed)) return failed.name === "MessageAbortedError";
  if (typeof finish === "string") return finish === "tool-calls";
  return asObject(time).completed === undefined;
}

interface Edge {
  index: number;
  message: StoredMessage;
}

/** The first and the last prompt, and the last message, each once and in order. */
function edgesOf(records: StoredSession): Edge[] | undefined {
  const last = lastLive(records);
  if (last === undefined) return undefined;
  // What a compaction writes depends on messages before it.
  if (isCompaction(last.message, last.index)) return undefined;
  const edges = new Map<number, Edge>();
  for (const backwards of [false, true]) {
    const prompt = findPrompt(records, last, backwards);
    if (prompt === "compaction") return undefined;
    if (prompt !== undefined) edges.set(prompt.index, prompt);
  }
  edges.set(last.index, last);
  return [...edges.values()].sort((a, b) => a.index - b.index);
}

function isCompaction(message: StoredMessage, index: number): boolean {
  return compactionAnswer(message) !== undefined || compactionRequest(message, index) !== undefined;
}

/** The last message that can be read and that the user did not take back. */
function lastLive(records: StoredSession): Edge | undefined {
  const end = records.indexOf(records.info.revert?.message_id) ?? records.count - 1;
  for (let index = end; index >= 0; index--) {
    const message = records.load(index);
    const live = message && beforeRevert(startWalk(), records, message);
    if (live !== undefined) return { index, message: live };
  }
  return undefined;
}

/** The first prompt up to `last`, or the last one, that has text. */
function findPrompt(
  records: StoredSession,
  last: Edge,
  backwards: boolean,
): Edge | "compaction" | undefined {
  for (let step = 0; step <= last.index; step++) {
    const index = backwards ? last.index - step : step;
    if (!records.isUser(index)) continue;
    const message = index === last.index ? last.message : records.load(index);
    if (message === undefined) continue;
    if (isCompaction(message, index)) return "compaction";
    if (excerpt(contentText(contentFor(userMessage(message)?.content ?? "", "user"))) !== "") {
      return { index, message };
    }
  }
  return undefined;
}
