/** Summarizes a goose session for a list, from its first and last rows alone. */
import { contentText } from "../../event/message.ts";
import { foldEvents } from "../../projection/projection.ts";
import { excerpt } from "../../projection/summary.ts";
import type { AgentSession } from "../../source/agent.ts";
import { summarizeFrom } from "../../reading/summary/edge_summary.ts";
import { EventWriter } from "../../reading/events/event_writer.ts";
import { type RowSummary, rowSummary } from "../../reading/summary/row_summary.ts";
import type { GooseMessage } from "./goose_session.ts";
import { promptOf, startDialogue, writeHidden, writeMessage } from "./message_events.ts";
import { openSession } from "./open_session.ts";
import { readSession } from "./read.ts";
import { writeStart, writeUsage } from "./session_events.ts";

/** The row of a session; undefined when there is none. */
export const summarizeSession = summarizeFrom({ read: readSession, quick: foldEdges });

/** The summary from the edges; undefined where only a full read can tell it. */
function foldEdges(session: AgentSession): RowSummary | undefined {
  using source = openSession(session);
  const { info, usage } = source;
  if (info === undefined || source.find === undefined) return undefined;
  const end = source.find(() => true, "last");
  const seen = source.find(({ user }) => user, "last");
  const edges = [source.find(isPrompt, "first"), source.find(isPrompt, "last"), seen, end];
  const writer = new EventWriter(session);
  writeStart(writer, session, info);
  for (const message of inOrder(edges)) {
    // What only the model gets is told of by an event of the same time.
    if (message.user) writeMessage(writer, startDialogue(), message);
    else writeHidden(writer, message);
  }
  const taken = usage.at(-1);
  if (taken !== undefined && (taken.created ?? -1) >= (end?.created ?? 0)) {
    writeUsage(writer, taken);
  }
  return foldEvents(rowSummary(), writer.take());
}

/** Each message once. */
function inOrder(messages: readonly (GooseMessage | undefined)[]): GooseMessage[] {
  const unique = new Map<number, GooseMessage>();
  for (const message of messages) {
    if (message !== undefined) unique.set(message.ordinal, message);
  }
  return [...unique.values()].sort((a, b) => a.ordinal - b.ordinal);
}

function isPrompt(message: GooseMessage): boolean {
  return message.user && message.role === "user" &&
    excerpt(contentText(promptOf(message) ?? "")) !== "";
}
