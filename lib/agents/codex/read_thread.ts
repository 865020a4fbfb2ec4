/**
 * A thread of Codex as our events.
 */
import type { LogEvent } from "../../event/envelope.ts";
import type { Line } from "../../log/line_splitter.ts";
import type { AgentReadOptions } from "../../source/agent.ts";
import { EventWriter } from "../event_writer.ts";
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

/** Reads a thread; see {@linkcode readCodex}. */
export async function* readThread(
  { session, dead }: ChosenThread,
  options: AgentReadOptions = {},
): AsyncGenerator<LogEvent[]> {
  const { needs, report } = options;
  const writer = new EventWriter(session, needs);
  if (rolloutForm(session.path) === "document") {
    writeDocument(startRollout(withName(session), writer), options);
    yield writer.take();
    return;
  }
  const lineage = await readLineage(session.path, report);
  const forked = lineage.length > 1;
  const rollout = startRollout(forked ? await withForkTitle(session) : withName(session), writer);
  if (forked) rollout.meta = await readRolloutHead(session.path);
  const plan = await planRead(lineage, options, dead);
  for (const [index, stretch] of plan.stretches.entries()) {
    yield* readStretch(rollout, plan, index, stretch, options);
  }
  endRollout(rollout);
  yield writer.take();
}

function writeDocument(rollout: Rollout, { report, account }: AgentReadOptions): void {
  rollout.account = account;
  for (const record of readDocument(rollout.session.path, { report, account })) {
    applyRecord(rollout, record);
  }
  endRollout(rollout);
}

async function* readStretch(
  rollout: Rollout,
  { stretches, dead }: ReadPlan,
  index: number,
  stretch: RolloutStretch,
  { needs, account, report, signal }: AgentReadOptions,
): AsyncGenerator<LogEvent[]> {
  rollout.stretch = index;
  rollout.inherited = index < stretches.length - 1;
  // What is inherited belongs to another file: it is counted, and its damage told, there.
  rollout.account = rollout.inherited ? undefined : account;
  const sink = rollout.inherited ? {} : { report, account };
  const filter = lineFilter(needs);
  for await (const lines of rolloutLines(stretch, { report: sink.report, signal })) {
    for (const line of lines) {
      if (isDead(dead, index, line.offset)) skipDead(rollout, line);
      else applyLine(rollout, line, filter, sink);
    }
    const events = rollout.writer.take();
    if (events.length > 0) yield events;
  }
}

function skipDead(rollout: Rollout, line: Line): void {
  endAnswer(rollout);
  count(rollout.account, "dead", line.length);
}
