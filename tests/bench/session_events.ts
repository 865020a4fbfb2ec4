/**
 * What a coding agent appends: turns of a prompt, answers, reasoning, calls with their outcome and
 * diffs, without end. The sizes make the distribution that `log_shape.ts` asserts.
 */
import type { NewEvent } from "../../lib/event/envelope.ts";
import type { DiffLine } from "../../lib/event/payload.ts";
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

interface Call {
  call_id: string;
  message_id: string;
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
    const message_id = `msg_${turn}_${step}`;
    if (random.unit() < 0.35) {
      const content = text(random.size(900, 1.1, LONGEST_PROSE));
      yield { kind: "reasoning_message", payload: { content, message_id } };
    }
    const spoken = step === steps - 1 || random.unit() < 0.7;
    yield answer(source, message_id, spoken ? text(random.size(700, 1.3, LONGEST_PROSE)) : "");
    if (step === steps - 1) return;
    const calls = 1 + random.below(2);
    for (let call = 0; call < calls; call++) {
      yield* callEvents(source, { call_id: `call_${turn}_${step}_${call}`, message_id });
    }
  }
}

function answer({ random }: EventSource, message_id: string, content: string): NewEvent {
  const usage = {
    input: random.below(3000),
    output: random.below(2000),
    cache_read: random.below(150_000),
  };
  const payload = { content, message_id, model: "model-large-2", provider: "provider", usage };
  return { kind: "assistant_message", payload };
}

function* callEvents(source: EventSource, call: Call): Generator<NewEvent> {
  const { random } = source;
  const chance = random.unit();
  if (chance < 0.3) yield* bashEvents(source, call);
  else if (chance < 0.5) yield* editEvents(source, call);
  else yield* readingEvents(source, call);
}

function output({ random, text }: EventSource): string {
  return text(random.size(1900, 1.75, LONGEST_OUTPUT));
}

function* bashEvents(source: EventSource, { call_id, message_id }: Call): Generator<NewEvent> {
  const { random, text } = source;
  const command = text(random.size(60, 1, 4000));
  const status = random.unit() < 0.9 ? "ok" : "error";
  yield { kind: "bash_start", payload: { call_id, command, origin: "model", message_id } };
  yield {
    kind: "bash_end",
    payload: {
      call_id,
      command,
      output: output(source),
      exit_code: status === "ok" ? 0 : 1,
      status,
      duration_ns: random.below(5e9),
    },
  };
}

function* readingEvents(source: EventSource, { call_id, message_id }: Call): Generator<NewEvent> {
  const { random } = source;
  const input = { path: `/home/ada/src/ledger/lib/part_${random.below(500)}.ts`, offset: 1 };
  yield { kind: "tool_start", payload: { call_id, name: "read", input, message_id } };
  yield {
    kind: "tool_end",
    payload: {
      call_id,
      name: "read",
      status: "ok",
      output: output(source),
      duration_ns: random.below(1e9),
    },
  };
}

function* editEvents(source: EventSource, { call_id, message_id }: Call): Generator<NewEvent> {
  const { random, text } = source;
  const path = `/home/ada/src/ledger/lib/part_${random.below(500)}.ts`;
  const old_text = text(random.size(300, 1.2, LONGEST_PROSE));
  const new_text = text(random.size(400, 1.2, LONGEST_PROSE));
  const name = "edit";
  const input = { path, old_text, new_text };
  yield { kind: "tool_start", payload: { call_id, name, input, message_id } };
  const settled = `The file ${path} has been updated.`;
  yield { kind: "tool_end", payload: { call_id, name, status: "ok", output: settled } };
  const lines: DiffLine[] = [
    ...old_text.split("\n").map((content, at) => ({ kind: "removed" as const, old: at, content })),
    ...new_text.split("\n").map((content, at) => ({ kind: "added" as const, new: at, content })),
  ];
  yield { kind: "diff", payload: { call_id, path, lines } };
}

/** The first event of a log. */
export function firstEvent(session_id: string, created: Date, cwd: string): NewEvent {
  const app = { name: "bench", version: "1.0.0" };
  const payload = { session_id, created_at: created.toISOString(), cwd, app };
  return { kind: "session_started", payload };
}
