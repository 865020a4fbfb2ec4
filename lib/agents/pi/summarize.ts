/**
 * Summarizes a pi session from the first and the last 16 KiB of its file. They hold the header, the
 * first and the last prompt, and the last title.
 */
import type { LogEvent } from "../../event/envelope.ts";
import { SUMMARY_KINDS } from "../../event/policy.ts";
import { toSessionError } from "../../log/io_error.ts";
import type { Line } from "../../log/line_splitter.ts";
import { statFile } from "../../file/regular_file.ts";
import { foldEvents } from "../../projection/projection.ts";
import { summary } from "../../projection/summary.ts";
import { EventWriter } from "../../reading/events/event_writer.ts";
import { asList, asObject, asText } from "../../reading/json_value.ts";
import {
  type EdgeOptions,
  type FileEdges,
  readEdges,
  reusedEdges,
} from "../../reading/records/file_edges.ts";
import { recordsInLines } from "../../reading/records/records_at.ts";
import { type RowSummary, summarizeFrom } from "../../reading/row_summary.ts";
import { indexLines } from "../../reading/tree/index_file.ts";
import { pathIn } from "../../reading/tree/live_path.ts";
import { readPath } from "../../reading/tree/read_tree.ts";
import { SALVAGED, type TreeIndex } from "../../reading/tree/record_index.ts";
import { allSteps, nodesOf, stepsOf, type TreeNode } from "../../reading/tree/steps.ts";
import type { AgentSession } from "../../source/agent.ts";
import { emitEntry, startEmission } from "./entry_events.ts";
import { allOfType, type PiHead } from "./entry_index.ts";
import { givenTitle, toStarted } from "./header.ts";
import { piFormat } from "./pi_format.ts";
import { type EntryReader, firstRealPrompt, spokenText } from "./prompt.ts";

/** Bytes to read of either end, until the head holds a prompt and the tail a line. */
const EDGES: readonly EdgeOptions[] = [
  reusedEdges(16 * 1024, 16 * 1024),
  { head_bytes: 128 * 1024, tail_bytes: 256 * 1024 },
  { head_bytes: 4 * 1024 * 1024, tail_bytes: 16 * 1024 * 1024 },
];

/** Summarizes a session; see {@linkcode SessionReader.summarize}. */
export const summarizeSession = summarizeFrom({
  read: (session, options = {}) => readPath(piFormat, session, options, { path: session.path }),
  quick,
  bytes: ({ path }) => sizeOf(path),
});

function sizeOf(path: string): number {
  try {
    return statFile(path).size;
  } catch (error) {
    throw toSessionError(error, "read session", path);
  }
}

function quick(session: AgentSession): RowSummary | undefined {
  let log: RowSummary | undefined;
  for (const options of EDGES) {
    const edges = readEdges(session.path, options);
    log = edgeSummary(session, edges);
    if (edges.whole || (log?.first_user_message !== undefined && edges.tail.length > 0)) break;
  }
  return log;
}

function edgeSummary(session: AgentSession, edges: FileEdges): RowSummary | undefined {
  const found = edgeEvents(session, edges);
  if (found === undefined) return undefined;
  const { events, open } = found;
  const log = { ...foldEvents(summary(), events), open };
  // Between the edges there may be a later one than the first.
  if (!edges.whole && log.last_user_message === log.first_user_message) {
    delete log.last_user_message;
  }
  return log;
}

/** Returns the events of the few entries that a list needs. */
function edgeEvents(
  session: AgentSession,
  { head, tail, whole }: FileEdges,
): { events: LogEvent[]; open: boolean } | undefined {
  const lines = [...head, ...tail];
  const index = indexLines(piFormat, lines);
  const path = nodesOf(index, pathIn(piFormat, index).steps);
  if (index.head.header === undefined && path.length === 0) return undefined;
  const reader = lineReader(lines);
  const writer = new EventWriter(session, SUMMARY_KINDS);
  const emission = startEmission(writer, false);
  // Of what lies in between nobody knows which branch it is on: the first prompt is taken for live.
  const first = whole ? path : nodesOf(index, allSteps(index));
  const started = toStarted(session, index.head.header);
  const title = firstRealPrompt(first, reader);
  if (title !== undefined) started.title = title;
  writer.emit("session_started", started, { time: started.created_at });
  const name = lastName(index, reader) ?? givenTitle(index.head);
  if (name !== undefined) writer.emit("session_renamed", { title: name.trim() });
  for (const node of chosenEntries(first, path, reader)) {
    const record = reader.record(node);
    if (record !== undefined) emitEntry(emission, node, record);
  }
  return { events: writer.take(), open: endsOpen(path, reader) };
}

/** True if the last message leaves a turn open. What a user ran and what was compacted does not tell. */
function endsOpen(path: readonly TreeNode[], reader: EntryReader): boolean {
  for (let at = path.length - 1; at >= 0; at--) {
    const node = path[at] as TreeNode;
    if (node.type !== "message" || node.damaged) continue;
    const { role, stopReason, content } = asObject(reader.record(node)?.value.message);
    if (role === "user" || role === "toolResult") return true;
    if (role !== "assistant") continue;
    if (stopReason === "aborted" || stopReason === "toolUse") return true;
    return asList(content).some((block) => asObject(block).type === "toolCall");
  }
  return false;
}

function lastName(index: TreeIndex<PiHead>, reader: EntryReader): string | undefined {
  const [node] = nodesOf(index, stepsOf(allOfType(index, "session_info").slice(-1)));
  return node === undefined ? undefined : asText(reader.record(node)?.value.name) ?? "";
}

/** Yields the entries of the first and the last prompt, and the last entry for its time. */
function* chosenEntries(
  first: readonly TreeNode[],
  path: readonly TreeNode[],
  reader: EntryReader,
): Generator<TreeNode> {
  const prompt = first.find((node) => spokenText(node, reader) !== "");
  const latest = path.findLast((node) => spokenText(node, reader) !== "");
  if (prompt !== undefined) yield prompt;
  if (latest !== undefined && latest.row !== prompt?.row) yield latest;
  const last = path.findLast(({ damaged }) => !damaged);
  if (last !== undefined && last.row !== latest?.row) yield last;
}

const decoder = new TextDecoder("latin1");
/** The bytes of a line in which pi writes the role. */
const ROLE_BYTES = 320;
const ROLE = /"message":\{"role":"(\w+)"/;

/** Returns a reader of the entries in lines. */
function lineReader(lines: readonly Line[]): EntryReader {
  const records = recordsInLines(lines);
  return {
    role(node): string | undefined {
      const line = node.has(SALVAGED) ? undefined : records.line(node.place);
      if (line === undefined || node.type !== "message") return undefined;
      return ROLE.exec(decoder.decode(line.bytes.subarray(0, ROLE_BYTES)))?.[1];
    },
    record: (node) => node.damaged ? undefined : records.record(node.place),
  };
}
