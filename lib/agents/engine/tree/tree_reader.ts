/**
 * Makes the reader of an agent whose records form a tree. A thread is read whole, from resume
 * points, or directly as messages.
 */
import type { LogEvent } from "../../../core/event/envelope.ts";
import type { Message } from "../../../core/event/message.ts";
import { SUMMARY_KINDS } from "../../../core/event/policy.ts";
import { linearConversation } from "../../../core/projection/conversation/conversation.ts";
import { foldBatches } from "../../../core/projection/projection.ts";
import type {
  Agent,
  AgentConversationOptions,
  AgentReadingOptions,
  AgentReadOptions,
  AgentSession,
} from "../../contract/agent.ts";
import type { ResponseUsage } from "../../../core/projection/response_usage.ts";
import type { SessionReading } from "../../contract/session_reading.ts";
import { MAIN_THREAD } from "../../../core/projection/session_thread.ts";
import { type MessageChoice, MessageWriter } from "../events/message_writer.ts";
import { present } from "../json.ts";
import { readRecords } from "../records/jsonl_records.ts";
import { skipWithout } from "../records/taken_lines.ts";
import { type AgentReads, deriveReader } from "../session_reader.ts";
import { type TreePlace, wayTo } from "./branch_starts.ts";
import { otherBranches } from "./branches.ts";
import { findPath } from "./live_path.ts";
import { openThreadsOfTree } from "./open_threads.ts";
import { readTreeTail, summarizeTree } from "./read_tail.ts";
import {
  headOf,
  openedEvents,
  type OpenPath,
  openPath,
  pathEvents,
  readPath,
  stepsOf,
} from "./read_tree.ts";
import { recordId, type TreeIndex } from "./record_index.ts";
import { rowOfStep, type Steps } from "./steps.ts";
import type { TreeFormat } from "./tree_format.ts";
import { findThread, threadsOfTree } from "./tree_threads.ts";

export function treeReader(format: TreeFormat, own: Partial<AgentReads> = {}): Agent["open"] {
  return deriveReader({
    read: (session, options) => readThread(format, session, options),
    summarize: summarizeTree(format),
    openReading: (session, options) => openTree(format, session, options),
    has_lasting_places: true,
    messages: (session, options) => treeMessages(format, session, options),
    threads: (session) => threadsOfTree(format, session),
    openThreads: (session, options) => openThreadsOfTree(format, session, options),
    usage: (session) => readTreeUsage(format, session),
    readTail: (session, options) => readTreeTail(format, session, options),
    files: (session) => ({
      paths: [session.path, ...(format.subagents?.(session) ?? []).map(({ path }) => path)],
    }),
    ...own,
  });
}

async function* readThread(
  format: TreeFormat,
  session: AgentSession,
  options: AgentReadOptions,
): AsyncGenerator<readonly LogEvent[]> {
  const source = await findThread(format, session, options.thread);
  yield* readPath(format, session, options, { ...source, in_force: options.in_force });
}

async function openTree(
  format: TreeFormat,
  session: AgentSession,
  { lasting = false, ...options }: AgentReadingOptions,
): Promise<SessionReading | undefined> {
  const { thread = MAIN_THREAD } = options;
  const is_one = thread === MAIN_THREAD && (format.subagents?.(session) ?? []).length === 0;
  if (lasting && !is_one) return undefined;
  const source = await findThread(format, session, thread);
  const open = await openPath(format, session, options, source);
  if (lasting && !await isAlone(format, open)) return undefined;
  return {
    from: (place, signal = options.signal) => {
      const read = { ...open, options: { ...options, signal } };
      // A read from a resume point does not know the ids of earlier records. So no read uses ids.
      const part = { place: place as TreePlace | undefined, named: false };
      return pathEvents(format, read, part);
    },
    async stands(place): Promise<boolean> {
      const { at, way, head } = place as TreePlace;
      const { steps, index } = open.path;
      if (at > steps.length || wayTo(index, steps, at) !== way) return false;
      return head === await headOf(format, open);
    },
  };
}

