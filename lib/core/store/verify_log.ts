/**
 * Verifies a whole log: every byte is accounted for, and every event is in its place.
 *
 * @module
 */
import type { KnownEvent, LinePosition, LogEvent } from "../event/envelope.ts";
import { isMessageKind, openedCalls, recordsStarts, startedCall } from "../event/opened_calls.ts";
import type { ByteTally, DiagnosticCode, Report } from "../log/diagnostic.ts";
import { emptyTally } from "../log/parse_state.ts";
import { readEvents, type ReadEventsOptions } from "../log/read_events.ts";
import { BranchPath, type BranchPoint, branchPoint } from "../projection/branch_path.ts";
import { isUsableCompaction } from "../projection/conversation/conversation.ts";
import { addSeq, findRun, type SeqRun } from "../projection/seq_runs.ts";
import { applySummary, summary, type SummaryState } from "../projection/summary.ts";
import { BRANCH_KINDS, branchesAmong, eventsOfKinds } from "./log_branches.ts";

/**
 * Verifies a log: reports all that is wrong with its bytes and with the order of its events.
 *
 * @param path The log.
 * @param report Gets every finding, in the order of the file; findings about the end come last.
 * @returns Numbers of bytes that belong to events, to damage, and to blank lines.
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm, writeFile } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { verifyLog } from "@reprise/reprise/pipeline";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const path = join(root, "log.jsonl");
 * await writeFile(path, "noise\n");
 * const tally = await verifyLog(path, ({ code }) => assert.equal(code, "malformed-line"));
 * assert.deepEqual(tally, { bytes: 6, events: 0, damage: 6, blank: 0 });
 * await rm(root, { recursive: true });
 * ```
 */
export async function verifyLog(path: string, report: Report): Promise<ByteTally> {
  return await verifyEvents((options) => readEvents(path, options), report);
}

/** Verifies events from any source like {@linkcode verifyLog}. Calls `read` twice. */
export async function verifyEvents(
  read: (options: ReadEventsOptions) => AsyncIterable<readonly LogEvent[]>,
  report: Report,
): Promise<ByteTally> {
  const tally = emptyTally();
  const audit = startAudit(report);
  const branches = branchesAmong(await eventsOfKinds(read({ kinds: BRANCH_KINDS }), BRANCH_KINDS));
  for (const { from_seq } of branches) audit.kept.set(from_seq, new Map());
  for await (const events of read({ report, tally })) {
    for (const event of events) auditEvent(audit, event);
  }
  finishAudit(audit);
  return tally;
}

const NOWHERE: LinePosition = { offset: 0, length: 0, line: 0 };

interface OpenCall {
  at: LinePosition;
  name: string;
  /** True if a model response contains the call, but no event records the call's start. */
  waiting: boolean;
}

interface Audit {
  readonly report: Report;
  summary: SummaryState;
  /** Calls without an end so far, by `call_id`, the latest last. */
  open: Map<string, OpenCall[]>;
  /** Copies of `open` at the events from which branches begin, by the event's number. */
  kept: Map<number, Map<string, OpenCall[]>>;
  /** Calls without an end on branches that the session left. */
  left: Set<OpenCall>;
  branches: BranchPoint[];
  /** The sequence numbers so far. A valid `first_kept_seq` is one of them. */
  runs: SeqRun[];
  /** Number of findings in `summary` that were reported already. */
  reported: number;
}

function startAudit(report: Report): Audit {
  return {
    report,
    summary: summary().initial(),
    open: new Map(),
    kept: new Map(),
    left: new Set(),
    branches: [],
    runs: [],
    reported: 0,
  };
}

function auditEvent(audit: Audit, event: LogEvent): void {
  const at = event.position ?? NOWHERE;
  if (event.form === "known") auditKnown(audit, event, at);
  if (audit.kept.has(event.seq)) audit.kept.set(event.seq, copyOf(audit.open));
  addSeq(audit.runs, event.seq, 0);
  audit.summary = applySummary(audit.summary, event);
  for (const { code, detail } of audit.summary.findings.slice(audit.reported)) {
    find(audit, code, at, detail);
  }
  audit.reported = audit.summary.findings.length;
}

