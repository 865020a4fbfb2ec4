/**
 * Goes through a thread of Codex: the stretches of its files, without what was taken back.
 */
import type { Line } from "../../log/line_splitter.ts";
import type { AgentReadOptions } from "../../source/agent.ts";
import type { EventSink } from "../../reading/events/event_writer.ts";
import { count } from "../../source/source_account.ts";
import { applyLine, applyRecord, endRollout } from "./apply_record.ts";
import { lineFilter } from "./line_filter.ts";
import { readLineage } from "./lineage.ts";
import { planRead, type ReadPlan } from "./read_plan.ts";
import { type DeadRanges, isDead } from "./rollback.ts";
import { type CodexSession, endAnswer, type Rollout, startRollout } from "./rollout.ts";
import { readDocument } from "./rollout_document.ts";
import { readRolloutHead } from "./rollout_head.ts";
import { rolloutLines, type RolloutStretch } from "./rollout_lines.ts";
import { rolloutForm } from "./rollout_name.ts";
import type { RolloutRecord } from "./rollout_record.ts";
import { goTo, type ThreadPlace } from "./thread_place.ts";
import { withForkTitle, withName } from "./thread_title.ts";

/** Which rollout is read for a thread, and what of it is not there. */
export interface ChosenThread {
  session: CodexSession;
  /** What was not there; absent for what is dead today. */
  dead?: DeadRanges;
}

/** A thread whose stretches are found. */
export interface OpenThread {
  session: CodexSession;
  /** The head of a fork: it is met only behind what it continues. */
  head: RolloutRecord | undefined;
  plan: ReadPlan;
}

/** How to go through a thread. */
export interface WalkOptions extends AgentReadOptions {
  /** Where to begin: behind a line that was met before. */
  from?: ThreadPlace | undefined;
  /** Called behind each line, with the place there. */
  onLine?: (rollout: Rollout, where: Pick<ThreadPlace, "stretch" | "offset" | "line">) => void;
}

/**
 * Writes what a thread says to `writer`, a batch of lines at a time; gives after each whether what
 * was written so far may still be replaced.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function* walkThread(
  chosen: ChosenThread,
  writer: EventSink,
  options: AgentReadOptions,
): AsyncGenerator<{ settled: boolean }> {
  const { session } = chosen;
  if (rolloutForm(session.path) !== "document") {
    return yield* walkOpened(await openThread(chosen, options), writer, options);
  }
  writeDocument(startRollout(withName(session), writer), options);
}

/** Finds the stretches of a thread. */
export async function openThread(
  { session, dead }: ChosenThread,
  options: AgentReadOptions,
): Promise<OpenThread> {
  const lineage = await readLineage(session.path, options.report);
  const forked = lineage.length > 1;
  return {
    session: forked ? await withForkTitle(session) : withName(session),
    head: forked ? await readRolloutHead(session.path) : undefined,
    plan: await planRead(lineage, options, dead),
  };
}

/** Goes through a thread that was found; see {@linkcode walkThread}. */
export async function* walkOpened(
  { session, head, plan }: OpenThread,
  writer: EventSink,
  options: WalkOptions,
): AsyncGenerator<{ settled: boolean }> {
  const rollout = startRollout(session, writer);
  rollout.meta = head;
  if (options.from !== undefined) goTo(rollout, options.from);
  for (let index = options.from?.stretch ?? 0; index < plan.stretches.length; index++) {
    for await (const _ of walkStretch(rollout, plan, index, options)) yield plan;
  }
  endRollout(rollout);
}

function writeDocument(rollout: Rollout, { report, account }: AgentReadOptions): void {
  rollout.account = account;
  for (const record of readDocument(rollout.session.path, { report, account })) {
    applyRecord(rollout, record);
  }
  endRollout(rollout);
}

async function* walkStretch(
  rollout: Rollout,
  { stretches, dead }: ReadPlan,
  index: number,
  { needs, account, report, signal, from, onLine }: WalkOptions,
): AsyncGenerator<void> {
  const whole = stretches[index] as RolloutStretch;
  const stretch = from?.stretch === index
    ? { ...whole, from: from.offset, line: from.line }
    : whole;
  rollout.inherited = index < stretches.length - 1;
  // What is inherited belongs to another file: it is counted, and its damage told, there.
  rollout.account = rollout.inherited ? undefined : account;
  const sink = rollout.inherited ? {} : { report, account };
  const filter = lineFilter(needs);
  const all = dead.length === 0;
  for await (const lines of rolloutLines(stretch, { report: sink.report, signal })) {
    for (const line of lines) {
      if (all || !isDead(dead, index, line.offset)) applyLine(rollout, line, filter, sink);
      else skipDead(rollout, line);
      onLine?.(rollout, {
        stretch: index,
        offset: line.offset + line.length,
        line: line.line + 1,
      });
    }
    yield;
  }
}

function skipDead(rollout: Rollout, line: Line): void {
  endAnswer(rollout);
  count(rollout.account, "dead", line.length);
}
