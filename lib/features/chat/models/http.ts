/**
 * Requests to models' servers, bounded answers, and errors. Only the user's server gets the key and
 * the conversation.
 */
import { ModelError, type ModelErrorCode, type ModelErrorData } from "./model_error.ts";

const MAX_HOPS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Statuses of redirects that repeat the request. Other redirects turn the request into a `GET`. */
const SAME_REQUEST: ReadonlySet<number> = new Set([307, 308]);

/**
 * Fetches as `fetch`, but follows redirects only to the same origin, and only with the same
 * request.
 *
 * @param setting Name of the environment variable with the server's address, for the message.
 * @throws {ModelError} `redirected` when the server sends the request elsewhere.
 * @throws {TypeError} When there is no connection, as `fetch` does.
 */
export async function fetchAtOrigin(
  url: string,
  init: RequestInit,
  setting = "base_url",
): Promise<Response> {
  let at = new URL(url);
  for (let hop = 0;; hop++) {
    const response = await fetch(at, { ...init, redirect: "manual" });
    const { status } = response;
    const location = response.headers.get("location");
    if (!REDIRECTS.has(status) || location === null) return response;
    await response.body?.cancel();
    const next = URL.parse(location, at);
    const same_request = SAME_REQUEST.has(status) || (init.method ?? "GET") === "GET";
    if (next?.origin !== at.origin || !same_request || hop === MAX_HOPS) {
      throw redirected(at, next, status, setting);
    }
    next.username = at.username;
    next.password = at.password;
    at = next;
  }
}

function redirected(from: URL, to: URL | null, status: number, setting: string): ModelError {
  const there = to === null ? "nowhere" : to.origin === from.origin ? placeOf(to) : originOf(to);
  const message = `Cannot get an answer from the model: ${from.origin} redirects to ${there} \
(status ${status}), so neither the key nor the conversation is sent there. \
If that is the right server, set ${setting} to it`;
  return new ModelError("redirected", message, { status });
}

/** Returns an address without its query, which may hold secrets. */
function placeOf({ origin, pathname }: URL): string {
  return `${origin}${pathname}`.slice(0, 200);
}

/** Returns an address's origin; schemes such as `file:` have none. */
function originOf({ origin, protocol }: URL): string {
  return origin === "null" ? `a ${protocol} address` : origin;
}

/**
 * Reads a body as text, until it ends, has `most_bytes` decompressed bytes, or `patience_ms` pass.
 * The rest of the body is never fetched. If the connection breaks, returns the text so far.
 */
export async function readAtMost(
  { body }: Response,
  most_bytes: number,
  patience_ms: number,
): Promise<string> {
  if (body === null) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const stop = (): Promise<void> => reader.cancel().catch(() => {/* It has ended, or failed. */});
  const timer = setTimeout(stop, patience_ms);
  let text = "";
  try {
    for (let room = most_bytes; room > 0;) {
      const { value, done } = await reader.read();
      if (done) break;
      text += decoder.decode(value.subarray(0, room), { stream: true });
      room -= value.length;
    }
  } catch {
    // The connection broke: return the text so far.
  } finally {
    clearTimeout(timer);
    await stop();
  }
  return text;
}

const MAX_MESSAGE = 600;
const MAX_BODY_BYTES = 64 * 1024;
const BODY_MS = 2000;
const TOO_LONG =
  /context.?length|context.?window|prompt is too long|maximum context|too many (?:input )?tokens/i;

function codeOf(status: number, message: string): ModelErrorCode {
  if (status === 429) return "rate-limited";
  if (status === 401 || status === 403) return "unauthorized";
  if (status >= 500 || status === 408) return "server";
  return TOO_LONG.test(message) ? "context-length" : "refused";
}

export async function httpError(response: Response): Promise<ModelError> {
  const { status, headers } = response;
  const reason = reasonIn(await readAtMost(response, MAX_BODY_BYTES, BODY_MS));
  const data: ModelErrorData = { status };
  const wait = retryAfter(headers);
  if (wait !== undefined) data.retry_after_ms = wait;
  const message = `Cannot get an answer from the model: status ${status}${reason && `: ${reason}`}`;
  return new ModelError(codeOf(status, reason), message, data);
}

export function streamError(error: unknown): ModelError {
  const fields = (typeof error === "object" && error !== null ? error : {}) as {
    type?: unknown;
    message?: unknown;
  };
  const told = typeof fields.message === "string" ? fields.message : JSON.stringify(error);
  const reason = oneLine(told ?? "no reason given");
  const refused = fields.type === "invalid_request_error";
  const code = TOO_LONG.test(reason) ? "context-length" : refused ? "refused" : "server";
  return new ModelError(code, `The model's server failed: ${reason}`);
}

/** Returns the message in `{error: {message}}`, else the beginning of the body. */
function reasonIn(body: string): string {
  try {
    const { error, message } = JSON.parse(body) as { error?: unknown; message?: unknown };
    const inner = typeof error === "object" && error !== null
      ? (error as { message?: unknown }).message
      : error;
    const text = inner ?? message;
    if (typeof text === "string") return oneLine(text);
  } catch {
    // Not JSON: the text itself is the reason.
  }
  return oneLine(body);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().slice(0, MAX_MESSAGE);
}

function retryAfter(headers: Headers): number | undefined {
  const exact = Number(headers.get("retry-after-ms") ?? NaN);
  if (exact >= 0) return exact;
  const told = headers.get("retry-after");
  if (told === null) return undefined;
  const milliseconds = /^\d+(\.\d+)?$/.test(told)
    ? Number(told) * 1000
    : Date.parse(told) - Date.parse(headers.get("date") ?? "");
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}
