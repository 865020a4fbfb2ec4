/** Adds up usage of several sessions by time, model, project, agent or session. Pure. */
import type { TokenUsage } from "../event/payload.ts";
import { present } from "../event/present.ts";
import { addCost, type CostSum } from "./cost_sum.ts";
import type { Summary } from "./summary_row.ts";
import { addUsage, countedTokens } from "./token_usage.ts";
import type { UsageRow } from "./usage_rows.ts";

/** The property by which totals are grouped. */
export type UsageGrouping =
  | "day"
  | "week"
  | "month"
  | "model"
  | "project"
  | "directory"
  | "branch"
  | "agent"
  | "session";

/** The names by which usage can be grouped, for example to check a user's choice. */
export const USAGE_GROUPINGS: readonly UsageGrouping[] = [
  "day",
  "week",
  "month",
  "model",
  "project",
  "directory",
  "branch",
  "agent",
  "session",
];

const TIMES: readonly UsageGrouping[] = ["day", "week", "month"];

/** One session with its usage, as {@linkcode UsageTotals.add} takes it. */
export interface SessionUsage {
  /** The session's name on the command line: the id of a Reprise session, or `<agent>:<id>`. */
  ref: string;
  /** `reprise`, or the name of the agent that wrote the session. */
  agent: string;
  /** Working directory; absent if not recorded. */
  cwd?: string;
  /** The git branch when the session began; absent if not recorded, or not requested. */
  branch?: string;
  /** The project's directory, if it is not `cwd`. For a work tree, it is in the repository. */
  project?: string;
  /** The session's usage by day and model. */
  rows: readonly UsageRow[];
  /**
   * Calls and changed files by quarter of an hour; absent if not counted. `from` is the start of
   * the quarter in seconds since 1970, or 0 if no time was recorded.
   */
  work?: {
    tools: readonly (readonly [name: string, from: number, calls: number, failed: number])[];
    /** The changed files, with their paths as recorded. */
    files: readonly (readonly [
      path: string,
      from: number,
      changes: number,
      added: number,
      removed: number,
    ])[];
  };
}

/** The usage of the sessions in one group. */
export interface UsageTotal extends CostSum {
  /**
   * Name of the group: a day, the Monday of a week, a month, model, project, directory, branch, agent
   * or session. Empty if not recorded.
   */
  group: string;
  /** Name of the group in the second grouping; absent if there is one grouping. */
  subgroup?: string;
  /** Number of sessions that add usage to the group's total. */
  sessions: number;
  /** Number of responses of the models. */
  messages: number;
  /** Tokens; `input` excludes tokens read from a cache or written to one. */
  usage: TokenUsage;
}

function groupOf(
  row: UsageRow,
  { ref, agent, branch, cwd, project }: SessionUsage,
  by: UsageGrouping,
): string {
  switch (by) {
    case "week":
      return mondayOf(row.day);
    case "month":
      return row.day.slice(0, "2026-11".length);
    case "day":
    case "model":
      return row[by];
    case "project":
      return project ?? cwd ?? "";
    case "directory":
      return cwd ?? "";
    case "branch":
      return branch ?? "";
    case "agent":
      return agent;
    case "session":
      return ref;
  }
}

const DAY_MS = 86_400_000;

function mondayOf(day: string): string {
  const time = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(time.getTime())) return "";
  const since = (time.getUTCDay() + 6) % 7;
  return new Date(time.getTime() - since * DAY_MS).toISOString().slice(0, day.length);
}

/**
 * Adds up sessions one by one.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { UsageTotals } from "@reprise/reprise/library";
 *
 * const totals = new UsageTotals("model");
 * const row = { day: "2026-11-21", model: "m", messages: 2, usage: { input: 10 }, unpriced: 2 };
 * totals.add({ ref: "pi:1111", agent: "pi", rows: [row] });
 * const [group] = totals.groups();
 * assert.deepEqual([group?.group, group?.usage.input, group?.unknown_models], ["m", 10, ["m"]]);
 * ```
 */
