/**
 * Examines a session: its faults, and what a repair would do. Nothing is changed.
 *
 * @module
 */
import { basename, join } from "node:path";
import { present } from "../../core/event/present.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { descriptorOf, openReader } from "../../library/machine/registry.ts";
import { SessionHandle } from "../../library/handle/session_handle.ts";
import { TemporaryFolder } from "../../core/log/temporary_folder.ts";
import { mkdirSync } from "../../core/platform/files.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import type { ClientEnd, LineRepair, SessionRepair } from "../../agents/contract/session_repair.ts";
import { LEAST_TRIM_BYTES } from "./cut_strings.ts";
import type { RecordPlan, RepairFinding } from "./finding.ts";
import { planRecords, type RecordRules } from "./record_rules.ts";
import { clientBytes, repairedBytes, type RepairedOptions } from "./repaired_bytes.ts";
import { surveySession } from "./survey_session.ts";
import { writeBytes } from "./write_bytes.ts";

/** Options of a repair. By default, a repair makes no guesses and cuts nothing off. */
export interface RepairOptions {
  /** True to link each record without a parent to the record before it. This is a guess. */
  relink?: boolean;
  /** The working directory to write into a lost header, if no record of the session names it. */
  cwd?: string;
  /** Maximum bytes of a tool's output. Longer outputs lose content. @default {nothing is cut} */
  trim_output_bytes?: number;
  /** Returns the current time. @default {the system's} */
  now?: () => Date;
  /** Maximum bytes of a line in memory. Longer lines are read in pieces. @default {67108864} */
  max_line_bytes?: number;
  /** Stops the examination when aborted. */
  signal?: AbortSignal;
}

/** The faults of a session, and the result that a repair would have. */
export interface RepairReport {
  /** Absolute path of the session's file. */
  path: string;
  /** Size of the file in bytes. */
  bytes: number;
  /** The first thousand faults, in the order of the file. */
  findings: RepairFinding[];
  /** Number of faults after the first thousand, which `findings` leaves out. */
  more_findings: number;
  /** True if a repair changes something. */
  repairable: boolean;
  /** The way in which the client fails on the session. Absent if the client can continue it. */
  client?: "refuses" | "wipes" | "hangs" | "does-not-find";
  /** Numbers of messages that the client sends to the model: now, and after a repair. */
  messages: { before: number; after: number };
}

export interface PlannedRepair {
  report: RepairReport;
  repair: LineRepair;
  options: RepairedOptions;
}

/**
 * Reports the faults of another agent's session, and what a repair would do. The session is not
 * changed.
 *
 * @param session The session, as a library opens it.
 * @param options Options that allow guesses, and cutting long outputs.
 * @returns The findings, and the numbers of messages before and after.
 * @throws {SessionError} `unsupported-source` if its agent's sessions cannot be repaired; `damaged`
 * if no record would be left; `not-found`, `permission`, `io`, `disk-full`
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm, writeFile } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { openLibrary } from "@reprise/reprise/library";
 * import { examineSession } from "@reprise/reprise/repair";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const path = `${root}/session.jsonl`;
 * const header = '{"type":"session","version":3,"id":"a","timestamp":"2026-11-22T10:00:00Z","cwd":"/p"}';
 * const prompt = '{"type":"message","id":"b","parentId":null,"timestamp":"2026-11-22T10:00:01Z",' +
 *   '"message":{"role":"user","content":"Hello","timestamp":1}}';
 * await writeFile(path, `${header}\n${prompt}\n{"type":"mess`);
 *
 * const library = openLibrary({ root, variable: () => root });
 * const { findings, messages } = await examineSession(await library.open(path));
 * assert.deepEqual(findings.map(({ damage, line }) => [damage, line]), [["torn-end", 3]]);
 * assert.deepEqual(messages, { before: 1, after: 1 });
 * await rm(root, { recursive: true });
 * ```
 */
export async function examineSession(
  session: SessionHandle,
  options: RepairOptions = {},
): Promise<RepairReport> {
  return (await planRepair(session, options)).report;
}

export async function loadRepair({ agent, path, log }: SessionHandle): Promise<SessionRepair> {
  const { loadRepair, title } = descriptorOf(agent);
  if (loadRepair !== undefined) return await loadRepair();
  const reason = log === undefined
    ? `sessions of ${title} cannot be repaired`
    : "Reprise never rewrites its own logs; to write a clean copy: reprise repair REF --out FILE";
  throw new SessionError("unsupported-source", `Cannot repair session: ${reason}: ${path}`, {
    path,
  });
}

