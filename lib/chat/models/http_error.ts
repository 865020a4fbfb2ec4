/** Describes an error response of a model's server. */
import { readAtMost } from "./bounded_body.ts";
import { ModelError, type ModelErrorCode, type ModelErrorData } from "./model_error.ts";

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

/** The error of an answer that is not ok. Reads the beginning of its body. */
export async function httpError(response: Response): Promise<ModelError> {
  const { status, headers } = response;
  const reason = reasonIn(await readAtMost(response, MAX_BODY_BYTES, BODY_MS));
  const data: ModelErrorData = { status };
  const wait = retryAfter(headers);
  if (wait !== undefined) data.retry_after_ms = wait;
  const message = `Cannot get an answer from the model: status ${status}${reason && `: ${reason}`}`;
  return new ModelError(codeOf(status, reason), message, data);
}

/** The error that a stream tells in one of its events. */
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

/** The message in a body of `{error: {message}}`, else the body's beginning. */
function reasonIn(body: string): string {
  try {
    const { error, message } = JSON.parse(body) as { error?: unknown; message?: unknown };
    const inner = typeof error === "object" && error !== null
      ? (error as { message?: unknown }).message
      : error;
    const text = inner ?? message;
    if (typeof text === "string") return oneLine(text);
  } catch {
    // No JSON: the text itself says what there is to say.
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
