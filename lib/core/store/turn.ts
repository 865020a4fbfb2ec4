/**
 * One turn of an agent: a prompt, responses with their calls, results. It adds the ids of the turn
 * and of the responses, so that the agent need not do so.
 *
 * @module
 */
import type { NewEvent } from "../event/envelope.ts";
import {
  amount,
  checkArgument,
  type Guard,
  isObject,
  list,
  optional,
  text,
  words,
} from "../event/guard.ts";
import type {
  AttachmentPart,
  CallStatus,
  Content,
  Message,
  Output,
  OutputPart,
  Part,
} from "../event/message.ts";
import type { PayloadByKind } from "../event/payload.ts";
import { present } from "../event/present.ts";
import { SessionError } from "../event/session_error.ts";
import { checkDrafts, checkTurnId } from "./checked_arguments.ts";
import { options, unchecked } from "./checked_options.ts";
import { withHashes } from "./prompt_content.ts";
import type { Appended, ResponseMeta } from "./session_parts.ts";
import { appendedLast, spentGuard, withSpent } from "./spent.ts";

/** A tool call of a response, as `Turn.assistant` takes it. */
export interface ResponseCall {
  /** The provider's id of the call. @default {a new one} */
  id?: string | undefined;
  /** The tool's name. */
  name: string;
  /** The arguments as JSON. */
  input: unknown;
  /** The JSON text of `input` as the model wrote it. */
  input_text?: string | undefined;
  /** Data that goes back to the same provider with the call, unchanged. */
  provider_data?: unknown;
}

/**
 * A response of a model, given as `content`, or as text, reasoning and calls. A field with the
 * value `undefined` counts as absent.
 */
export interface ModelAnswer extends ResponseMeta {
  /** All parts in order, in place of `reasoning`, `text` and `calls`. */
  content?: Content | undefined;
  /** The reasoning, in order, with the data to send back to its provider. */
  reasoning?: readonly { text: string; provider_data?: unknown }[] | undefined;
  /** The text of the response. */
  text?: string | undefined;
  /** The tool calls in the response, in order. */
  calls?: readonly ResponseCall[] | undefined;
}

/**
 * The outcome of a call, its output for the model, and its duration. A field with the value
 * `undefined` counts as absent.
 */
export interface CallResult {
  /**
   * The outcome. Without an output or error, the model gets words such as "(the call was
   * interrupted)". Any status may have an `error`.
   *
   * @default {"ok", or "error" with `error`}
   */
  status?: CallStatus | undefined;
  /** The output for the model: a text, or parts with text, values and images given as base64. */
  output?:
    | string
    | readonly (OutputPart | Omit<AttachmentPart, "sha256" | "bytes">)[]
    | undefined;
  /** A JSON value that the tool returned, in place of `output`. */
  json?: unknown;
  /** Why the call failed. The model gets this text after the output, be it a text or parts. */
  error?: string | undefined;
  /** Milliseconds that the call took; may have a fraction. */
  duration_ms?: number | undefined;
}

export interface TurnSession {
  append(event: NewEvent): Promise<Appended>;
  appendAll(events: readonly NewEvent[]): Promise<Appended[]>;
  conversation(): Promise<{ messages: readonly Message[] }>;
}

/**
 * A turn that is under way. Made by `Session.turn`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { openStore } from "@reprise/reprise";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * {
 *   const session = openStore({ root }).create({ cwd: root });
 *   const turn = session.turn();
 *   await turn.user("What is in a.txt?");
 *   await turn.assistant({ calls: [{ id: "c1", name: "read", input: { path: "a.txt" } }] });
 *   await turn.start("c1");
 *   await turn.result("c1", { output: "one" });
 *   const { messages } = await session.conversation();
 *   assert.deepEqual(messages.map(({ role }) => role), ["user", "assistant", "tool"]);
 *   await session.release();
 * }
 * await rm(root, { recursive: true });
 * ```
 */
