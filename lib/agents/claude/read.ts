/**
 * A Claude Code session as events: what it is, then the records of the branch from the root on.
 */
import type { LogEvent } from "../../event/envelope.ts";
import type { Message } from "../../event/message.ts";
import type { EventKind } from "../../event/payload.ts";
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import { EventWriter } from "../event_writer.ts";
import { asObject } from "../json_value.ts";
import { count, countSide } from "../../source/source_account.ts";
import { isSentAgain } from "./attached.ts";
import { messagesOf } from "./compaction_events.ts";
import { startEmission, type TalkRecord } from "./emission.ts";
import { FIRST_STEPS, givenTitle, standInTitle, toStarted } from "./header.ts";
import { type PathStep, withSiblings } from "./answer_siblings.ts";
import { isPassing } from "./live_leaf.ts";
import { findLivePath, type LivePath, reportBroken } from "./live_path.ts";
import { preservedNodes } from "./preserved.ts";
import { type ReadStep, readSteps } from "./read_steps.ts";
import type { TalkNode } from "./talk_node.ts";
import { finishTalk, startTalk, takeStep } from "./talk.ts";

/** Events that are held back until it is known that no line was mistaken for a whole one. */
const HELD_BATCHES = 8;

/** Reads a session; see {@linkcode Agent.read}. */
export async function* readSession(
  session: AgentSession,
  options: AgentReadOptions = {},
): AsyncGenerator<readonly LogEvent[]> {
  const live = await findLivePath(session, options);
  let held: (readonly LogEvent[])[] | undefined = live.thorough ? undefined : [];
  for await (const { events, mistaken } of readLive(session, live, options)) {
    if (held === undefined) {
      yield events;
    } else if (mistaken) {
      yield* readThorough(session, options);
      return;
    } else {
      held.push(events);
      if (options.in_force || held.length < HELD_BATCHES) continue;
      yield* held;
      held = undefined;
    }
  }
  if (held !== undefined) yield* held;
}

async function* readThorough(
  session: AgentSession,
  options: AgentReadOptions,
): AsyncGenerator<readonly LogEvent[]> {
  const live = await findLivePath(session, options, true);
  for await (const { events } of readLive(session, live, options)) yield events;
}

interface ReadBatch {
  events: readonly LogEvent[];
  /** A line held something else than its ends told of. */
  mistaken: boolean;
}

async function* readLive(
  session: AgentSession,
  live: LivePath,
  options: AgentReadOptions,
): AsyncGenerator<ReadBatch> {
  const { signal, report, account, needs } = options;
  accountFor(live, options);
  reportBroken(live, report);
  if (live.steps.length === 0) return;
  const writer = new EventWriter(session, needs);
  const talk = startTalk(startEmission(writer));
  const forked = await emitHeader(session, live, writer);
  // In a thorough look all damage was reported already.
  const sink = { signal, report: live.thorough ? undefined : report };
  // What is a copy in a fork is told by seqs, and those by all that is said.
  const skipped = !forked && needs?.isSubsetOf(OF_ANSWERS) === true;
  const needed = (node: TalkNode): boolean =>
    !node.damaged && !(skipped && node.results) && (writer.wants("extension") || isNeeded(node));
  const last = live.steps.findLastIndex(({ node }) => node.boundary !== undefined);
  for await (const batch of readSteps(session.path, live.steps, needed, sink)) {
    let mistaken = false;
    for (const read of batch) {
      const { step, record } = read;
      mistaken ||= record === undefined && needed(step.node);
      // What an earlier compaction kept, the last one replaced.
      const preserved = step === live.steps[last] ? await preservedBy(session, live, read) : [];
      const taken = takeStep(talk, read, preserved);
      if (step.sibling && !step.node.damaged) {
        count(account, taken ? "events" : "dead", step.node.length);
      }
    }
    yield { events: writer.take(), mistaken };
  }
  finishTalk(talk);
  yield { events: writer.take(), mistaken: false };
}

