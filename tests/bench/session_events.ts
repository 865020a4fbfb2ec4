/**
 * What a coding agent appends: turns of a prompt, responses with reasoning, text and calls, the
 * calls' outcome and diffs, without end. The sizes make the distribution that `log_shape.ts` asserts.
 */
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import type { Part } from "../../lib/core/event/message.ts";
import type { DiffLine } from "../../lib/core/event/payload.ts";
import type { Random } from "./random.ts";
import type { TextPool } from "./text_pool.ts";

/** Where the texts and the choices come from. */
export interface EventSource {
  random: Random;
  text: TextPool;
  /** Characters of the longest text. @default {600000} */
  longest?: number;
}

const LONGEST_OUTPUT = 600_000;
const LONGEST_PROSE = 60_000;

/** A call that a response declares, and what its run leaves in the log. */
interface Call {
  part: Part;
  run: () => Iterable<NewEvent>;
}

/** Events of turn after turn. */
export function* sessionEvents(
  { random, text, longest = LONGEST_OUTPUT }: EventSource,
): Generator<NewEvent> {
  const source = { random, text: (size: number) => text(Math.min(size, longest)) };
  for (let turn = 1;; turn++) {
    const turn_id = `t${turn}`;
    for (const event of turnEvents(source, turn)) yield { ...event, turn_id };
  }
}

function* turnEvents(source: EventSource, turn: number): Generator<NewEvent> {
  const { random, text } = source;
  yield { kind: "user_message", payload: { content: text(random.size(400, 1.4, LONGEST_PROSE)) } };
  const steps = 1 + random.below(14);
  for (let step = 0; step < steps; step++) {
    const content: Part[] = [];
    if (random.unit() < 0.35) {
      content.push({ type: "reasoning", text: text(random.size(900, 1.1, LONGEST_PROSE)) });
    }
    const last = step === steps - 1;
    if (last || random.unit() < 0.7) {
      content.push({ type: "text", text: text(random.size(700, 1.3, LONGEST_PROSE)) });
    }
    const calls = Array.from(
      { length: last ? 0 : 1 + random.below(2) },
      (_, call) => randomCall(source, `call_${turn}_${step}_${call}`),
    );
    content.push(...calls.map(({ part }) => part));
    yield response(source, `msg_${turn}_${step}`, content);
    for (const { run } of calls) yield* run();
  }
}

function response({ random }: EventSource, message_id: string, content: Part[]): NewEvent {
  const usage = {
    input: random.below(3000),
    output: random.below(2000),
    cache_read: random.below(150_000),
  };
  const payload = { content, message_id, model: "model-large-2", provider: "provider", usage };
  return { kind: "assistant_message", payload };
}

function randomCall(source: EventSource, call_id: string): Call {
  const chance = source.random.unit();
  if (chance < 0.3) return bashCall(source, call_id);
  return chance < 0.5 ? editCall(source, call_id) : readCall(source, call_id);
}

function output({ random, text }: EventSource): string {
  return text(random.size(1900, 1.75, LONGEST_OUTPUT));
}

function bashCall(source: EventSource, call_id: string): Call {
  const { random, text } = source;
  const command = text(random.size(60, 1, 4000));
  return {
    part: { type: "tool_call", call_id, name: "bash", input: { command } },
    *run(): Generator<NewEvent> {
      const [status, exit_code] = random.unit() < 0.9 ? ["ok", 0] as const : ["error", 1] as const;
      yield { kind: "bash_start", payload: { call_id } };
      const ended = { output: output(source), exit_code, status, duration_ns: random.below(5e9) };
      yield { kind: "bash_end", payload: { call_id, command, ...ended } };
    },
  };
}

function readCall(source: EventSource, call_id: string): Call {
  const { random } = source;
  const name = "read";
  const input = { path: `/home/ada/src/ledger/lib/part_${random.below(500)}.ts`, offset: 1 };
  return {
    part: { type: "tool_call", call_id, name, input },
    *run(): Generator<NewEvent> {
      yield { kind: "tool_start", payload: { call_id } };
      const ended = { output: output(source), duration_ns: random.below(1e9) };
      yield { kind: "tool_end", payload: { call_id, name, status: "ok", ...ended } };
    },
  };
}

function editCall({ random, text }: EventSource, call_id: string): Call {
  const path = `/home/ada/src/ledger/lib/part_${random.below(500)}.ts`;
  const old_text = text(random.size(300, 1.2, LONGEST_PROSE));
  const new_text = text(random.size(400, 1.2, LONGEST_PROSE));
  const name = "edit";
  return {
    part: { type: "tool_call", call_id, name, input: { path, old_text, new_text } },
    *run(): Generator<NewEvent> {
      yield { kind: "tool_start", payload: { call_id } };
      const settled = `The file ${path} has been updated.`;
      yield { kind: "tool_end", payload: { call_id, name, status: "ok", output: settled } };
      yield { kind: "diff", payload: { call_id, path, lines: diffLines(old_text, new_text) } };
    },
  };
}

function diffLines(old_text: string, new_text: string): DiffLine[] {
  return [
    ...old_text.split("\n").map((content, at) => ({ kind: "removed" as const, old: at, content })),
    ...new_text.split("\n").map((content, at) => ({ kind: "added" as const, new: at, content })),
  ];
}

/** The first event of a log. */
export function firstEvent(session_id: string, created: Date, cwd: string): NewEvent {
  const app = { name: "bench", version: "1.0.0" };
  const payload = { session_id, created_at: created.toISOString(), cwd, app };
  return { kind: "session_started", payload };
}