export class Turn {
  /** The id that all events of the turn have. */
  readonly id: string;
  readonly #session: TurnSession;
  readonly #names = new Map<string, string>();

  /**
   * Begins a turn. Programs call `Session.turn`, which calls this constructor.
   *
   * @param session The session to append to.
   * @param id The turn's id.
   */
  constructor(session: TurnSession, id: string) {
    checkTurnId(id);
    this.#session = session;
    this.id = id;
  }

  /**
   * Appends what the user said. SHA-256 and size of an image or file are computed from its `data`,
   * unless given.
   *
   * @param content A text, or parts: texts, and images or files in base64.
   * @throws {SessionError} As a rejection: `invalid-event` if the content is empty, or `data` is
   * not base64.
   */
  async user(
    content: string | readonly (Part | Omit<AttachmentPart, "sha256" | "bytes">)[],
  ): Promise<Appended> {
    checkArgument("append user_message", "content", notEmpty, content, REFUSED);
    const payload = { content: withHashes<Part>(content, "user_message: content") };
    return await this.append({ kind: "user_message", payload });
  }

  /**
   * Appends a response of the model, with its calls, in one event. For a response without content,
   * call `fail`, which records its usage. A text of white space alone is stored, but not sent to
   * the model.
   *
   * @throws {SessionError} As a rejection: `invalid-event` if the answer has no content, text,
   * reasoning or call, or has unknown fields or tokens; see `Session.append`.
   */
  async assistant(answer: ModelAnswer): Promise<Appended> {
    checkArgument("append assistant_message", "answer", modelAnswer, answer, REFUSED);
    const { content: _content, reasoning: _reasoning, text: _text, calls: _calls, ...meta } =
      answer;
    const content = contentOf(answer);
    const message_id = crypto.randomUUID();
    const payload = { content, message_id, ...present(meta) };
    const appended = await this.append({ kind: "assistant_message", payload });
    for (const part of typeof content === "string" ? [] : content) {
      if (part.type === "tool_call") this.#names.set(part.call_id, part.name);
    }
    return appended;
  }

  /**
   * Appends the part of an answer that was shown before the answer was cut off. The model gets that
   * part. Append a prompt before the next request: most providers refuse a request that ends with
   * an answer. The part, its cost and the failure are one write.
   *
   * @param text The part of the answer that the user saw. The model gets no message for `""`.
   * @param cause The reason, or the reason with what the response cost. With the `error` of the
   * provider or the network, the turn also fails, as by `fail`. Without a reason, the user stopped
   * the answer, and the summary's `last_error` is cleared.
   * @throws {SessionError} As a rejection: `invalid-event` for unknown fields or tokens.
   *
   * @example
   * ```ts
   * import assert from "node:assert/strict";
   * import { memoryStore } from "@reprise/reprise";
   *
   * const session = memoryStore().create({ cwd: "/home/ada/src" });
   * const turn = session.turn();
   * await turn.user("Why is the test red?");
   * await turn.interrupted("A port is", { error: "ECONNRESET" });
   * const { messages, failed, error } = await session.conversation();
   * assert.deepEqual([messages.length, failed, error], [2, "error", "ECONNRESET"]);
   * assert.equal(session.summary.last_error, "ECONNRESET");
   * ```
   */
  async interrupted(
    text: string,
    cause:
      | string
      | Readonly<
        & { reason?: string | undefined; error?: string | undefined }
        & Omit<ResponseMeta, "finish_reason" | "provider_data">
      > = {},
  ): Promise<Appended> {
    const { error, reason = error === undefined ? "user" : "error", ...spent } =
      typeof cause === "string" ? { reason: cause, error: undefined } : cause;
    const payload = { content: text, message_id: crypto.randomUUID(), reason };
    const failure = error === undefined ? [] : [failureOf("error", error)];
    return await this.#appendSpent({ kind: "assistant_interrupted", payload }, spent, failure);
  }

