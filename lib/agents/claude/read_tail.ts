/**
 * The last messages of a Claude Code session, from as much of the end of its file as holds them.
 */
import { contentFor } from "../../event/audience.ts";
import type { Content } from "../../event/message.ts";
import type { LogEvent } from "../../event/envelope.ts";
import type { AgentSession, AgentTailOptions } from "../../source/agent.ts";
import { EventWriter } from "../event_writer.ts";
import { readEdges } from "../file_edges.ts";
import { recordsInLines } from "../records_in_lines.ts";
import { startEmission } from "./emission.ts";
import { livePath } from "./live_path.ts";
import { readSession } from "./read.ts";
import type { ReadStep } from "./read_steps.ts";
import { indexRecordLines } from "./record_index.ts";
import { finishTalk, startTalk, takeStep } from "./talk.ts";

const FIRST_BYTES = 256 * 1024;
/** Further back it is as well to read all of it. */
const FARTHEST_BYTES = 16 * 1024 * 1024;

/** Reads the last messages; see {@linkcode Agent.readTail}. */
export async function readTail(
  session: AgentSession,
  options: AgentTailOptions,
): Promise<readonly LogEvent[]> {
  if (options.thread === undefined) {
    for (let bytes = FIRST_BYTES; bytes <= FARTHEST_BYTES; bytes *= 4) {
      const events = tailEvents(session, options, bytes);
      if (events !== undefined) return events;
    }
  }
  const events: LogEvent[] = [];
  for await (const batch of readSession(session, options)) events.push(...batch);
  return events;
}

/** The events of the last messages; undefined when they are not all in the last bytes. */
function tailEvents(
  session: AgentSession,
  { messages, needs }: AgentTailOptions,
  bytes: number,
): LogEvent[] | undefined {
  const { head, tail, whole } = readEdges(session.path, { head_bytes: 0, tail_bytes: bytes });
  const lines = [...head, ...tail];
  const index = indexRecordLines(lines);
  const { side: { leaf }, tree } = index;
  if (!whole && leaf !== undefined && !tree.has(leaf.id)) return undefined;
  const { steps, broken: [broken] } = livePath(index);
  // Before a record whose parent is further back, what comes is not what it follows.
  const known = broken === undefined || whole
    ? steps
    : steps.slice(steps.findIndex(({ node }) => node.id === broken.at));
  const records = recordsInLines(lines);
  const read = known.map((step): ReadStep => {
    const record = records.record(step.node);
    return record === undefined ? { step } : { step, record };
  });
  const from = startOfLast(session, read, messages);
  if (from === undefined && !whole) return undefined;
  return eventsOf(read.slice(from ?? 0), new EventWriter(session, needs));
}

function eventsOf(steps: readonly ReadStep[], writer: EventWriter): LogEvent[] {
  const talk = startTalk(startEmission(writer));
  for (const step of steps) takeStep(talk, step, []);
  finishTalk(talk);
  return writer.take();
}

const MESSAGES = new Set(["user_message", "assistant_message", "assistant_interrupted"] as const);

/** Index of the step that the last messages begin with; undefined when there are not as many. */
function startOfLast(
  session: AgentSession,
  steps: readonly ReadStep[],
  messages: number,
): number | undefined {
  let found = 0;
  for (let end = steps.length; end > 0;) {
    let at = end - 1;
    while (isSameAnswer(steps[at] as ReadStep, steps[at - 1])) at--;
    const said = eventsOf(steps.slice(at, end), new EventWriter(session, MESSAGES));
    found += said.filter(isSaid).length;
    if (found >= messages) return at;
    end = at;
  }
  return undefined;
}

function isSaid(event: LogEvent): boolean {
  return event.form === "known" && "content" in event.payload &&
    contentFor(event.payload.content as Content, "user").length > 0;
}

function isSameAnswer({ step: { node } }: ReadStep, other: ReadStep | undefined): boolean {
  return node.message_id !== undefined && node.message_id === other?.step.node.message_id;
}
