/**
 * Other agents' sessions: how long a long one takes, whole and from its end, and many in a list.
 */
import { join } from "node:path";
import { type AgentLogShape, type GeneratedAgent, makeAgentLog } from "./agent_logs.ts";
import { LISTED, LONG_SESSIONS, makeAgentHome, SHORT_MESSAGES } from "./agent_sessions.ts";
import { type Bench, type Figure, type Row, row } from "./figure.ts";
import { median } from "./rounds.ts";
import { runTask, type TaskName, type TaskResult } from "./task.ts";

const AGENTS = Object.keys(LONG_SESSIONS) as GeneratedAgent[];
/** Sessions whose usage is added up: 600 MB in all. */
const USED = 60;
const USED_BYTES = 10e6;
/** Of what the agents' own loaders take for such a session: 1/2.5, 1/6 and 1/0.75. */
const MOST_SHORT_MS: Readonly<Record<GeneratedAgent, number>> = {
  claude: 1560,
  codex: 1600,
  pi: 2000,
};

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

function longSession(bench: Bench, agent: GeneratedAgent, shape: AgentLogShape): string {
  const path = join(bench.directory, `${agent}-${shape}.jsonl`);
  const sizes = shape === "short" ? SHORT_MESSAGES : LONG_SESSIONS;
  const bytes = sizes[agent] * (bench.log_bytes / 400e6);
  if (!exists(path)) makeAgentLog(agent, path, bytes, { shape });
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
  const path = longSession(bench, agent, "compacted");
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

/** A session that never compacts: all of it is the conversation. */
async function shortRows(bench: Bench, agent: GeneratedAgent): Promise<Row[]> {
  const path = longSession(bench, agent, "short");
  const megabytes = (Deno.statSync(path).size / 1e6).toFixed(0);
  const results = await repeated(bench, "foreign_conversation", agent, path);
  const value = middle(results);
  const name = `${agent}, ${megabytes} MB of short messages`;
  const note = `${results[0]?.count} messages`;
  return [
    row(`${name}: conversation`, { value, most: MOST_SHORT_MS[agent], unit: " ms", note }),
    row(`${name}: peak memory of it`, { value: peak(results), most: 290, unit: " MB" }),
  ];
}

async function listRow(bench: Bench, agent: GeneratedAgent, shape: AgentLogShape): Promise<Row> {
  const home = homeOf(
    bench,
    `home-${agent}-${shape}`,
    (path) => makeAgentHome(agent, path, { shape }),
  );
  const results = await repeated(bench, "foreign_list", agent, home);
  const of = shape === "short" ? `${LISTED} of short lines` : `${LISTED}`;
  const most = shape === "short" ? 60 : 150;
  return row(`${agent}: list of ${of}`, { value: middle(results), most, unit: " ms" });
}

async function usageRow(bench: Bench): Promise<Row> {
  const bytes = USED_BYTES * (bench.log_bytes / 400e6);
  const home = homeOf(
    bench,
    "home-usage",
    (path) => makeAgentHome("claude", path, { count: USED, bytes }),
  );
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
      rows.push(...await longRows(bench, agent), ...await shortRows(bench, agent));
      for (const shape of ["compacted", "short"] as const) {
        rows.push(await listRow(bench, agent, shape));
      }
    }
    return [...rows, await usageRow(bench)];
  },
};
