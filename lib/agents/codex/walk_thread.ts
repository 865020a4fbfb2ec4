/**
 * Goes through a thread of Codex: the stretches of its files, without what was taken back.
 */
import type { Line } from "../../log/line_splitter.ts";
import type { AgentReadOptions } from "../../source/agent.ts";
import type { EventSink } from "../event_writer.ts";
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
import { withForkTitle, withName } from "./thread_title.ts";

/** Which rollout is read for a thread, and what of it is not there. */
export interface ChosenThread {
  session: CodexSession;
  /** What was not there; absent for what is dead today. */
  dead?: DeadRanges;
}

/**
 * Writes what a thread says to `writer`, a batch of lines at a time; gives after each whether what
 * was written so far may still be replaced.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function* walkThread(
  { session, dead }: ChosenThread,
  writer: EventSink,
  options: AgentReadOptions,
): AsyncGenerator<{ settled: boolean }> {
  if (rolloutForm(session.path) === "document") {
    writeDocument(startRollout(withName(session), writer), options);
    return;
  }
  const lineage = await readLineage(session.path, options.report);
  const forked = lineage.length > 1;
  const rollout = startRollout(forked ? await withForkTitle(session) : withName(session), writer);
  if (forked) rollout.meta = await readRolloutHead(session.path);
  const plan = await planRead(lineage, options, dead);
  for (const index of plan.stretches.keys()) {
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
  { needs, account, report, signal }: AgentReadOptions,
): AsyncGenerator<void> {
  const stretch = stretches[index] as RolloutStretch;
  rollout.inherited = index < stretches.length - 1;
  // What is inherited belongs to another file: it is counted, and its damage told, there.
  rollout.account = rollout.inherited ? undefined : account;
  const sink = rollout.inherited ? {} : { report, account };
  const filter = lineFilter(needs);
  const whole = dead.length === 0;
  for await (const lines of rolloutLines(stretch, { report: sink.report, signal })) {
    for (const line of lines) {
      if (whole || !isDead(dead, index, line.offset)) applyLine(rollout, line, filter, sink);
      else skipDead(rollout, line);
    }
    yield;
  }
}

function skipDead(rollout: Rollout, line: Line): void {
  endAnswer(rollout);
  count(rollout.account, "dead", line.length);
}
