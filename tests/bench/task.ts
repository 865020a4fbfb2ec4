/**
 * Measurements in a process of its own, whose memory and compiled code no other one touched.
 * `task.ts time NAME ARGUMENT…` and `task.ts weigh NAME ARGUMENT…` print what one task took and
 * held, `task.ts compare NAMES ROUNDS PATH` the times of several that take turns, as JSON.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { readEvents } from "../../lib/core/log/read_events.ts";
import { conversation } from "../../lib/core/projection/conversation/conversation.ts";
import { foldBatches } from "../../lib/core/projection/projection.ts";
import { loadConversation, readTranscript } from "../../lib/core/store/load_session.ts";
import { openStore } from "../../lib/core/store/open_store.ts";
import type { GeneratedAgent } from "./agent_logs.ts";
import { foreignConversation, foreignList, foreignTail, foreignUsage } from "./agent_sessions.ts";
import { plainStreams, synchronousLoop } from "./baseline.ts";
import { v8Flags } from "./compile_recipe.ts";
import { peakMemory } from "./peak_memory.ts";
import { inTurns } from "./rounds.ts";

/** What a task took. */
export interface TaskResult {
  ms: number;
  /** Bytes that the process held at most; undefined where the system does not tell. */
  peak_memory: number | undefined;
  /** Lines, events, messages, items or rows. */
  count: number;
}

/** What a task held. */
export interface TaskMemory {
  /** Bytes that the process held at most; undefined where the system does not tell. */
  peak_memory: number | undefined;
  /** Bytes of the heap that go when the result does: what was asked for, held at the end. */
  result_bytes: number;
}

/** What a task gives: a count, or a list that it holds. */
type Work = (...args: string[]) => Promise<number | readonly unknown[]>;

async function fold(path: string, tools: "include" | "omit"): Promise<readonly unknown[]> {
  const projection = conversation({ tools });
  const { messages } = await foldBatches(projection, readEvents(path, { kinds: projection.needs }));
  return messages;
}

async function everyLine(path: string): Promise<number> {
  let count = 0;
  for await (const events of readEvents(path)) count += events.length;
  return count;
}

async function transcript(path: string): Promise<number> {
  let count = 0;
  for await (const _item of readTranscript(path)) count++;
  return count;
}

/** A list without counts would be no answer. */
async function list(root: string): Promise<readonly unknown[]> {
  const rows = await openStore({ root }).list();
  for (const row of rows) assert.ok((row.message_count ?? 0) > 0 && row.usage !== undefined);
  return rows;
}

const TASKS = {
  streams: plainStreams,
  loop: (path) => Promise.resolve(synchronousLoop(path)),
  every_line: everyLine,
  texts: (path) => fold(path, "omit"),
  conversation: (path) => fold(path, "include"),
  transcript,
  resume: async (path) => (await loadConversation(path)).messages,
  list,
  load: async (root, id) => (await openStore({ root }).load(id)).messages,
  foreign_conversation: (agent, path) => foreignConversation(agent as GeneratedAgent, path),
  foreign_texts: (agent, path) => foreignConversation(agent as GeneratedAgent, path, "omit"),
  foreign_tail: (agent, path) => foreignTail(agent as GeneratedAgent, path),
  foreign_list: (agent, home) => foreignList(agent as GeneratedAgent, home),
  foreign_usage: (agent, home) => foreignUsage(agent as GeneratedAgent, home),
} satisfies Record<string, Work>;

/** Name of a task. */
export type TaskName = keyof typeof TASKS;

async function inProcess(flags: readonly string[], args: readonly string[]): Promise<unknown> {
  const script = fileURLToPath(import.meta.url);
  const engine = flags.length === 0 ? [] : [`--v8-flags=${flags.join(",")}`];
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "-A", ...engine, script, ...args],
    stdout: "piped",
    stderr: "inherit",
  });
  const { success, stdout } = await command.output();
  assert.ok(success, `the measurement failed: ${args.join(" ")}`);
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** Runs a task in a new process, which has run none of its code before. */
export async function runTask(name: TaskName, ...args: string[]): Promise<TaskResult> {
  return await inProcess([], ["time", name, ...args]) as TaskResult;
}

/** Weighs a task in a new process, with the engine set as in the executable. */
export async function weighTask(name: TaskName, ...args: string[]): Promise<TaskMemory> {
  return await inProcess(["--expose-gc", ...v8Flags()], ["weigh", name, ...args]) as TaskMemory;
}

/** Milliseconds that each of several tasks took with a file, in turns in one new process. */
export async function compareTasks<Name extends TaskName>(
  names: readonly Name[],
  rounds: number,
  path: string,
): Promise<Record<Name, number[]>> {
  const args = ["compare", names.join(","), `${rounds}`, path];
  return await inProcess(["--expose-gc"], args) as Record<Name, number[]>;
}

function collectGarbage(): void {
  (globalThis as unknown as { gc(): void }).gc();
}

/** What a task gave, in a place that it can be taken away from. */
interface Held {
  result: number | readonly unknown[];
}

async function work(name: TaskName, args: string[], held: Held): Promise<void> {
  const task: Work = TASKS[name];
  held.result = await task(...args);
}

async function timed(name: TaskName, args: string[]): Promise<TaskResult> {
  const held: Held = { result: 0 };
  const start = performance.now();
  await work(name, args, held);
  const ms = performance.now() - start;
  const count = typeof held.result === "number" ? held.result : held.result.length;
  return { ms, peak_memory: peakMemory(), count };
}

async function weighed(name: TaskName, args: string[]): Promise<TaskMemory> {
  const held: Held = { result: 0 };
  await work(name, args, held);
  const peak_memory = peakMemory();
  collectGarbage();
  const { heapUsed } = Deno.memoryUsage();
  held.result = 0;
  collectGarbage();
  return { peak_memory, result_bytes: heapUsed - Deno.memoryUsage().heapUsed };
}

function readThrough(path: string): void {
  using file = Deno.openSync(path, { read: true });
  const buffer = new Uint8Array(1024 * 1024);
  while (file.readSync(buffer) !== null);
}

async function answer([action, first = "", ...rest]: readonly string[]): Promise<unknown> {
  if (action === "time") return await timed(first as TaskName, rest);
  if (action === "weigh") return await weighed(first as TaskName, rest);
  const [rounds, path = ""] = rest;
  return await inTurns(first.split(",") as TaskName[], Number(rounds), async (name) => {
    // None pays for what the one before it left behind, nor for a file that left the memory.
    collectGarbage();
    readThrough(path);
    return (await timed(name, [path])).ms;
  });
}

if (import.meta.main) {
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(await answer(Deno.args))));
}
