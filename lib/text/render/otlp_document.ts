/**
 * Writes a session as OTLP JSON: a trace per turn, with spans for agent, answers and calls.
 *
 * Source of the names: OpenTelemetry semantic conventions 1.41, docs/gen-ai (in development).
 * Source of the form: opentelemetry-proto, trace/v1/trace.proto. In its JSON mapping, ids are
 * hexadecimal, and times and integers are decimal text.
 */
import type { KnownEvent } from "../../core/event/envelope.ts";
import { isObject } from "../../core/event/guard.ts";
import { sha256 } from "../../core/event/sha256.ts";
import type { TrajectoryCall, TrajectoryStep } from "../../core/projection/trajectory_step.ts";
import { toJsonText } from "./json_lines.ts";
import type { DocumentHeader } from "./session_document.ts";

/** Values of OTLP: `INTERNAL` and `CLIENT` are kinds of spans, `ERROR` a status code. */
const INTERNAL = 1;
const CLIENT = 3;
const ERROR = 2;

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  status?: { code: number; message?: string };
}

interface Attribute {
  key: string;
  value: { stringValue: string } | { intValue: string } | { doubleValue: number };
}

/** The current turn. Its times are in milliseconds since 1970. */
interface Turn {
  trace: string;
  root: string;
  start: number;
  end: number;
  /** The messages that the model got since its last answer. */
  input: object[];
  failed: boolean;
}

/** The end of a call in milliseconds since 1970, and the duration from the event that ends it. */
interface CallEnd {
  time: number;
  duration_ns: number | undefined;
}

/** OTLP document writer. Call `note` for each event, then `step` for each step it completes. */
export interface OtlpDocument {
  begin(header: DocumentHeader): string;
  /** Remembers the provider and the times of calls, because steps do not contain them. */
  note(event: KnownEvent): void;
  step(step: TrajectoryStep): string;
  end(): string;
}

export function otlpDocument(): OtlpDocument {
  return new SpanWriter();
}

class SpanWriter implements OtlpDocument {
  #session = "";
  #agent = "";
  #provider: string | undefined;
  #turn: Turn | undefined;
  #time = 0;
  #count = 0;
  readonly #ends = new Map<string, CallEnd[]>();

  begin({ summary, generator, redacted }: DocumentHeader): string {
    this.#session = summary.session_id;
    this.#agent = summary.agent;
    this.#time = millisecondsOf(summary.created_at, 0);
    const resource = {
      attributes: attributes({
        "service.name": summary.agent,
        "reprise.title": summary.title || undefined,
        "reprise.redacted": String(redacted),
      }),
    };
    return `{"resourceSpans":[{"resource":${toJsonText(resource)},"scopeSpans":[{"scope":${
      toJsonText({ name: generator })
    },"spans":[`;
  }

  note(event: KnownEvent): void {
    if (event.kind === "assistant_message") {
      this.#provider = event.payload.provider ?? this.#provider;
    }
    if (event.kind !== "tool_end" && event.kind !== "bash_end") return;
    const { call_id, duration_ns } = event.payload;
    const ends = this.#ends.get(call_id) ?? [];
    ends.push({ time: millisecondsOf(event.time, this.#time), duration_ns });
    this.#ends.set(call_id, ends);
  }

  step(step: TrajectoryStep): string {
    const time = Math.max(this.#time, millisecondsOf(step.timestamp, this.#time));
    if (step.source === "agent") return this.#answer(step, time);
    const ended = step.source === "user" ? this.#endTurn() : "";
    const turn = step.source === "user" || this.#turn === undefined
      ? this.#beginTurn(step, time)
      : this.#turn;
    turn.failed ||= step.extra.kind === "turn_failed";
    turn.end = Math.max(turn.end, time);
    turn.input.push(said(step.source, step.message));
    // What the user ran, and what no call asked for.
    for (const { content } of step.observation?.results ?? []) {
      turn.input.push(said("tool", content));
    }
    this.#time = time;
    return ended;
  }

  end(): string {
    return `${this.#endTurn()}\n]}]}]}\n`;
  }

  #beginTurn({ extra }: TrajectoryStep, start: number): Turn {
    const trace = idOf(`${this.#session} turn ${extra.seq}`, 32);
    const root = idOf(`${this.#session} root ${extra.seq}`, 16);
    return this.#turn = { trace, root, start, end: start, input: [], failed: false };
  }

  #endTurn(): string {
    const turn = this.#turn;
    this.#turn = undefined;
    if (turn === undefined) return "";
    return this.#span({
      traceId: turn.trace,
      spanId: turn.root,
      name: `invoke_agent ${this.#agent}`,
      kind: INTERNAL,
      ...times(turn.start, turn.end),
      attributes: attributes({
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": this.#agent,
        "gen_ai.conversation.id": this.#session,
        // What no answer followed.
        "gen_ai.input.messages": turn.input.length === 0 ? undefined : toJsonText(turn.input),
      }),
      ...turn.failed ? { status: { code: ERROR } } : {},
    });
  }

