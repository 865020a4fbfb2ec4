/**
 * Collects the work of a timespan by project: sessions, prompts, changed files, costs and commits.
 * Also finds sessions that need the user's attention. No model is asked.
 */
import { SessionError } from "../../core/event/session_error.ts";
import { present } from "../../core/event/present.ts";
import type { CostSum } from "../../core/projection/cost_sum.ts";
import type { Estimate } from "../../core/projection/priced_tokens.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import { countedTokens } from "../../core/projection/token_usage.ts";
import { type SessionUsage, UsageTotals } from "../../core/projection/usage_totals.ts";
import { type Commit, commitsIn } from "../../core/workspace/git_commits.ts";
import { gitFolder } from "../../core/workspace/git_file.ts";
import { projectOf } from "../../core/workspace/project.ts";
import { sessionDirectory } from "../../core/workspace/session_directory.ts";
import type { Library } from "../../library/library.ts";
import type { SessionEntry } from "../../library/query/query.ts";
import { usageOf } from "../../library/query/usage_of.ts";
import { type RunningSession, RunningSessions } from "../../library/running/running_sessions.ts";
import { changedFiles } from "./changed_files.ts";
import { type Prompt, promptsOf } from "./prompts_of.ts";
import { isWithin, type Timespan } from "./timespan.ts";

export interface SessionDigest {
  row: Summary;
  /** The user's prompts in the timespan, in order. */
  prompts: readonly Prompt[];
  /** Sorted paths of the changed files: absolute, or as the session names them. */
  files: readonly string[];
  /** The cost of the session's answers in the timespan. */
  cost: CostSum;
  /** Number of tokens of the session's answers in the timespan. */
  tokens: number;
  running?: RunningSession;
}

export interface ProjectDigest {
  /** The project's directory, absent for sessions that record none. */
  project?: string;
  /** The project's sessions that did something in the timespan, the earliest first. */
  sessions: readonly SessionDigest[];
  /** The changed files of the project's sessions, each once. */
  files: readonly string[];
  /** The commits that were made in the work trees of the project's sessions, the earliest first. */
  commits: readonly Commit[];
  cost: CostSum;
}

export interface DigestOptions {
  /** Estimates the cost of answers that have no recorded cost. @default {nothing is estimated} */
  estimate?: Estimate;
  onProgress?: (done: number, all: number) => void;
  /** Gets the error of each session that cannot be read. @default {nothing} */
  onError?: (error: SessionError) => void;
}

/**
 * Reads what sessions did in a timespan.
 *
 * @param entries Sessions that were updated since the start of the timespan.
 * @returns The projects in which something happened, the most recently used first.
 */
export async function digestOf(
  library: Library,
  entries: readonly SessionEntry[],
  timespan: Timespan,
  { estimate, onProgress, onError = () => {} }: DigestOptions = {},
): Promise<ProjectDigest[]> {
  const used = await usageByRef(library, entries, present({ estimate, onError }));
  const files = await changedFiles(entries, timespan, { kept: library.kept, onError });
  const running = await runningByRef(library, entries);
  const projects = new Map<string | undefined, SessionDigest[]>();
  for (const [index, entry] of entries.entries()) {
    const row = await readable(() => entry.row(), onError);
    const prompts = await readable(
      async () => await promptsOf(await entry.open(), timespan),
      onError,
    );
    onProgress?.(index + 1, entries.length);
    if (row === undefined) continue;
    const { cost, tokens } = spentIn(used.get(entry.ref), timespan);
    const session = present({
      ...{ row, prompts: prompts ?? [], files: files.get(entry) ?? [], cost, tokens },
      running: running.get(entry.ref),
    });
    if (!isEmpty(session, entry.updated, timespan)) {
      const project = entry.cwd && projectOf(entry.cwd);
      projects.set(project, [...projects.get(project) ?? [], session]);
    }
  }
  return [...projects].map(([project, sessions]) => projectDigest(project, sessions, timespan))
    .sort((one, other) => lastOf(other).localeCompare(lastOf(one)));
}

