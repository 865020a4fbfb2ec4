/**
 * Other agents' sessions: how long a long one takes, whole and from its end, and many in a list.
 */
import { join } from "node:path";
import { type GeneratedAgent, makeAgentLog } from "./agent_logs.ts";
import { LISTED, LONG_SESSIONS, makeAgentHome } from "./agent_sessions.ts";
import { type Bench, type Figure, type Row, row } from "./figure.ts";
import { median } from "./rounds.ts";
import { runTask, type TaskName, type TaskResult } from "./task.ts";

const AGENTS = Object.keys(LONG_SESSIONS) as GeneratedAgent[];
/** Sessions whose usage is added up: 600 MB in all. */
const USED = 60;
const USED_BYTES = 10e6;

async function repeated(bench: Bench, task: TaskName, ...args: string[]): Promise<TaskResult[]> {
  const results: TaskResult[] = [];
  for (let round = 0; round < bench.rounds; round++) results.push(await runTask(task, ...args));
  return results;
}

function middle(results: readonly TaskResult[]): number {
  return median(results.map(({ ms }) => ms));
}

function peak(results: readonly TaskResult[]): number {
  return Math.max(...results.map(({ peak_memory }) => peak_memory ?? 0)) / 1e6;
}

function longSession(bench: Bench, agent: GeneratedAgent): string {
  const path = join(bench.directory, `${agent}.jsonl`);
  const bytes = LONG_SESSIONS[agent] * (bench.log_bytes / 400e6);
  if (!exists(path)) makeAgentLog(agent, path, bytes);
  return path;
}

function homeOf(bench: Bench, name: string, make: (home: string) => void): string {
  const home = join(bench.directory, name);
  if (!exists(home)) make(home);
  return home;
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    // Not made yet.
    return false;
  }
}

async function longRows(bench: Bench, agent: GeneratedAgent): Promise<Row[]> {
  const path = longSession(bench, agent);
  const megabytes = (Deno.statSync(path).size / 1e6).toFixed(0);
  const whole = await repeated(bench, "foreign_conversation", agent, path);
  const tail = await repeated(bench, "foreign_tail", agent, path);
  const note = `${whole[0]?.count} messages`;
  return [
    row(`${agent}, ${megabytes} MB: conversation`, {
      value: middle(whole),
      most: 1500,
      unit: " ms",
      note,
    }),
    row(`${agent}, ${megabytes} MB: peak memory of it`, {
      value: peak(whole),
      most: 250,
      unit: " MB",
    }),
    row(`${agent}, ${megabytes} MB: last 20 messages`, {
      value: middle(tail),
      most: 50,
      unit: " ms",
    }),
  ];
}

async function listRow(bench: Bench, agent: GeneratedAgent): Promise<Row> {
  const home = homeOf(bench, `home-${agent}`, (path) => makeAgentHome(agent, path));
  const results = await repeated(bench, "foreign_list", agent, home);
  return row(`${agent}: list of ${LISTED}`, { value: middle(results), most: 150, unit: " ms" });
}

async function usageRow(bench: Bench): Promise<Row> {
  const bytes = USED_BYTES * (bench.log_bytes / 400e6);
  const home = homeOf(bench, "home-usage", (path) => makeAgentHome("claude", path, USED, bytes));
  const results = await repeated(bench, "foreign_usage", "claude", home);
  const figure = `claude: usage of ${((USED * bytes) / 1e6).toFixed(0)} MB`;
  return row(figure, { value: middle(results), most: 2000, unit: " ms" });
}

/** Other agents. */
export const agents: Figure = {
  name: "agents",
  async measure(bench): Promise<Row[]> {
    const rows: Row[] = [];
    for (const agent of AGENTS) {
      rows.push(...await longRows(bench, agent), await listRow(bench, agent));
    }
    return [...rows, await usageRow(bench)];
  },
};
