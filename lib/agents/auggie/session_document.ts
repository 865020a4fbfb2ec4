/**
 * Reads Auggie's documents. A document has the session's exchanges and those of its subagents. Each
 * subagent is a thread.
 */
import { MAIN_THREAD } from "../../core/projection/session_thread.ts";
import { asList, asName, asObject, type Json, present } from "../engine/json.ts";
import type { RecordSink, SourceRecord } from "../engine/records/source_record.ts";
import type { FormatThread } from "../engine/session_format.ts";
import { type CutDocument, readCutDocument } from "../engine/sources/document_source.ts";
import { requestNodes } from "./exchange_events.ts";

/** Reads a thread's records: its own fields, then each exchange. Empty if the thread is missing. */
export function recordsOf(path: string, thread: string, sink: RecordSink = {}): SourceRecord[] {
  const document = readCutDocument(path, "chatHistory", sink);
  if (document.value === undefined) return [];
  if (thread === MAIN_THREAD) return recordsIn(document, document.value);
  const subagent = subagentsIn(document.value).get(thread);
  return subagent === undefined ? [] : recordsIn(document, subagent);
}

export function threadsOf(path: string): FormatThread[] {
  const document = readCutDocument(path, "chatHistory");
  const own = document.value ?? {};
  const main = { id: MAIN_THREAD, kind: "main" as const, records: asList(own.chatHistory).length };
  const subagents = [...subagentsIn(own)].map(([id, subagent]): FormatThread => ({
    ...{ id, kind: "subagent", parent: { thread: MAIN_THREAD } },
    records: asList(subagent.chatHistory).length,
    own: () => [recordsIn(document, subagent)],
  }));
  return [main, ...subagents];
}

/** Returns the subagents by the ids of their first requests, because they have no ids themselves. */
function subagentsIn(session: Json): Map<string, Json> {
  const found = new Map<string, Json>();
  for (const [index, given] of asList(session.subAgents).entries()) {
    const subagent = asObject(given);
    const [first] = asList(subagent.chatHistory).map(asObject);
    const id = asName(asObject(first?.exchange).request_id);
    const is_free = id !== undefined && id !== MAIN_THREAD && !found.has(id);
    found.set(is_free ? id : `subagent-${index + 1}`, subagent);
  }
  return found;
}

function recordsIn({ value, length, salvaged }: CutDocument, session: Json): SourceRecord[] {
  const position = { offset: 0, length, line: 1 };
  const history = asList(session.chatHistory).map(asObject);
  const directory = asName(value?.workspaceRoot) ?? directoryIn(history);
  return [present({ session, directory }), ...history.map((entry) => ({ entry }))].map((
    value,
    part,
  ) => ({ value, part, position, salvaged }));
}

/** Returns the first workspace directory in a request, as Auggie does for its session list. */
function directoryIn(history: readonly Json[]): string | undefined {
  for (const { exchange } of history) {
    for (const node of requestNodes(asObject(exchange))) {
      const [folder] = asList(asObject(node.ide_state_node).workspace_folders).map(asObject);
      const path = asName(folder?.repository_root) ?? asName(folder?.folder_root);
      if (node.type === 4 && path !== undefined) return path;
    }
  }
  return undefined;
}
