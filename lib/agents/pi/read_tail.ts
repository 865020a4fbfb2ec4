/**
 * The last messages of a pi session, read from its end: each entry says which one it follows.
 */
import type { Content } from "../../event/message.ts";
import type { LogEvent } from "../../event/envelope.ts";
import { linesFromEnd } from "../../log/backward_reader.ts";
import { openToRead } from "../../log/byte_source.ts";
import { toSessionError } from "../../log/io_error.ts";
import type { Line } from "../../log/line_splitter.ts";
import type { AgentSession, AgentTailOptions } from "../../source/agent.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { isSeen } from "../../projection/unseen_message.ts";
import { EventWriter } from "../../reading/events/event_writer.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import { emitEntry, startEmission } from "./entry_events.ts";
import { type EntryNode, firstKept, indexEntryLines, isSynthetic } from "./entry_index.ts";
import { lineReader } from "./line_reader.ts";
import { readSession } from "./read.ts";

interface Entry {
  node: EntryNode;
  record: SourceRecord;
}

interface Tail {
  /** Last one first. */
  entries: Entry[];
  messages: number;
  /** The entry that the last one found follows; undefined before the first. */
  wanted: string | undefined;
  /** The first entry that the last compaction keeps, until it is found. */
  kept: string | undefined;
  /** A compaction was found: no earlier one counts. */
  compacted: boolean;
  /** A root was reached. */
  ended: boolean;
}

/** Reads the last messages; see {@linkcode Agent.readTail}. */
export async function readTail(
  session: AgentSession,
  options: AgentTailOptions,
): Promise<readonly LogEvent[]> {
  const tail = options.thread === undefined || options.thread === MAIN_THREAD
    ? await findTail(session, options)
    : undefined;
  if (tail === undefined) return await readWhole(session, options);
  const writer = new EventWriter(session, options.needs);
  const emission = { ...startEmission(writer), amid_turn: !tail.ended };
  for (const { node, record } of tail.entries.reverse()) emitEntry(emission, node, record);
  return writer.take();
}

async function readWhole(
  session: AgentSession,
  options: AgentTailOptions,
): Promise<readonly LogEvent[]> {
  const events: LogEvent[] = [];
  for await (const batch of readSession(session, options)) events.push(...batch);
  return events;
}

/** The entries of the last messages; undefined when the branch cannot be followed backwards. */
async function findTail(
  session: AgentSession,
  { messages, most_bytes = Infinity, signal }: AgentTailOptions,
): Promise<Tail | undefined> {
  const tail: Tail = {
    entries: [],
    messages: 0,
    wanted: undefined,
    kept: undefined,
    compacted: false,
    ended: false,
  };
  let bytes = 0;
  const file = openToRead(session.path);
  try {
    for await (const lines of linesFromEnd(file)) {
      signal?.throwIfAborted();
      for (const line of lines) {
        takeLine(session, tail, line);
        bytes += line.length;
        if (isEdited(tail)) return undefined;
        const is_enough = tail.messages >= messages && tail.kept === undefined;
        if (tail.ended || is_enough || bytes > most_bytes) return tail;
      }
    }
    // An entry that stands behind the one that follows it is found by a look at the whole file alone.
    return tail.wanted === undefined ? tail : undefined;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw toSessionError(error, "read session", session.path);
  } finally {
    file.close();
  }
}

/** True where what the model gets was edited: only the whole branch tells what it gets since. */
function isEdited({ entries, compacted, kept }: Tail): boolean {
  return entries.at(-1)?.node.type === "context_edit" && (!compacted || kept !== undefined);
}

function takeLine(session: AgentSession, tail: Tail, line: Line): void {
  const reader = lineReader([line]);
  for (const node of indexEntryLines([line]).nodes.reverse()) {
    const first = tail.entries.length === 0;
    if (first ? node.damaged : tail.wanted !== undefined && node.id !== tail.wanted) continue;
    const record = reader.record(node);
    if (record !== undefined) {
      tail.entries.push({ node, record });
      tail.messages += messagesIn(session, node, record);
    } else if (!node.damaged) continue;
    if (node.id === tail.kept) tail.kept = undefined;
    if (node.type === "compaction" && record !== undefined && !tail.compacted) {
      tail.compacted = true;
      tail.kept = firstKept(record.value);
    }
    tail.wanted = node.parent_id;
    tail.ended = node.parent_id === undefined && !isSynthetic(node);
    if (tail.ended) return;
  }
}

const MESSAGES = new Set(["user_message", "assistant_message", "assistant_interrupted"] as const);

function messagesIn(session: AgentSession, node: EntryNode, record: SourceRecord): number {
  const writer = new EventWriter(session, MESSAGES);
  emitEntry(startEmission(writer), node, record);
  const said = writer.take().filter((event) =>
    event.form === "known" && "content" in event.payload &&
    isSeen(event.payload.content as Content)
  );
  return said.length;
}
