/**
 * A thread of Codex as our events.
 */
import type { LogEvent } from "../../event/envelope.ts";
import type { Line } from "../../log/line_splitter.ts";
import type { AgentReadOptions } from "../agent.ts";
import { EventWriter } from "../event_writer.ts";
import { count } from "../source_account.ts";
import { applyLine, applyRecord, endRollout } from "./apply_record.ts";
import { followHistory } from "./history.ts";
import { lineFilter } from "./line_filter.ts";
import { readLineage } from "./lineage.ts";
import { resumeStretches } from "./resume_point.ts";
import { type DeadRanges, findDeadRanges, isDead } from "./rollback.ts";
import { type CodexSession, endAnswer, type Rollout, startRollout } from "./rollout.ts";
import { readDocument } from "./rollout_document.ts";
import { readRolloutHead } from "./rollout_head.ts";
import { rolloutLines, type RolloutStretch } from "./rollout_lines.ts";
import { rolloutForm } from "./rollout_name.ts";
import { withForkTitle, withName } from "./thread_title.ts";

/** What to read, and what of it is dead. */
interface Plan {
  stretches: readonly RolloutStretch[];
  dead: DeadRanges;
}

/**
 * The events of a thread. Where only what is in force is asked for, what a compaction replaced is not
 * read: the numbers of the events then begin there.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function* readCodex(
  session: CodexSession,
  options: AgentReadOptions = {},
): AsyncGenerator<LogEvent[]> {
  const { needs, account, report } = options;
  const writer = new EventWriter(session, needs);
  if (rolloutForm(session.path) === "document") {
    const rollout = startRollout(withName(session), writer);
    rollout.account = account;
    followHistory(rollout);
    for (const record of readDocument(session.path, { report, account })) {
      applyRecord(rollout, record);
    }
    endRollout(rollout);
    yield writer.take();
    return;
  }
  const lineage = await readLineage(session.path, report);
  const forked = lineage.length > 1;
  const rollout = startRollout(forked ? await withForkTitle(session) : withName(session), writer);
  followHistory(rollout);
  if (forked) rollout.meta = await readRolloutHead(session.path);
  const plan = await planOf(lineage, options);
  for (const [index, stretch] of plan.stretches.entries()) {
    yield* readStretch(rollout, plan, index, stretch, options);
  }
  endRollout(rollout);
  yield writer.take();
}

async function planOf(lineage: RolloutStretch[], options: AgentReadOptions): Promise<Plan> {
  const { in_force = false, account, branch, signal } = options;
  if (in_force && account === undefined && branch === undefined) {
    const stretches = await resumeStretches(lineage, signal);
    if (stretches !== undefined) return { stretches, dead: [] };
  }
  return { stretches: lineage, dead: await findDeadRanges(lineage, branch) };
}

async function* readStretch(
  rollout: Rollout,
  { stretches, dead }: Plan,
  index: number,
  stretch: RolloutStretch,
  { needs, account, report, signal }: AgentReadOptions,
): AsyncGenerator<LogEvent[]> {
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
