/**
 * Summarizes a pi session from the first and the last 16 KiB of its file. These parts have the
 * header, and the first and last prompts. The title may be anywhere in the file.
 */
import type { LogEvent } from "../../core/event/envelope.ts";
import { SUMMARY_KINDS } from "../../core/event/policy.ts";
import { toSessionError } from "../../core/log/io_error.ts";
import { standsAt } from "../../core/log/json_bytes/values.ts";
import type { Line } from "../../core/log/line_splitter.ts";
import { statFile } from "../../core/file/regular_file.ts";
import { isActivity } from "../../core/projection/summary.ts";
import { EventWriter } from "../engine/events/event_writer.ts";
import { asList, asObject, asText } from "../engine/json.ts";
import {
  type EdgeOptions,
  type FileEdges,
  joinedLines,
  reusedEdges,
} from "../engine/records/file_edges.ts";
import { recordsInLines } from "../engine/records/records_at.ts";
import { summarizeFrom } from "../engine/row_summary.ts";
import { indexLines } from "../engine/tree/index_file.ts";
import { pathIn } from "../engine/tree/live_path.ts";
import { readPath } from "../engine/tree/read_tree.ts";
import { idsAbove, searchMiddle } from "../engine/tree/search_middle.ts";
import { type EndEvents, summarizeEnds } from "../engine/tree/summarize_ends.ts";
import { hasDamage, SALVAGED, type TreeIndex } from "../engine/tree/record_index.ts";
import { allSteps, nodesOf, stepsOf, type TreeNode } from "../engine/tree/steps.ts";
import type { AgentSession } from "../contract/agent.ts";
import { emitEntry, startEmission } from "./entry_events.ts";
import { allOfType, type PiHead } from "./entry_index.ts";
import { givenTitle, toStarted } from "./header.ts";
import { piFormat } from "./pi_format.ts";
import { type EntryReader, FIRST_ENTRIES, firstRealPrompt, isOwn, spokenText } from "./prompt.ts";

/** Bytes to read at each end of the file. Larger sizes follow if no prompt or activity is found. */
const EDGES: readonly EdgeOptions[] = [
  reusedEdges(16 * 1024, 16 * 1024),
  { head_bytes: 128 * 1024, tail_bytes: 256 * 1024 },
  { head_bytes: 4 * 1024 * 1024, tail_bytes: 16 * 1024 * 1024 },
];

export const summarizeSession = summarizeFrom({
  read: (session, options = {}) => readPath(piFormat, session, options, { path: session.path }),
  quick: summarizeEnds({ edges: EDGES, eventsOf: edgeEvents, search: namesBetween }),
  bytes: ({ path }) => sizeOf(path),
});

function sizeOf(path: string): number {
  try {
    return statFile(path).size;
  } catch (error) {
    throw toSessionError(error, "read session", path);
  }
}

/** Returns the events for a list row. `between` has title lines from between the file's ends. */
function edgeEvents(
  session: AgentSession,
  edges: FileEdges,
  between: readonly Line[] = [],
): EndEvents | undefined {
  const { lines, head_end, tail_start } = joinedLines(edges, between);
  const { whole } = edges;
  const index = indexLines(piFormat, lines);
  const { steps, broken } = pathIn(piFormat, index);
  const path = nodesOf(index, steps);
  if (index.head.header === undefined && path.length === 0) return undefined;
  const reader = lineReader(lines);
  // Damage is looked for only if the whole file is read, which may find another path.
  const last = path.at(-1);
  const { salvaged = false } = last === undefined ? {} : reader.record(last) ?? { salvaged: true };
  if (whole && (salvaged || broken.length > 0 || hasDamage(index))) return undefined;
  const writer = new EventWriter(session, SUMMARY_KINDS);
  const emission = startEmission(writer, false);
  // The branch of the lines in between is unknown, so the first prompt counts as live.
  const placeOf = ({ row }: TreeNode): number => index.offset[row] as number;
  const first = whole
    ? path
    : nodesOf(index, allSteps(index)).filter((node) => placeOf(node) < head_end);
  const started = toStarted(session, index.head.header);
  const title = firstRealPrompt(first, reader);
  if (title !== undefined) started.title = title;
  writer.emit("session_started", started, { time: started.created_at });
  const name = lastName(index, reader) ?? givenTitle(index.head);
  if (name !== undefined) writer.emit("session_renamed", { title: name.trim() });
  const isSpoken = (node: TreeNode): boolean => spokenText(node, reader) !== "";
  const prompt = first.find(isSpoken);
  const latest = path.findLast(isSpoken);
  for (const node of prompt?.row === latest?.row ? [prompt] : [prompt, latest]) {
    const record = node && reader.record(node);
    if (record !== undefined) emitEntry(emission, node as TreeNode, record);
  }
  // Only the time of the last activity is needed.
  let used: LogEvent | undefined;
  for (let at = path.length - 1; at >= 0 && used === undefined; at--) {
    const node = path[at] as TreeNode;
    const record = placeOf(node) < tail_start ? undefined : reader.record(node);
    if (record === undefined) continue;
    const entry = new EventWriter(session);
    emitEntry(startEmission(entry, false), node, record);
    used = entry.take().findLast(isActivity);
  }
  const events = used === undefined ? writer.take() : [...writer.take(), used];
  const is_named = prompt !== undefined &&
    (first.length >= FIRST_ENTRIES || title !== undefined || isOwn(prompt, reader));
  const above = is_named ? idsAbove(index, prompt.row) : undefined;
  return { events, above, used: used !== undefined, open: endsOpen(path, reader) };
}

/** True if the last message leaves a turn open. Skips the user's commands and compactions. */
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

const NAME = new TextEncoder().encode('{"type":"session_info"');

/** Returns title lines between the ends. Undefined if the first prompt may be on another branch. */
async function namesBetween(
  path: string,
  above: ReadonlySet<string>,
): Promise<readonly Line[] | undefined> {
  const isWanted = (bytes: Uint8Array, start: number): boolean => standsAt(bytes, start, NAME);
  return (await searchMiddle(path, above, { parent: '"parentId":', isWanted }))?.lines;
}

const decoder = new TextDecoder("latin1");
/** Number of bytes at the start of a line within which pi writes the role. */
const ROLE_BYTES = 320;
const ROLE = /"message":\{"role":"(\w+)"/;

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