async function isAlone(
  format: TreeFormat,
  { session, path: { index, line } }: OpenPath,
): Promise<boolean> {
  if (otherBranches(format, index, line).length > 0) return false;
  return (await format.innerAgents?.(session.path, index, []) ?? []).length === 0;
}

export async function* treeMessages(
  format: TreeFormat,
  session: AgentSession,
  { tools, reasoning, report, signal, thread }: AgentConversationOptions = {},
): AsyncGenerator<Message[]> {
  const choice: MessageChoice = present({ tools, reasoning });
  const writer = new MessageWriter(choice);
  const source = { ...await findThread(format, session, thread), in_force: true };
  const options = present({ needs: writer.needs, report, signal, in_force: true });
  const open = await openPath(format, session, options, source);
  const { path } = open;
  const { index, steps } = path;
  if (isFolded(format, index, steps)) {
    const events = openedEvents(format, open);
    return yield (await foldBatches(linearConversation(choice), events)).messages;
  }
  const settled = steps.findLastIndex((step) => format.isReplacing?.(index, rowOfStep(step)));
  const { needs } = writer;
  const reading = { session: open.session, writer, needs, report, in_force: true };
  const state = await format.begin(reading, path);
  // A thorough read has already reported all damage.
  const sink = path.thorough || report === undefined ? {} : { report };
  const batches = stepsOf(format, source.path, path, steps, state, {
    ...sink,
    ...{ signal, bodies_only: true },
  });
  let count = 0;
  for await (const batch of batches) {
    for (const { node, records } of batch) format.emit(records, node, state);
    count += batch.length;
    // Messages that a compaction replaces must not be yielded before it.
    if (count <= settled || format.saveState(state) === undefined) continue;
    const messages = writer.take();
    if (messages.length > 0) yield messages;
  }
  format.end?.(state);
  yield writer.takeLast();
}

/** True if the model gets other messages than those of the steps: after a compaction or an edit. */
function isFolded(
  { isCompaction, firstKept, editsBefore }: TreeFormat,
  index: TreeIndex,
  steps: Steps,
): boolean {
  if (firstKept === undefined && editsBefore === undefined) return false;
  return steps.some((step) =>
    isCompaction(index, rowOfStep(step)) || (editsBefore?.(index, rowOfStep(step)) ?? false)
  );
}

async function* readTreeUsage(
  format: TreeFormat,
  session: AgentSession,
): AsyncGenerator<ResponseUsage[]> {
  const usageIn = format.usageReader?.();
  if (usageIn !== undefined) yield* usageIn(session.path);
  else yield* responsesIn(format, session.path, await threadsByOffset(format, session));
  for (const { id: thread, path } of format.subagents?.(session) ?? []) {
    const batches = usageIn?.(path) ?? responsesIn(format, path, new Map());
    for await (const batch of batches) yield batch.map((response) => ({ ...response, thread }));
  }
}

async function* responsesIn(
  { responses, usage_mark }: TreeFormat,
  path: string,
  threads: ReadonlyMap<number, string>,
): AsyncGenerator<ResponseUsage[]> {
  const skip = usage_mark === undefined ? undefined : skipWithout(usage_mark);
  for await (const records of readRecords(path, { skip })) {
    yield records.flatMap((record) =>
      responses?.(record, threads.get(record.position.offset)) ?? []
    );
  }
}

/** Returns the thread ids of records off the live branch, by the records' byte offsets. */
async function threadsByOffset(
  format: TreeFormat,
  { path }: AgentSession,
): Promise<Map<number, string>> {
  const { index, line } = await findPath(format, { path }, { needs: SUMMARY_KINDS });
  const threads = new Map<number, string>();
  for (const { rows } of otherBranches(format, index, line)) {
    const id = recordId(index, rows[0] ?? 0);
    for (const row of rows.flatMap((row) => [row, ...index.pieces.get(row) ?? []])) {
      threads.set(index.offset[row] as number, id);
    }
  }
  return threads;
}
