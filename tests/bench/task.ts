/**
 * One measurement in a process of its own, whose memory and compiled code no other one touched:
 * `task.ts NAME ARGUMENT…` prints its result as JSON.
 */
import assert from "node:assert/strict";
import { readEvents } from "../../lib/log/read_events.ts";
import { conversation } from "../../lib/projection/conversation.ts";
import { foldBatches } from "../../lib/projection/projection.ts";
import { loadConversation, readTranscript } from "../../lib/session/load_session.ts";
import { openStore } from "../../lib/session/session_store.ts";
import { plainStreams, synchronousLoop } from "./baseline.ts";
import { peakMemory } from "./peak_memory.ts";
import { resultBytes } from "./result_bytes.ts";

/** What a task took. */
export interface TaskResult {
  ms: number;
  /** Bytes; undefined where the system does not tell. */
  peak_memory: number | undefined;
  /** Bytes of the strings of what was asked for and held at the end. */
  result_bytes: number;
  /** Lines, events, messages, items or rows. */
  count: number;
}

/** What a task gives: a count, or a list that it holds. */
type Work = (...args: string[]) => Promise<number | readonly unknown[]>;

async function fold(path: string, tools: "include" | "omit"): Promise<readonly unknown[]> {
  const projection = conversation({ tools });
  const { messages } = await foldBatches(projection, readEvents(path, { kinds: projection.needs }));
  return messages;
}

/** A summary with counts of every session; a list without them would be no answer. */
async function list(root: string): Promise<readonly unknown[]> {
  const rows = await openStore({ root }).list();
  for (const row of rows) assert.ok((row.message_count ?? 0) > 0 && row.usage !== undefined);
  return rows;
}

const TASKS = {
  streams: plainStreams,
  loop: (path) => Promise.resolve(synchronousLoop(path)),
  every_line: async (path) => {
    let count = 0;
    for await (const events of readEvents(path)) count += events.length;
    return count;
  },
  texts: (path) => fold(path, "omit"),
  conversation: (path) => fold(path, "include"),
  transcript: async (path) => {
    let count = 0;
    for await (const _item of readTranscript(path)) count++;
    return count;
  },
  resume: async (path) => (await loadConversation(path)).messages,
  list,
  load: async (root, id) => (await openStore({ root }).load(id)).messages,
} satisfies Record<string, Work>;

/** Name of a task. */
export type TaskName = keyof typeof TASKS;

/** Runs a task in a new process. */
export async function runTask(name: TaskName, ...args: string[]): Promise<TaskResult> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "-A", new URL(import.meta.url).pathname, name, ...args],
    stdout: "piped",
    stderr: "inherit",
  });
  const { success, stdout } = await command.output();
  assert.ok(success, `task ${name} failed`);
  return JSON.parse(new TextDecoder().decode(stdout));
}

async function measured(name: TaskName, args: string[]): Promise<TaskResult> {
  const work: Work = TASKS[name];
  const start = performance.now();
  const result = await work(...args);
  const ms = performance.now() - start;
  // Before the result is walked, for that takes memory too.
  const peak_memory = peakMemory();
  const count = typeof result === "number" ? result : result.length;
  return { ms, peak_memory, result_bytes: resultBytes(result), count };
}

if (import.meta.main) {
  const [name, ...args] = Deno.args;
  const result = await measured(name as TaskName, args);
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(result)));
}