function finishAudit(audit: Audit): void {
  const { started, last_seq } = audit.summary;
  if (started === undefined && last_seq !== undefined) {
    find(audit, "missing-header", NOWHERE, "the log has no header");
  }
  const open = [...new Set([...audit.left, ...[...audit.open.values()].flat()])].sort((a, b) =>
    a.at.offset - b.at.offset
  );
  for (const { at, name, waiting } of open) {
    const why = waiting ? "was not run" : "did not finish";
    find(audit, "unsettled-call", at, `${name} ${why}`);
  }
}

function find(audit: Audit, code: DiagnosticCode, at: LinePosition, detail: string): void {
  audit.report({ code, offset: at.offset, length: at.length, line: at.line, detail });
}

function auditKnown(audit: Audit, event: KnownEvent, at: LinePosition): void {
  for (const { call_id, name } of openedCalls(event)) {
    const call = {
      at,
      name: `${name} ${call_id}`,
      waiting: isMessageKind(event.kind) && recordsStarts(event),
    };
    const open = audit.open.get(call_id);
    if (open === undefined) audit.open.set(call_id, [call]);
    else open.push(call);
  }
  const started = startedCall(event);
  if (started !== undefined && !beginCall(audit, started)) {
    const detail = `the tool call ${started} was started, but no answer of the model contains ` +
      "this call";
    find(audit, "orphan-settlement", at, detail);
  }
  switch (event.kind) {
    case "tool_end":
    case "bash_end": {
      const { call_id } = event.payload;
      const open = audit.open.get(call_id);
      if (open?.pop() === undefined) {
        find(audit, "orphan-settlement", at, `${callName(event.payload)} ${call_id} has no start`);
      }
      if (open?.length === 0) audit.open.delete(call_id);
      break;
    }
    case "conversation_branched": {
      const branch = branchPoint(event);
      if (branch === undefined) {
        find(
          audit,
          "invalid-branch",
          at,
          "the branch does not name the earlier event at which it begins (from_seq)",
        );
      } else goBack(audit, branch);
      break;
    }
    case "compaction_applied": {
      const fault = compactionFault(audit, event);
      if (fault !== undefined) find(audit, "invalid-compaction", at, fault);
      break;
    }
    default:
  }
}

/** Restores the calls that were open at the event from which the branch begins. */
function goBack(audit: Audit, branch: BranchPoint): void {
  const { from_seq } = branch;
  for (const call of [...audit.open.values()].flat()) audit.left.add(call);
  audit.open = copyOf(audit.kept.get(from_seq) ?? new Map());
  // A call that is open again is told once.
  for (const call of [...audit.open.values()].flat()) audit.left.delete(call);
  audit.branches.push(branch);
}

function copyOf(open: ReadonlyMap<string, OpenCall[]>): Map<string, OpenCall[]> {
  return new Map([...open].map(([id, calls]) => [id, [...calls]]));
}

/** Marks the latest declared call of an id as started; false if no call of that id is open. */
function beginCall({ open }: Audit, call_id: string): boolean {
  const calls = open.get(call_id);
  const declared = calls?.findLast(({ waiting }) => waiting);
  if (declared !== undefined) declared.waiting = false;
  return calls !== undefined;
}

function callName(payload: { name: string } | { command: string }): string {
  return "name" in payload ? payload.name : "bash";
}

function compactionFault(
  { runs, branches }: Audit,
  { seq, payload }: KnownEvent & { kind: "compaction_applied" },
): string | undefined {
  if (payload.status_only) return undefined;
  if (!isUsableCompaction(payload)) return "the compaction has neither messages nor a summary";
  const { messages, first_kept_seq } = payload;
  if (messages !== undefined || first_kept_seq === undefined) return undefined;
  const named = first_kept_seq < seq && findRun(runs, first_kept_seq) !== undefined &&
    new BranchPath(branches).has(first_kept_seq);
  return named
    ? undefined
    : `first_kept_seq of this compaction is ${first_kept_seq}, but no event before the compaction has this number`;
}