/** Kinds to which results of calls, most of a session's bytes, add nothing. */
const OF_ANSWERS: ReadonlySet<EventKind> = new Set([
  "session_started",
  "session_renamed",
  "assistant_message",
]);

/** What is said, and what becomes of it; all else is an extension. */
function isNeeded({ type, subtype, boundary }: TalkNode): boolean {
  if (type === "system") return boundary !== undefined || subtype === "local_command";
  return type !== "attachment" || subtype === "queued_command" || isSentAgain(subtype);
}

/** Adds the first event, and the title; gives whether the session is a fork. */
async function emitHeader(
  session: AgentSession,
  live: LivePath,
  writer: EventWriter,
): Promise<boolean> {
  const first: TalkRecord[] = [];
  const asked = writer.wants("session_started");
  const steps = asked ? firstSteps(live).slice(0, FIRST_STEPS) : [];
  for await (const batch of readSteps(session.path, steps, () => true)) {
    for (const { step, record } of batch) {
      if (record !== undefined) first.push({ node: step.node, record });
    }
  }
  const started = toStarted(session, live.index, first);
  if (started.parent !== undefined) {
    started.parent.seq = await copiedSeq(session, live);
  }
  const given = givenTitle(live.index);
  const title = given === undefined ? standInTitle(live.index, live.steps, first) : undefined;
  if (title !== undefined) started.title = title;
  writer.emit("session_started", started, { time: started.created_at, record: first[0]?.record });
  if (given !== undefined) writer.emit("session_renamed", { title: given });
  return started.parent !== undefined;
}

/** The first records: of what is in force, where the branch is not known so far back, of the file. */
function firstSteps({ steps, index }: LivePath): readonly PathStep[] {
  return steps[0]?.node.boundary === undefined ? steps : index.nodes.map((node) => ({ node }));
}

/** The seq up to which a fork's events are copies: their records say where they came from. */
async function copiedSeq(session: AgentSession, { steps }: LivePath): Promise<number> {
  const writer = new EventWriter(session, new Set());
  const talk = startTalk(startEmission(writer));
  writer.skip();
  for await (const batch of readSteps(session.path, steps, () => true)) {
    for (const read of batch) {
      if (read.record === undefined) continue;
      if (asObject(read.record.value.forkedFrom).sessionId === undefined) {
        finishTalk(talk);
        return writer.seq;
      }
      takeStep(talk, read, []);
    }
  }
  finishTalk(talk);
  return writer.seq;
}

/** The messages that a compaction keeps of what was before it. */
async function preservedBy(
  session: AgentSession,
  { index }: LivePath,
  { step: { node }, record }: ReadStep,
): Promise<Message[]> {
  if (node.boundary?.anchor_id === undefined || record === undefined) return [];
  // In a fork they stand behind it, and are read there.
  const before = preservedNodes(index, node).filter(({ order }) => order < node.order);
  const steps = withSiblings(index, before);
  const writer = new EventWriter(session);
  const talk = startTalk(startEmission(writer));
  for await (const batch of readSteps(session.path, steps, isNeeded)) {
    for (const read of batch) takeStep(talk, read, []);
  }
  finishTalk(talk);
  return messagesOf(writer.take());
}

/** Every record is on the branch, on another one, or no part of the talk; the damaged were counted. */
function accountFor({ index, steps }: LivePath, { account }: AgentReadOptions): void {
  if (account === undefined) return;
  const live = new Map(steps.map((step) => [step.node, step]));
  for (const node of index.nodes.filter(({ damaged }) => !damaged)) {
    const step = live.get(node);
    if (step !== undefined) {
      if (!step.sibling) count(account, "events", node.length);
    } else if (isPassing(node) || node.sidechain) {
      countSide(account, node.sidechain ? "sidechain" : node.type, node.length);
    } else count(account, "dead", node.length);
  }
}
