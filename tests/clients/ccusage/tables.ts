/** Sums of usage by Reprise and by ccusage, to compare. */
import assert from "node:assert/strict";
import type { Agent } from "../../../lib/agents/contract/agent.ts";
import { readUsage } from "../../../lib/library/counts/usage/read_usage.ts";
import { loadLocator } from "../../../lib/library/machine/locators.ts";
import { installCcusage } from "../../_support/ccusage.ts";
import { usageRowsOf } from "../../_support/summed_usage.ts";
import { chosen } from "../quick.ts";

/** The program of ccusage; undefined where npm cannot be reached. */
export const CCUSAGE: string | undefined = await installCcusage();

/** Tokens of a row. */
export type Counts = readonly [
  input: number,
  output: number,
  cache_read: number,
  cache_write: number,
  reasoning: number,
];
type Table = Record<string, Counts>;

/** Sums by session, and by day and model. */
export interface Tables {
  sessions: Table;
  days: Table;
}

/** Sessions by the ids of the threads that they started. For ccusage each file is a session. */
export type SessionsOfThreads = ReadonlyMap<string, string>;

// deno-lint-ignore no-explicit-any
export type Json = any;

/** Adds up counts. */
export function summed(all: readonly Counts[]): Counts {
  const sum: [number, number, number, number, number] = [0, 0, 0, 0, 0];
  for (const counts of all) {
    for (const [index, count] of counts.entries()) sum[index] = (sum[index] ?? 0) + count;
  }
  return sum;
}

function add(table: Table, key: string, counts: Counts): void {
  table[key] = summed([table[key] ?? [0, 0, 0, 0, 0], counts]);
}

/** Returns what ccusage says. */
async function theirs(
  agent: Agent,
  home: string,
  zone: string,
  sessions: SessionsOfThreads,
): Promise<Tables> {
  const tables: Tables = { sessions: {}, days: await theirDays(agent, home, zone) };
  for (const row of (await report(agent, home, "session", zone)).sessions) {
    // Codex's sessions go by the path of their file.
    const id = String(row.sessionId).split("/").at(-1)?.replace(/^rollout-.{20}/, "") ?? "";
    add(tables.sessions, sessions.get(id) ?? id, counts(row));
  }
  return tables;
}

/** Returns what ccusage says by day and model. */
export async function theirDays(agent: Agent, home: string, zone: string): Promise<Table> {
  const days: Table = {};
  for (const row of (await report(agent, home, "daily", zone)).daily) {
    const models: [string, Json][] = row.modelBreakdowns?.map((one: Json) => [
      one.modelName,
      one,
    ]) ?? Object.entries(row.models);
    for (const [model, one] of models) add(days, `${row.date} ${model}`, counts(one));
  }
  return days;
}

async function report(agent: Agent, home: string, name: string, zone: string): Promise<Json> {
  const flags = ["--json", "--offline", "--timezone", zone];
  const args = [agent.name, name, ...flags, ...(agent.name === "claude" ? ["-b"] : [])];
  const env = { CLAUDE_CONFIG_DIR: home, CODEX_HOME: home, HOME: home };
  return JSON.parse(await linesOf(CCUSAGE ?? "", args, env));
}

/** Returns the tokens in a row of ccusage. */
export function counts(row: Json): Counts {
  const { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens } = row;
  // Only Codex tells it.
  const { reasoningOutputTokens = 0 } = row;
  return [inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens, reasoningOutputTokens];
}

/** Returns what Reprise says. */
export async function ours(agent: Agent, home: string, zone: string): Promise<Tables> {
  const variable = (name: string): string | undefined =>
    ["CLAUDE_CONFIG_DIR", "CODEX_HOME"].includes(name) ? home : undefined;
  const sessions = await Array.fromAsync(
    (await loadLocator(agent.name)).locate({ home, variable, os: Deno.build.os }),
  );
  sessions.sort((one, other) => one.path < other.path ? -1 : 1);
  const read = await Array.fromAsync(sessions, (session) => readUsage(agent.open(session)));
  const format = new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" });
  const rows = usageRowsOf(read, { dayOf: (time) => format.format(time) });
  const tables: Tables = { sessions: {}, days: {} };
  for (const [index, { id }] of sessions.entries()) {
    for (const { day, model, usage } of rows[index] ?? []) {
      const { input = 0, output = 0, cache_read = 0, cache_write = 0, reasoning = 0 } = usage;
      const took: Counts = [input, output, cache_read, cache_write, reasoning];
      add(tables.sessions, id, took);
      if (model !== "") add(tables.days, `${day} ${model}`, took);
    }
  }
  return tables;
}

/** Fails if the two differ in a time zone, or if less sessions than `at_least` were compared. */
export async function sameTables(
  agent: Agent,
  home: string,
  at_least: number,
  sessions: SessionsOfThreads = new Map(),
): Promise<void> {
  for (const zone of chosen(["UTC", "Asia/Tokyo", "America/Lima", "Asia/Kathmandu"])) {
    const mine = await ours(agent, home, zone);
    assert.deepEqual(mine, await theirs(agent, home, zone, sessions), zone);
    assert.ok(Object.keys(mine.sessions).length >= at_least, "nothing was compared");
  }
}

/** Returns what a program prints. */
export async function linesOf(
  program: string,
  args: string[],
  env: Record<string, string>,
): Promise<string> {
  const { stdout } = await new Deno.Command(program, { args, env, clearEnv: true }).output();
  return new TextDecoder().decode(stdout);
}

/** Writes counts as a cell of the page's tables, which leave out the reasoning. */
export function cell(counts: Counts): string {
  return counts.slice(0, 4).map((count = 0) => count.toLocaleString("en")).join(" / ");
}

/** Fails if a row is not on the page, which says why its sums differ. */
export async function assertOnPage(rows: readonly string[]): Promise<void> {
  const url = new URL("../../../.github/FIGURES.md", import.meta.url);
  const page = (await Deno.readTextFile(url)).replaceAll(/ +/g, " ");
  const missing = rows.filter((row) => !page.includes(row));
  assert.equal(missing.join("\n"), "", rows.join("\n"));
}
