/**
 * What several sessions used, added up by day, model or project. Pure.
 */
import type { TokenUsage } from "../event/payload.ts";
import { addUsage } from "./token_usage.ts";
import type { UsageRow } from "./usage.ts";

/** What totals are grouped by. */
export type UsageGrouping = "day" | "model" | "project";

/** Every grouping there is. */
export const USAGE_GROUPINGS: readonly UsageGrouping[] = ["day", "model", "project"];

/** What one session used. */
export interface SessionUsage {
  /** Names the session among the others. */
  ref: string;
  /** Working directory; absent where the session does not say. */
  cwd?: string;
  /** Its usage by day and model. */
  rows: readonly UsageRow[];
}

/** What the sessions of one group used. */
export interface UsageTotal {
  /** The day, the model or the directory; empty where it was not recorded. */
  group: string;
  /** How many sessions have a part in it. */
  sessions: number;
  /** Answers of the model. */
  messages: number;
  /** Tokens, as the providers count them. */
  usage: TokenUsage;
  /** US dollars; absent where no session recorded a cost. */
  cost_usd?: number;
}

function groupOf(row: UsageRow, cwd: string | undefined, by: UsageGrouping): string {
  return by === "project" ? cwd ?? "" : row[by];
}

/** Adds up sessions one by one. */
export class UsageTotals {
  readonly #by: UsageGrouping;
  readonly #since: string;
  readonly #totals = new Map<string, UsageTotal>();
  readonly #all: UsageTotal = { group: "", sessions: 0, messages: 0, usage: {} };

  /** @param by What to group by. @param since First day that counts, `2026-11-21`. */
  constructor(by: UsageGrouping, since = "") {
    this.#by = by;
    this.#since = since;
  }

  /** Takes one session. */
  add({ cwd, rows }: SessionUsage): void {
    const touched = new Set<UsageTotal>();
    for (const row of rows) {
      if (row.day < this.#since) continue;
      const group = groupOf(row, cwd, this.#by);
      const total = this.#totals.get(group) ?? { group, sessions: 0, messages: 0, usage: {} };
      this.#totals.set(group, total);
      for (const sum of [total, this.#all]) {
        touched.add(sum);
        addRow(sum, row);
      }
    }
    for (const sum of touched) sum.sessions++;
  }

  /** The groups: days in their order, models and projects by what they took. */
  groups(): UsageTotal[] {
    const groups = [...this.#totals.values()];
    if (this.#by === "day") return groups.sort((a, b) => a.group < b.group ? -1 : 1);
    return groups.sort((a, b) => tokens(b) - tokens(a) || (a.group < b.group ? -1 : 1));
  }

  /** All groups together; a session counts once. */
  total(): UsageTotal {
    return this.#all;
  }
}

function addRow(total: UsageTotal, { messages, usage, cost_usd }: UsageRow): void {
  total.messages += messages;
  addUsage(total.usage, usage);
  if (cost_usd !== undefined) total.cost_usd = (total.cost_usd ?? 0) + cost_usd;
}

function tokens(
  { usage: { input = 0, output = 0, cache_read = 0, cache_write = 0 } }: UsageTotal,
): number {
  return input + output + cache_read + cache_write;
}