/** Returns the result of `read`, or undefined after reporting a `SessionError`. */
async function readable<Value>(
  read: () => Promise<Value>,
  onError: (error: SessionError) => void,
): Promise<Value | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    onError(error);
    return undefined;
  }
}

async function usageByRef(
  { kept }: Library,
  entries: readonly SessionEntry[],
  options: Pick<DigestOptions, "estimate" | "onError">,
): Promise<Map<string, SessionUsage>> {
  const steps = { dayOf: utcMinute, step_seconds: 60 };
  const used = await usageOf(entries, present({ ...steps, kept, ...options }));
  return new Map(used.map((one) => [one.ref, one]));
}

function utcMinute(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, "2026-11-21T10:00".length);
}

async function runningByRef(
  library: Library,
  entries: readonly SessionEntry[],
): Promise<Map<string, RunningSession>> {
  using sessions = new RunningSessions(library, { entries });
  return new Map((await sessions.look()).map((one) => [one.row.ref, one]));
}

function spentIn(
  used: SessionUsage | undefined,
  { since, until }: Timespan,
): Pick<SessionDigest, "cost" | "tokens"> {
  const totals = new UsageTotals(
    "session",
    utcMinute(since.getTime()),
    until && utcMinute(until.getTime()),
  );
  if (used !== undefined) totals.add(used);
  const { cost_usd, cost_estimated, unknown_models, usage } = totals.total();
  return {
    cost: present({ cost_usd, cost_estimated, unknown_models }),
    tokens: countedTokens(usage),
  };
}

function isEmpty(
  { prompts, files, tokens }: SessionDigest,
  updated: number,
  timespan: Timespan,
): boolean {
  return prompts.length + files.length + tokens === 0 && !isWithin(timespan, updated);
}

/** Drops prompts that a later session copied, recognised by equal time and text. */
function withoutCopied(sessions: readonly SessionDigest[]): SessionDigest[] {
  const told = new Set<string>();
  const began = ({ row }: SessionDigest): string => row.created_at ?? "";
  const ordered = [...sessions].sort((one, other) => began(one).localeCompare(began(other)));
  return ordered.map((session) => ({
    ...session,
    prompts: session.prompts.filter(({ time, text }) => {
      const key = `${time}\n${text}`;
      return time === undefined || (!told.has(key) && told.add(key));
    }),
  }));
}

function projectDigest(
  project: string | undefined,
  found: readonly SessionDigest[],
  timespan: Timespan,
): ProjectDigest {
  const sessions = withoutCopied(found);
  const folders = new Map<string, string>();
  for (const { row } of sessions) {
    const directory = sessionDirectory(row.cwd)?.local;
    const folder = directory && gitFolder(directory);
    if (directory && folder) folders.set(folder, directory);
  }
  const commits = [...folders.values()].flatMap(commitsIn)
    .filter(({ at }) => isWithin(timespan, at))
    .sort((one, other) => one.at - other.at);
  const once = new Map(commits.map((commit) => [commit.hash, commit]));
  return present({
    project,
    sessions: [...sessions].sort((one, other) => firstOf(one).localeCompare(firstOf(other))),
    files: [...new Set(sessions.flatMap(({ files }) => files))].sort(),
    commits: [...once.values()],
    cost: costOf(sessions.map(({ cost }) => cost)),
  });
}

export function costOf(costs: readonly CostSum[]): CostSum {
  const known = costs.flatMap(({ cost_usd }) => cost_usd ?? []);
  const unknown = [...new Set(costs.flatMap(({ unknown_models = [] }) => unknown_models))].sort();
  return present({
    cost_usd: known.length === 0 ? undefined : known.reduce((sum, cost) => sum + cost, 0),
    cost_estimated: costs.some(({ cost_estimated }) => cost_estimated) ? true : undefined,
    unknown_models: unknown.length === 0 ? undefined : unknown,
  });
}

function firstOf({ prompts, row }: SessionDigest): string {
  return prompts[0]?.time ?? row.created_at ?? "";
}

function lastOf({ sessions }: ProjectDigest): string {
  return sessions.map(({ row }) => row.updated_at ?? "").sort().at(-1) ?? "";
}
