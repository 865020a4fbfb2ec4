/**
 * The last messages of a Claude Code session, from as much of the end of its file as holds them.
 */
import type { LogEvent } from "../../event/envelope.ts";
import type { AgentSession, AgentTailOptions } from "../../source/agent.ts";
import { isSaid } from "../../projection/unseen_message.ts";
import { EventWriter } from "../../reading/events/event_writer.ts";
import { readEdges } from "../../reading/records/file_edges.ts";
import { messageIdOf, startEmission } from "./emission.ts";
import { indexRecordLines } from "./index/index_records.ts";
import { recordId, type RecordIndex, rowOf } from "./index/record_index.ts";
import { stepsInLines } from "./line_steps.ts";
import { livePath } from "./path/live_path.ts";
import { rowOfStep } from "./path/steps.ts";
import type { ReadStep } from "./read_rows.ts";
import { readSession } from "./read_session.ts";
import { isMain } from "./threads.ts";
import { finishDialogue, startDialogue, takeStep } from "./dialogue.ts";

const FIRST_BYTES = 256 * 1024;
/** Further back it is as well to read all of it. */
const FARTHEST_BYTES = 16 * 1024 * 1024;

/** Reads the last messages; see {@linkcode Agent.readTail}. */
export async function readTail(
  session: AgentSession,
  options: AgentTailOptions,
): Promise<readonly LogEvent[]> {
  if (isMain(options)) {
    const { messages, most_bytes } = options;
    const farthest = messages === Infinity ? 0 : Math.min(FARTHEST_BYTES, most_bytes ?? Infinity);
    for (let bytes = FIRST_BYTES; bytes <= farthest; bytes *= 4) {
      const events = tailEvents(session, options, bytes);
      if (events !== undefined) return events;
    }
    const fewer = { ...options, messages: Infinity };
    const events = most_bytes && tailEvents(session, fewer, most_bytes);
    if (events) return events;
  }
  const events: LogEvent[] = [];
  for await (const batch of readSession(session, options)) events.push(...batch);
  return events;
}

/**
 * The events of the last messages; undefined when they are not all in the last bytes. Of `Infinity`
 * messages those are taken that are there, where the bytes are bounded.
 */
function tailEvents(
  session: AgentSession,
  { messages, needs, most_bytes }: AgentTailOptions,
  bytes: number,
): LogEvent[] | undefined {
  const { head, tail, whole } = readEdges(session.path, { head_bytes: 0, tail_bytes: bytes });
  const lines = [...head, ...tail];
  const index = indexRecordLines(lines);
  const { leaf } = index.side;
  if (!whole && leaf !== undefined && rowOf(index, leaf.id) < 0) return undefined;
  const { steps, broken: [broken] } = livePath(index);
  // Before a record whose parent is further back, what comes is not what it follows.
  const known = broken === undefined || whole
    ? steps
    : steps.slice(steps.findIndex((step) => recordId(index, rowOfStep(step)) === broken.at));
  const read = Array.from(known, stepsInLines(lines, index));
  const from = messages === Infinity
    ? undefined
    : startOfLast({ session, index, steps: read }, messages);
  const takes_all = messages === Infinity && most_bytes !== undefined;
  if (from === undefined && !whole && !takes_all) return undefined;
  const amid_turn = from !== 0 || !whole;
  return eventsOf(index, read.slice(from ?? 0), new EventWriter(session, needs), amid_turn);
}

function eventsOf(
  index: RecordIndex,
  steps: readonly ReadStep[],
  writer: EventWriter,
  amid_turn = false,
): LogEvent[] {
  const dialogue = startDialogue({ ...startEmission(writer, index), amid_turn });
  for (const step of steps) takeStep(dialogue, step);
  finishDialogue(dialogue);
  return writer.take();
}

const MESSAGES = new Set(["user_message", "assistant_message", "assistant_interrupted"] as const);

interface Tail {
  session: AgentSession;
  index: RecordIndex;
  steps: readonly ReadStep[];
}

/** Index of the step that the last messages begin with; undefined when there are not as many. */
function startOfLast({ session, index, steps }: Tail, messages: number): number | undefined {
  let found = 0;
  for (let end = steps.length; end > 0;) {
    let at = end - 1;
    while (isSameAnswer(steps[at] as ReadStep, steps[at - 1])) at--;
    const said = eventsOf(index, steps.slice(at, end), new EventWriter(session, MESSAGES));
    found += said.filter(isSaid).length;
    if (found >= messages) return at;
    end = at;
  }
  return undefined;
}

function isSameAnswer(one: ReadStep, other: ReadStep | undefined): boolean {
  const id = responseIn(one);
  return id !== undefined && other !== undefined && responseIn(other) === id;
}

function responseIn({ step, record }: ReadStep): string | undefined {
  return record?.value.type === "assistant"
    ? messageIdOf({ row: rowOfStep(step), record })
    : undefined;
}
