/**
 * An agent whose responses make three calls each, which run side by side, until it is killed. It
 * tells what was acknowledged, a line each: `response <id> <id> <id>`, `start <id>`, `result <id>`.
 * Run with a JSON script.
 */
import type { Durability } from "../../../lib/core/store/session_parts.ts";
import { openStore } from "../../../lib/core/store/open_store.ts";
import type { Turn } from "../../../lib/core/store/turn.ts";
import { mulberry32 } from "../mulberry32.ts";

/** What the agent is to do. */
export interface Calling {
  root: string;
  durability: Durability;
  seed: number;
  /** Most characters of a text. */
  most_text: number;
  /** Waits to be killed after so many turns. */
  most_turns: number;
}

/** The output of a call. */
export function outputOf(id: string): string {
  return `output of ${id}`;
}

const encoder = new TextEncoder();

function tell(...words: string[]): void {
  Deno.stdout.writeSync(encoder.encode(`${words.join(" ")}\n`));
}

/** Lets other calls begin or end. */
async function pause(steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) await new Promise((resolve) => setTimeout(resolve));
}

async function call(turn: Turn, id: string, before: number, after: number): Promise<void> {
  await pause(before);
  await turn.start(id);
  tell("start", id);
  await pause(after);
  await turn.result(id, { output: outputOf(id) });
  tell("result", id);
}

async function run({ root, durability, seed, most_text, most_turns }: Calling): Promise<void> {
  const unit = mulberry32(seed);
  const below = (most: number): number => Math.floor(unit() * most);
  const session = await openStore({ root, durability }).continueLast({ cwd: root });
  for (let at = 0; at < most_turns; at++) {
    const turn = session.turn();
    await turn.user("x".repeat(1 + below(most_text)));
    const first = session.last_seq;
    const ids = [1, 2, 3].map((number) => `c${first}_${number}`);
    const calls = ids.map((id) => ({ id, name: "read", input: { path: id } }));
    await turn.assistant({ text: "y".repeat(below(most_text)), calls });
    tell("response", ...ids);
    await Promise.all(ids.map((id) => call(turn, id, below(3), below(3))));
    if (below(3) > 0) await turn.assistant({ text: "Done." });
  }
  await new Promise((resolve) => setTimeout(resolve, 60_000));
}

if (import.meta.main) await run(JSON.parse(Deno.args[0] ?? "{}"));