  /**
   * Appends a call's start. After a crash, the model is told that the call may have run. If the call
   * runs again after a crash, a second start is not needed, and changes nothing. The start is synced
   * only with the durability `event`. To keep it after a power cut, call `session.sync()`.
   */
  async start(call_id: string): Promise<Appended> {
    return await this.append({ kind: "tool_start", payload: { call_id } });
  }

  /**
   * Appends the result of a call, of this turn or of a turn that was stopped.
   *
   * @throws {SessionError} As a rejection: `invalid-event` where no response made the call, or a
   * compaction replaced it.
   */
  async result(call_id: string, result: CallResult = {}): Promise<Appended> {
    checkArgument("append tool_end", "call_id", text, call_id, REFUSED);
    checkArgument("append tool_end", "result", callResult, result, REFUSED);
    const name = this.#names.get(call_id) ?? await this.#nameInConversation(call_id);
    if (name === undefined) {
      const why =
        `no answer of the model in this session contains the tool call ${call_id}; append that answer first`;
      throw new SessionError("invalid-event", `Cannot append tool_end: ${why}`, {});
    }
    const payload = endOf(call_id, name, result);
    return await this.append({ kind: "tool_end", payload });
  }

  async #nameInConversation(call_id: string): Promise<string | undefined> {
    const { messages } = await this.#session.conversation();
    const parts = messages.flatMap(({ content }) => typeof content === "string" ? [] : content);
    const call = parts.findLast((part) => part.type === "tool_call" && part.call_id === call_id);
    return call?.type === "tool_call" ? call.name : undefined;
  }

  /**
   * Appends the failure of a turn that got no answer, or only a part of an answer. The prompt
   * stays: to try again, repeat the request without another prompt. The failure and its cost are
   * one write.
   *
   * @param message What the user saw, such as the provider's error. `conversation()` returns it as
   * `error`, the session's summary as `last_error`. A cancelled turn clears `last_error`.
   * @param cause The reason, or the reason with what the response cost.
   * @throws {SessionError} As a rejection: `invalid-event` for unknown fields or tokens.
   */
  async fail(
    message: string,
    cause:
      | "error"
      | "cancelled"
      | Readonly<
        & { reason?: "error" | "cancelled" | undefined }
        & Omit<ResponseMeta, "finish_reason" | "provider_data">
      > = {},
  ): Promise<Appended> {
    const { reason = "error", ...spent } = typeof cause === "string" ? { reason: cause } : cause;
    return await this.#appendSpent(failureOf(reason, message), spent);
  }

  async #appendSpent(
    event: NewEvent,
    spent: Omit<ResponseMeta, "finish_reason" | "provider_data">,
    more: readonly NewEvent[] = [],
  ): Promise<Appended> {
    checkArgument(`append ${event.kind}`, "cause", spentGuard, spent, REFUSED);
    const events = [...withSpent(event, spent), ...more]
      .map((one) => ({ ...one, turn_id: this.id }));
    return await appendedLast(this.#session, events);
  }

  /** Appends an event with this turn's id. */
  async append(event: NewEvent): Promise<Appended> {
    return await this.#session.append({ ...event, turn_id: this.id });
  }

  /**
   * Appends events of this turn in one write, such as an answer by `fromMessages`.
   *
   * @throws {SessionError} As `Session.appendAll`.
   *
   * @example
   * ```ts
   * import assert from "node:assert/strict";
   * import { fromMessages, memoryStore } from "@reprise/reprise";
   *
   * const session = memoryStore().create({ cwd: "/home/ada/src" });
   * const turn = session.turn();
   * await turn.user("Hello");
   * await turn.appendAll(fromMessages("openai", [{ role: "assistant", content: "Hi!" }]));
   * assert.equal((await session.request("openai")).messages.length, 2);
   * ```
   */
  async appendAll(events: readonly NewEvent[]): Promise<Appended[]> {
    checkDrafts(events);
    return await this.#session.appendAll(events.map((event) => ({ ...event, turn_id: this.id })));
  }
}