  #answer(step: TrajectoryStep, time: number): string {
    const turn = this.#turn ?? this.#beginTurn(step, this.#time || time);
    const { metrics = {}, model_name, tool_calls = [] } = step;
    const input = turn.input.splice(0);
    const chat = this.#span({
      ...this.#child(turn, step, "chat"),
      name: model_name === undefined ? "chat" : `chat ${model_name}`,
      kind: CLIENT,
      ...times(Math.min(Math.max(this.#time, turn.start), time), time),
      attributes: attributes({
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": this.#provider,
        "gen_ai.request.model": model_name,
        "gen_ai.response.model": model_name,
        "gen_ai.conversation.id": this.#session,
        "gen_ai.usage.input_tokens": metrics.prompt_tokens,
        "gen_ai.usage.output_tokens": metrics.completion_tokens,
        "gen_ai.usage.cache_read.input_tokens": metrics.cached_tokens,
        "reprise.cost_usd": metrics.cost_usd,
        "gen_ai.input.messages": input.length === 0 ? undefined : toJsonText(input),
        "gen_ai.output.messages": toJsonText([answered(step)]),
      }),
      ...step.extra.interrupted ? { status: { code: ERROR, message: "interrupted" } } : {},
    });
    this.#time = time;
    turn.end = Math.max(turn.end, time);
    return chat + tool_calls.map((call, at) => this.#call(turn, step, call, at, time)).join("");
  }

  #call(turn: Turn, step: TrajectoryStep, call: TrajectoryCall, at: number, made: number): string {
    const { tool_call_id, function_name } = call;
    const result = step.observation?.results.find(({ source_call_id }) =>
      source_call_id === tool_call_id
    );
    const noted = this.#ends.get(tool_call_id);
    const settled = noted?.shift();
    if (noted?.length === 0) this.#ends.delete(tool_call_id);
    const end = Math.max(made, settled?.time ?? made);
    const duration = (settled?.duration_ns ?? Infinity) / 1e6;
    const failure = result === undefined ? "no result" : result.extra?.status;
    const content = result?.content;
    if (result !== undefined) turn.input.push(returned(tool_call_id, result.content));
    turn.end = Math.max(turn.end, end);
    this.#time = Math.max(this.#time, end);
    return this.#span({
      ...this.#child(turn, step, `call ${at}`),
      name: `execute_tool ${function_name}`,
      kind: INTERNAL,
      ...times(Math.max(made, end - duration), end),
      attributes: attributes({
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": function_name,
        "gen_ai.tool.call.id": tool_call_id,
        "gen_ai.tool.call.arguments": toJsonText(call.arguments),
        "gen_ai.tool.call.result": content,
        "error.type": failure,
      }),
      ...failure === undefined ? {} : { status: { code: ERROR, message: failure } },
    });
  }

  #child(
    { trace, root }: Turn,
    { extra }: TrajectoryStep,
    what: string,
  ): Pick<Span, "traceId" | "spanId" | "parentSpanId"> {
    const spanId = idOf(`${this.#session} ${what} ${extra.seq}`, 16);
    return { traceId: trace, spanId, parentSpanId: root };
  }

  #span(span: Span): string {
    return `${this.#count++ === 0 ? "" : ","}\n${toJsonText(span)}`;
  }
}

function idOf(name: string, digits: number): string {
  return sha256(new TextEncoder().encode(name)).slice(0, digits);
}

function millisecondsOf(time: string | undefined, otherwise: number): number {
  const parsed = Date.parse(time ?? "");
  return Number.isNaN(parsed) ? otherwise : parsed;
}

function times(start: number, end: number): Pick<Span, "startTimeUnixNano" | "endTimeUnixNano"> {
  const nanoseconds = (time: number): string => String(BigInt(Math.round(time * 1e3)) * 1000n);
  return { startTimeUnixNano: nanoseconds(start), endTimeUnixNano: nanoseconds(end) };
}

function attributes(values: Readonly<Record<string, string | number | undefined>>): Attribute[] {
  return Object.entries(values).flatMap(([key, value]): Attribute[] => {
    if (value === undefined) return [];
    if (typeof value === "string") return [{ key, value: { stringValue: value } }];
    return Number.isInteger(value)
      ? [{ key, value: { intValue: String(value) } }]
      : [{ key, value: { doubleValue: value } }];
  });
}

/** Returns a message in the form of gen-ai-input-messages.json and gen-ai-output-messages.json. */
function said(role: string, content: string): object {
  return { role, parts: [{ type: "text", content }] };
}

function returned(id: string, response: string): object {
  return { role: "tool", parts: [{ type: "tool_call_response", id, response }] };
}

function answered({ message, reasoning_content, tool_calls = [], extra }: TrajectoryStep): object {
  const parts = [
    ...reasoning_content === undefined ? [] : [{ type: "reasoning", content: reasoning_content }],
    ...message === "" ? [] : [{ type: "text", content: message }],
    ...tool_calls.map(({ tool_call_id: id, function_name: name, arguments: given }) => ({
      type: "tool_call",
      ...{ id, name, arguments: isObject(given) ? given : {} },
    })),
  ];
  const finish_reason = extra.interrupted ? "error" : tool_calls.length > 0 ? "tool_call" : "stop";
  return { role: "assistant", parts, finish_reason };
}