export async function planRepair(
  handle: SessionHandle,
  options: RepairOptions,
): Promise<PlannedRepair> {
  const { session, path } = handle;
  const repair = await lineRepair(handle, options);
  const { trim_output_bytes, max_line_bytes, signal } = options;
  const reading = { trim_output_bytes, max_line_bytes, signal };
  const survey = await surveySession(path, repair, reading);
  if (survey.rules.count === 0) throw unrepairable(`no readable record is left in ${path}`, path);
  const { relink = false, cwd, now = () => new Date() } = options;
  const directory = cwd === undefined ? {} : { directory: cwd };
  const { id, cwd: located } = session;
  const file = present({ id, path, cwd: located });
  const lost = { ...file, ...directory, now: now().toISOString() };
  const plan = planRecords(survey.rules, { relink, lost });
  if (isEmptied(survey.rules, plan)) {
    throw unrepairable(
      `the session has only tool results, and their calls are missing: ${path}`,
      path,
    );
  }
  const findings = [...survey.findings, ...plan.findings]
    .toSorted((one, other) => one.offset - other.offset || one.length - other.length)
    .map((finding) => withToday(finding, repair));
  const end = endOf(repair, plan, survey.damages);
  const report: RepairReport = present({
    path,
    bytes: survey.bytes,
    findings,
    more_findings: survey.more,
    repairable: findings.some(({ repair }) => repair !== undefined),
    client: end,
    messages: { before: 0, after: 0 },
  });
  const writing: RepairedOptions = { ...reading, repair, plan };
  report.messages = await messagesOf(handle, report, writing);
  return { report, repair, options: writing };
}

function unrepairable(reason: string, path: string): SessionError {
  return new SessionError("damaged", `Cannot repair session: ${reason}`, { path });
}

/** True if a repair would remove all records, so that no agent would recognize the file. */
function isEmptied({ count }: RecordRules, { header, changes }: RecordPlan): boolean {
  const dropped = [...changes.values()].filter(({ drop }) => drop).length;
  return header === undefined && dropped === count;
}

async function lineRepair(
  handle: SessionHandle,
  { trim_output_bytes }: RepairOptions,
): Promise<LineRepair> {
  const { path } = handle;
  const least = LEAST_TRIM_BYTES;
  if (trim_output_bytes !== undefined && !(trim_output_bytes >= least)) {
    throw new RangeError(`Outputs cannot be shortened to less than ${least} bytes`);
  }
  const repair = await loadRepair(handle);
  const reason = repair.kind === "database"
    ? "the session is stored in a database, which Reprise never changes"
    : repair.refusal?.(path);
  if (reason === undefined && repair.kind === "lines") return repair;
  throw new SessionError("unsupported-source", `Cannot repair session: ${reason}: ${path}`, {
    path,
  });
}

function withToday(finding: RepairFinding, { today }: LineRepair): RepairFinding {
  const { repair, needs, ...rest } = finding;
  return present({ ...rest, today: today[finding.damage], repair, needs });
}

function endOf(
  { reading: { ends } }: LineRepair,
  { findings }: RecordPlan,
  damages: ReadonlySet<RepairFinding["damage"]>,
): ClientEnd | undefined {
  const all = new Set([...damages, ...findings.map(({ damage }) => damage)]);
  return [...all].map((damage) => ends[damage]).find((end) => end !== undefined);
}

async function messagesOf(
  { session, path }: SessionHandle,
  { repairable, client, findings }: RepairReport,
  options: RepairedOptions,
): Promise<RepairReport["messages"]> {
  const { repair: { reading: { ends } }, plan } = options;
  const long = findings.some(({ damage }) => damage === "long-line");
  if (!repairable && !long && client === undefined && plan.bridges.size === 0) {
    const count = await countMessages(session);
    return { before: count, after: count };
  }
  const stays = findings.some(({ damage, repair }) => repair === undefined && damage in ends);
  const counting = { ...options, sketched: true };
  const changes = new Map([...plan.changes, ...plan.bridges]);
  const repaired = repairedBytes(path, { ...counting, plan: { ...plan, changes } });
  using folder = new TemporaryFolder("repair");
  const count = async (name: string, bytes: AsyncIterable<Uint8Array>): Promise<number> => {
    const below = join(folder.path, name);
    mkdirSync(below, { mode: 0o700 });
    return await countMessagesOf(session, bytes, below);
  };
  return {
    before: client === undefined ? await count("before", clientBytes(path, counting)) : 0,
    after: stays ? 0 : await count("after", repaired),
  };
}

/**
 * Checks the database that holds a session, as SQLite's own `PRAGMA integrity_check` does. The
 * database is never changed. The sessions that can still be read can be exported.
 *
 * @param session The session, as a library opens it.
 * @returns The faults in SQLite's words, empty if there are none. Undefined for a session in a file
 * of its own.
 * @throws {SessionError} `unsupported-source` if its agent's sessions cannot be checked;
 * `not-found`, `permission`, `io`
 */
export async function checkDatabase(session: SessionHandle): Promise<string[] | undefined> {
  const repair = await loadRepair(session);
  return repair.kind === "database" ? await repair.check(session.path) : undefined;
}

export async function countMessages(session: AgentSession): Promise<number> {
  const handle = new SessionHandle(await openReader(session), undefined);
  let count = 0;
  for await (const messages of handle.messages()) count += messages.length;
  return count;
}

async function countMessagesOf(
  session: AgentSession,
  bytes: AsyncIterable<Uint8Array>,
  folder: string,
): Promise<number> {
  const path = join(folder, basename(session.path));
  const what = "copy the session to a temporary folder, to count its messages";
  const { bytes: length } = await writeBytes(path, bytes, what, { brief: true });
  return length === 0 ? 0 : await countMessages({ ...session, path });
}
