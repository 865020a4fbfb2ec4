/**
 * How much time a page of `reprise open` takes that is the first one of its process.
 * `open_figure.ts ROOT HOME REF` shows a session, or without one the list, and prints what that took.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { makeAgentHome } from "./agent_sessions.ts";
import { writeBenchLog } from "./bench_log.ts";
import { makeBenchStore } from "./bench_store.ts";
import { type Bench, type Figure, type Row, row } from "./figure.ts";
import { median } from "./rounds.ts";
import { listed } from "../_support/listed.ts";

const MOST_LIST_MS = 100;
const MOST_SESSION_MS = 300;
const SESSIONS = 1000;
const SESSION_BYTES = 20_000;
const AGENTS = ["claude", "codex", "pi"] as const;
const KEY = { authority: "bench", token: "bench", cookie: "bench" };
const HEADERS: Readonly<Record<string, string>> = { host: KEY.authority, cookie: "reprise=bench" };

/** An answer of a process that has loaded the program and nothing else. */
interface Answered {
  /** CPU time, so that other programs of the machine do not count. */
  ms: number;
  bytes: number;
}

async function answerOne(root: string, home: string, ref: string): Promise<Answered> {
  const { openLibrary } = await import("../../lib/library/library.ts");
  const { createSite, OpenedSessions } = await import("../../lib/frontends/pages/site.ts");
  const variable = (name: string): string | undefined => name === "HOME" ? home : undefined;
  const library = openLibrary({ root, variable, cache: { version: "bench" } });
  const answer = createSite({
    library,
    sessions: new OpenedSessions(library, { named: [ref] }),
    version: "bench",
    now: () => new Date(),
    format_time: (iso) => iso,
    day_of: (milliseconds) => new Date(milliseconds).toISOString().slice(0, 10),
    minute_of: (milliseconds) =>
      new Date(milliseconds).toISOString().slice(0, 16).replace("T", " "),
    home: undefined,
  }, KEY);
  const page = ref === "" ? "" : `session?${new URLSearchParams({ ref })}`;
  const start = process.cpuUsage();
  const { status, body } = await answer({
    method: "GET",
    target: `/${KEY.token}/${page}`,
    header: (name) => HEADERS[name],
  });
  const text = typeof body === "string" ? body : (await Array.fromAsync(body)).join("");
  assert.equal(status, 200, text);
  const { user, system } = process.cpuUsage(start);
  return { ms: (user + system) / 1000, bytes: text.length };
}

async function inProcess(...args: string[]): Promise<Answered> {
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "-A", fileURLToPath(import.meta.url), ...args],
    stderr: "inherit",
  }).output();
  assert.ok(success, "no page came");
  return JSON.parse(new TextDecoder().decode(stdout)) as Answered;
}

async function middle(bench: Bench, root: string, home = "", ref = ""): Promise<number> {
  // Once for the disk and the catalogue.
  const { bytes } = await inProcess(root, home, ref);
  assert.ok(bytes > 10_000, String(bytes));
  const times: number[] = [];
  for (let round = 0; round < bench.rounds; round++) {
    times.push((await inProcess(root, home, ref)).ms);
  }
  return median(times);
}

/** Writes a long session below a home; gives its reference. */
async function makeSession(
  { log_bytes: bytes }: Bench,
  agent: "reprise" | typeof AGENTS[number],
  home: string,
): Promise<string> {
  Deno.mkdirSync(home, { recursive: true });
  if (agent === "reprise") {
    const path = join(home, "log.jsonl");
    writeBenchLog(path, bytes);
    return path;
  }
  makeAgentHome(agent, home, { count: 1, bytes });
  const { openLibrary } = await import("../../lib/library/library.ts");
  const library = openLibrary({
    root: join(home, "store"),
    variable: (name) => name === "HOME" ? home : undefined,
  });
  const [row] = await listed(library);
  assert.ok(row !== undefined, agent);
  return row.ref;
}

/** Pages for the browser. */
export const opened: Figure = {
  name: "open",
  async measure(bench: Bench): Promise<Row[]> {
    const root = join(bench.directory, "opened");
    makeBenchStore({ root, sessions: SESSIONS, bytes: SESSION_BYTES, directories: ["/home/ada"] });
    const value = await middle(bench, root);
    const rows = [
      row(`open: list of ${SESSIONS} sessions`, {
        value,
        most: MOST_LIST_MS,
        unit: " ms of CPU time",
      }),
    ];
    for (const agent of ["reprise", ...AGENTS] as const) {
      const home = join(bench.directory, `opened-${agent}`);
      const ref = makeSession(bench, agent, home);
      const value = await middle(bench, root, home, await ref);
      const figure = `open: first page of ${agent}, ${bench.log_bytes / 1e6} MB`;
      rows.push(row(figure, { value, most: MOST_SESSION_MS, unit: " ms of CPU time" }));
      Deno.removeSync(home, { recursive: true });
    }
    return rows;
  },
};

if (import.meta.main) {
  const [root = "", home = "", ref = ""] = Deno.args;
  const result = await answerOne(root, home, ref);
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(result)));
  Deno.exit();
}
