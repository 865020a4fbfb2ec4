/** Sends a request and reads its answer as a stream of server-sent events. */
import { errorText } from "../../../core/event/error_text.ts";
import { performance } from "node:perf_hooks";
import { createParser, type EventSourceMessage } from "npm:eventsource-parser@4.1.3";
import { present } from "../../../core/event/present.ts";
import { labelOf, objectOf } from "../json_object.ts";
import { fetchAtOrigin, httpError } from "./http.ts";
import { ModelError } from "./model_error.ts";
import type { AnswerDraft } from "./answer_draft.ts";

interface StreamRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Name of the environment variable with the server's address. */
  setting: string;
  signal?: AbortSignal | undefined;
  /** Milliseconds without data after which the stream counts as cut off. @default {300000} */
  idle_ms?: number | undefined;
}

export interface OpenStream {
  request_id?: string;
  /**
   * The events. Reading to the end leaves the connection open for the next request. Leaving the
   * loop earlier closes the connection.
   */
  events: AsyncGenerator<EventSourceMessage>;
  /** Marks the answer as complete, so that reading waits only briefly for the stream's end. */
  finish: () => void;
  grew: () => void;
}

const IDLE_MS = 300_000;
/** A stream that sends only comments counts as cut off after this multiple of the idle limit. */
const MOST_IDLES = 4;
const LAST_WORDS_MS = 500;
const READ_BYTES = 16 * 1024;
const MAX_EVENT_LENGTH = 16 * 1024 * 1024;

/** Aborts a request after a long silence. */
class Silence implements Disposable {
  readonly #idle = new AbortController();
  readonly #milliseconds: number;
  #grown_at = performance.now();
  #finished = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
    this.broken();
  }

  get signal(): AbortSignal {
    return this.#idle.signal;
  }

  /** Restarts the idle timer of an incomplete answer, unless only comments came for too long. */
  broken(): void {
    const left = this.#grown_at + MOST_IDLES * this.#milliseconds - performance.now();
    if (!this.#finished) this.#begin(Math.min(this.#milliseconds, left));
  }

  grew(): void {
    this.#grown_at = performance.now();
  }

  /** True if the answer is complete, so that silence after it is no failure. */
  get finished(): boolean {
    return this.#finished;
  }

  finish(): void {
    this.#finished = true;
    this.#begin(LAST_WORDS_MS);
  }

  #begin(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#idle.abort(), milliseconds);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}

/**
 * Posts JSON and returns the events of the answer.
 *
 * @throws {ModelError} On a refusal, a failed connection or an abort; from the stream also
 * `cut-stream`.
 */
export async function postForEvents(request: StreamRequest): Promise<OpenStream> {
  const silence = new Silence(request.idle_ms ?? IDLE_MS);
  try {
    const response = await send(request, silence);
    const { headers } = response;
    const request_id = labelOf(headers.get("x-request-id") ?? headers.get("request-id"));
    const events = readEventSource(response, request, silence);
    const finish = (): void => silence.finish();
    const grew = (): void => silence.grew();
    return present({ request_id, events, finish, grew });
  } catch (error) {
    silence[Symbol.dispose]();
    throw toModelError(error, request, "network");
  }
}

async function send(request: StreamRequest, silence: Silence): Promise<Response> {
  const { url, headers, body, setting, signal } = request;
  const signals = signal === undefined ? [silence.signal] : [signal, silence.signal];
  const init = {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream", ...headers },
    body,
    signal: AbortSignal.any(signals),
  };
  const response = await fetchAtOrigin(url, init, setting);
  if (!response.ok) throw await httpError(response);
  const type = labelOf(response.headers.get("content-type")) ?? "";
  if (type.includes("text/event-stream") && response.body !== null) return response;
  await response.body?.cancel();
  const message = `Cannot read the model's answer: expected an event stream, received "${type}"`;
  throw new ModelError("invalid-response", message, { status: response.status });
}

async function* readEventSource(
  response: Response,
  request: StreamRequest,
  silence: Silence,
): AsyncGenerator<EventSourceMessage> {
  const ready: EventSourceMessage[] = [];
  const parser = createParser({
    onEvent: (event) => void ready.push(event),
    maxBufferSize: MAX_EVENT_LENGTH,
  });
  try {
    for await (const text of textsOf(response)) {
      silence.broken();
      parser.feed(text);
      yield* ready.splice(0);
    }
  } catch (error) {
    if (!silence.finished) throw toModelError(error, request, "cut-stream");
  } finally {
    silence[Symbol.dispose]();
  }
}

/**
 * Yields the body of a response as text. One buffer serves the whole body, because default readers
 * take 64 KiB per piece.
 */
async function* textsOf({ body }: Response): AsyncGenerator<string> {
  if (body === null) return;
  const reader = body.getReader({ mode: "byob" });
  const decoder = new TextDecoder();
  let buffer = new ArrayBuffer(READ_BYTES);
  try {
    for (;;) {
      const { value, done } = await reader.read(new Uint8Array(buffer));
      if (done) return yield decoder.decode();
      buffer = value.buffer;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    await reader.cancel().catch(() => {/* It has ended, or failed, and who reads it knows. */});
  }
}

function toModelError(
  error: unknown,
  { signal }: StreamRequest,
  code: "network" | "cut-stream",
): ModelError {
  if (signal?.aborted) return new ModelError("aborted", "The request was stopped", {}, error);
  if (error instanceof ModelError) return error;
  const silent = error instanceof DOMException && error.name === "AbortError";
  const reason = silent ? "it stopped responding" : errorText(error);
  return code === "network" && !silent
    ? new ModelError(code, `Cannot reach the model: ${reason}`, {}, error)
    : new ModelError("cut-stream", `The model's answer broke off: ${reason}`, {}, error);
}

export function parseData(data: string): Record<string, unknown> {
  try {
    return objectOf(JSON.parse(data));
  } catch (error) {
    const message = "Cannot read the model's answer: an event of its stream is not valid JSON";
    throw new ModelError("invalid-response", message, {}, error);
  }
}

/**
 * Passes the events of an answer to `take` until it returns true. Later events are skipped.
 *
 * @param draft The response that `take` adds to.
 * @returns True if the answer was complete when the stream ended.
 */
export async function takeEvents(
  { events, finish, grew }: OpenStream,
  draft: AnswerDraft,
  take: (data: string) => boolean,
): Promise<boolean> {
  let complete = false;
  for await (const { data } of events) {
    if (complete) continue;
    const { size } = draft;
    complete = take(data);
    if (complete) finish();
    else if (draft.size > size) grew();
  }
  return complete;
}

export function endedEarly(): ModelError {
  return new ModelError("cut-stream", "The model's answer broke off: the stream ended early");
}