export class UsageTotals {
  readonly #by: UsageGrouping;
  readonly #then: UsageGrouping | undefined;
  readonly #since: string;
  readonly #until: string;
  readonly #totals = new Map<string, UsageTotal>();
  /** The totals by the first grouping alone. */
  readonly #firsts = new Map<string, UsageTotal>();
  readonly #all: UsageTotal = emptyTotal("");

  /**
   * Creates totals without any session.
   *
   * @param by The property to group by. @param since First day that counts, such as `2026-11-21`.
   * @param until Last day that counts. @default {all}
   * @param then A second grouping, which divides the groups of the first.
   */
  constructor(by: UsageGrouping, since = "", until = "", then?: UsageGrouping) {
    this.#by = by;
    this.#then = then;
    this.#since = since;
    this.#until = until;
  }

  /** Adds the session's rows whose day is in the range of the totals. */
  add(session: SessionUsage): void {
    const touched = new Set<UsageTotal>();
    for (const row of session.rows) {
      if (row.day < this.#since || (this.#until !== "" && row.day > this.#until)) continue;
      for (const sum of this.#sumsOf(row, session)) {
        touched.add(sum);
        addToTotal(sum, row);
      }
    }
    for (const sum of touched) sum.sessions++;
  }

  #sumsOf(row: UsageRow, session: SessionUsage): UsageTotal[] {
    const group = groupOf(row, session, this.#by);
    const first = this.#firsts.get(group) ?? emptyTotal(group);
    this.#firsts.set(group, first);
    if (this.#then === undefined) return [first, this.#all];
    const subgroup = groupOf(row, session, this.#then);
    const key = `${group}\0${subgroup}`;
    const total = this.#totals.get(key) ?? emptyTotal(group, subgroup);
    this.#totals.set(key, total);
    return [first, total, this.#all];
  }

  /** Returns the groups: times in order, sessions by falling cost, others by falling tokens. */
  groups(): UsageTotal[] {
    const firsts = [...this.#firsts.values()].sort(orderOf(this.#by, ({ group }) => group));
    if (this.#then === undefined) return firsts;
    const ranks = new Map(firsts.map(({ group }, rank) => [group, rank]));
    const rankOf = ({ group }: UsageTotal): number => ranks.get(group) ?? 0;
    const order = orderOf(this.#then, ({ subgroup = "" }) => subgroup);
    return [...this.#totals.values()].sort((a, b) => rankOf(a) - rankOf(b) || order(a, b));
  }

  /** Returns the total of all groups, in which each session counts once. */
  total(): UsageTotal {
    return this.#all;
  }
}

function orderOf(
  by: UsageGrouping,
  nameOf: (total: UsageTotal) => string,
): (a: UsageTotal, b: UsageTotal) => number {
  const byName = (a: UsageTotal, b: UsageTotal): number => nameOf(a) < nameOf(b) ? -1 : 1;
  if (TIMES.includes(by)) return byName;
  const costOf = ({ cost_usd = 0 }: UsageTotal): number => by === "session" ? cost_usd : 0;
  return (a, b) =>
    costOf(b) - costOf(a) || countedTokens(b.usage) - countedTokens(a.usage) || byName(a, b);
}

export function emptyTotal(group: string, subgroup?: string): UsageTotal {
  return { group, ...present({ subgroup }), sessions: 0, messages: 0, usage: {} };
}

/** Adds a row's usage to a total, without counting a session. */
export function addToTotal(total: UsageTotal, row: UsageRow): void {
  total.messages += row.messages;
  addUsage(total.usage, row.usage);
  addCost(total, row);
}

export function withUsage(summary: Summary, session: SessionUsage): Summary {
  if (session.rows.length === 0) return summary;
  const totals = new UsageTotals("model");
  totals.add(session);
  const { usage, cost_usd, cost_estimated, unknown_models } = totals.total();
  const models = [...new Set(session.rows.map(({ model }) => model).filter((name) => name !== ""))];
  return {
    ...summary,
    usage,
    ...present({
      cost_usd,
      cost_estimated,
      unknown_models,
      models: models.length === 0 ? undefined : models,
    }),
  };
}