const REFUSED = "invalid-event";

function failureOf(reason: "error" | "cancelled", message: string): NewEvent {
  return { kind: "turn_failed", payload: { reason, message } };
}

const notEmpty: Guard = (value) => {
  const isNothing = (part: unknown): boolean =>
    isObject(part) && part.type === "text" && part.text === "";
  const empty = value === "" || (Array.isArray(value) && value.every(isNothing));
  return empty ? "is empty" : undefined;
};

const answerOptions = options<ModelAnswer>({
  content: unchecked,
  text: optional(text),
  reasoning: optional(list(options<NonNullable<ModelAnswer["reasoning"]>[number]>({
    text: unchecked,
    provider_data: unchecked,
  }))),
  calls: optional(list(options<ResponseCall>({
    id: optional(words),
    name: words,
    input: unchecked,
    input_text: unchecked,
    provider_data: unchecked,
  }))),
  model: unchecked,
  provider: unchecked,
  request_id: unchecked,
  finish_reason: unchecked,
  usage: unchecked,
  last_prompt_tokens: unchecked,
  usage_of: unchecked,
  cost_usd: unchecked,
  provider_data: unchecked,
});

/** Checks an answer's field names and their combination. Values are checked with the event. */
const modelAnswer: Guard = (value) => {
  const reason = answerOptions(value);
  if (reason !== undefined) return reason;
  const { content, ...answer } = value as ModelAnswer;
  const beside = (["text", "reasoning", "calls"] as const).filter((name) => answer[name]?.length);
  if (content === undefined) return beside.length === 0 ? NOTHING_SAID : undefined;
  const [other] = beside;
  if (other !== undefined) {
    return `has both content and ${other}, but ${other} would be ignored; give only one of them`;
  }
  return notEmpty(content) === undefined ? undefined : NOTHING_SAID;
};
const NOTHING_SAID =
  "is empty: give text, reasoning, calls or content. If the model ended its turn without any, call " +
  "fail() instead; if its answer was cut off, interrupted(). Both take usage";

const resultOptions = options<CallResult>({
  status: unchecked,
  output: unchecked,
  json: unchecked,
  error: unchecked,
  duration_ms: optional(amount),
});
const callResult: Guard = (value) => {
  const { output, json } = (value ?? {}) as CallResult;
  const both = output !== undefined && json !== undefined;
  return resultOptions(value) ??
    (both ? "has both output and json, but output would be ignored; give only one" : undefined);
};

function contentOf({ content, reasoning = [], text = "", calls = [] }: ModelAnswer): Content {
  if (content !== undefined) return content;
  if (reasoning.length === 0 && calls.length === 0) return text;
  return [
    ...reasoning.map((thought): Part => ({ type: "reasoning", ...thought })),
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...calls.map(({ id, ...call }): Part => {
      return { type: "tool_call", call_id: id ?? crypto.randomUUID(), ...present(call) };
    }),
  ];
}

/** Appends the error to parts, because the model would otherwise get the parts alone. */
function withReason(output: Output, error: string | undefined): Output {
  if (typeof output === "string" || error === undefined) return output;
  return [...output, { type: "text", text: error, audience: "model" }];
}

function endOf(
  call_id: string,
  name: string,
  { status, output, json, error, duration_ms }: CallResult,
): PayloadByKind["tool_end"] {
  const given: Output | undefined = json !== undefined
    ? [{ type: "json", value: json }]
    : output && withReason(withHashes<OutputPart>(output, "tool_end: output"), error);
  return present({
    call_id,
    name,
    status: status === undefined ? (error === undefined ? "ok" : "error") : status,
    output: given,
    error,
    duration_ns: duration_ms === undefined ? undefined : Math.round(duration_ms * 1e6),
  });
}
