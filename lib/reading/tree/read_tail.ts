/** Reads the end of a session whose records form a tree: each says which one it follows. */
import type { LogEvent } from "../../event/envelope.ts";
import { linesFromEnd } from "../../log/backward_reader.ts";
import { openToRead } from "../../log/byte_source.ts";
import { toSessionError } from "../../log/io_error.ts";
import type { Line } from "../../log/line_splitter.ts";
import { isSaid } from "../../projection/unseen_message.ts";
import type { AgentSession, AgentTailOptions } from "../../source/agent.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { EventWriter } from "../events/event_writer.ts";
import { recordsInLines } from "../records/records_in_lines.ts";
import type { SourceRecord } from "../records/source_record.ts";
import { readThread } from "./tree_threads.ts";
import { placesOf, type RecordNode, type TreeFormat } from "./tree_format.ts";
import { indexLines } from "./tree_index.ts";

interface TailRecord {
  node: RecordNode;
  records: SourceRecord[];
}

interface Tail {
  /** Last one first. */
  records: TailRecord[];
  messages: number;
  /** The record that the last one found follows; undefined before the first. */
  wanted: string | undefined;
  /** The first record that the last compaction keeps, until it is found. */
  kept: string | undefined;
  /** A compaction was found: no earlier one counts. */
  compacted: boolean;
  /** A root was reached. */
  ended: boolean;
}

/** Returns the events of the last messages; see {@linkcode SessionReader.readTail}. */
export async function readTreeTail<Head, State, Saved>(
  format: TreeFormat<Head, State, Saved>,
  session: AgentSession,
  options: AgentTailOptions,
): Promise<readonly LogEvent[]> {
  const { thread = MAIN_THREAD, needs, report } = options;
  const tail = thread === MAIN_THREAD ? await findTail(format, session, options) : undefined;
  if (tail === undefined || tail.ended) {
    return (await Array.fromAsync(readThread(format, session, options))).flat();
  }
  const writer = new EventWriter(session, needs);
  const state = format.restoreState(undefined, { session, thread, writer, report });
  for (const { node, records } of tail.records.reverse()) format.emit(records, node, state);
  return writer.take();
}

/** Finds the records of the last messages; undefined where the branch cannot be followed backwards. */
async function findTail<Head, State, Saved>(
  format: TreeFormat<Head, State, Saved>,
  session: AgentSession,
  { messages, most_bytes = Infinity, signal }: AgentTailOptions,
): Promise<Tail | undefined> {
  const tail: Tail = {
    ...{ records: [], messages: 0, compacted: false, ended: false },
    ...{ wanted: undefined, kept: undefined },
  };
  let bytes = 0;
  const file = openToRead(session.path);
  try {
    for await (const lines of linesFromEnd(file)) {
      signal?.throwIfAborted();
      for (const line of lines) {
        takeLine(format, session, tail, line);
        bytes += line.length;
        if (isEdited(format, tail)) return undefined;
        const is_enough = tail.messages >= messages && tail.kept === undefined;
        if (tail.ended || is_enough || bytes > most_bytes) return tail;
      }
    }
    // A record that stands behind the one that follows it is found by a look at the whole file alone.
    return tail.wanted === undefined ? tail : undefined;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw toSessionError(error, "read session", session.path);
  } finally {
    file.close();
  }
}

/** True where what the model gets was edited: only the whole branch tells what it gets since. */
function isEdited<Head, State, Saved>(
  { editsBefore }: TreeFormat<Head, State, Saved>,
  { records, compacted, kept }: Tail,
): boolean {
  const node = records.at(-1)?.node;
  return node !== undefined && (editsBefore?.(node) ?? false) && (!compacted || kept !== undefined);
}

function takeLine<Head, State, Saved>(
  format: TreeFormat<Head, State, Saved>,
  session: AgentSession,
  tail: Tail,
  line: Line,
): void {
  const at_hand = recordsInLines([line]);
  for (const node of indexLines(format, [line]).nodes.reverse()) {
    const first = tail.records.length === 0;
    // A piece of the record that was found last comes before its other pieces.
    const last = tail.records.at(-1);
    if (format.repeated === "joined" && last?.node.id === node.id) {
      last.records.unshift(...placesOf(node).flatMap((place) => at_hand.record(place) ?? []));
      tail.wanted = node.parent_id;
      tail.ended = node.parent_id === undefined;
      if (tail.ended) return;
      continue;
    }
    if (first ? node.damaged || !(format.isLeaf?.(node) ?? true) : !isWanted(tail, node)) continue;
    const records = node.damaged
      ? []
      : placesOf(node).flatMap((place) => at_hand.record(place) ?? []);
    if (records.length > 0) {
      tail.records.push({ node, records });
      tail.messages += messagesIn(format, session, node, records);
    } else if (!node.damaged) continue;
    if (node.id === tail.kept) tail.kept = undefined;
    const [record] = records;
    if (record !== undefined && !tail.compacted && format.isCompaction(node)) {
      tail.compacted = true;
      tail.kept = format.firstKept?.(record);
    }
    tail.wanted = node.parent_id;
    tail.ended = node.parent_id === undefined && !(format.isUnnamed?.(node) ?? false);
    if (tail.ended) return;
  }
}

/** Records without ids follow each other. */
function isWanted({ wanted }: Tail, { id }: RecordNode): boolean {
  return wanted === undefined || wanted === id;
}

function messagesIn<Head, State, Saved>(
  format: TreeFormat<Head, State, Saved>,
  session: AgentSession,
  node: RecordNode,
  records: readonly SourceRecord[],
): number {
  const writer = new EventWriter(session);
  const state = format.restoreState(undefined, {
    ...{ session, thread: MAIN_THREAD, writer },
    report: undefined,
  });
  format.emit(records, node, state);
  return writer.take().filter(isSaid).length;
}
