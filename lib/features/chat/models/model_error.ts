/**
 * The error of a model request that got no complete response.
 *
 * @module
 */
import type { PartialResponse } from "./model.ts";

export type ModelErrorCode =
  | "aborted"
  /** The server answered with HTTP status 429: too many requests. */
  | "rate-limited"
  /** The server answered with HTTP status 408 or 5xx, or reported an error in the stream. */
  | "server"
  | "network"
  /** The stream ended before the response did, or went silent. */
  | "cut-stream"
  /** The server answered with HTTP status 401 or 403. */
  | "unauthorized"
  /** The conversation does not fit the model's context window. */
  | "context-length"
  /** The server refused the request for a reason that has no code here, such as status 404. */
  | "refused"
  /** The server redirects to another server, which gets no request. */
  | "redirected"
  /** The response was stopped because it is longer than any model's. */
  | "too-long"
  | "invalid-response";

export interface ModelErrorData {
  /** HTTP status; absent without an answer. */
  status?: number;
  retry_after_ms?: number;
  partial?: PartialResponse;
}

const TRANSIENT: ReadonlySet<ModelErrorCode> = new Set([
  "rate-limited",
  "server",
  "network",
  "cut-stream",
]);

export class ModelError extends Error {
  override name = "ModelError";
  readonly code: ModelErrorCode;
  readonly data: ModelErrorData;

  /** @param message The action that failed, then the reason. */
  constructor(code: ModelErrorCode, message: string, data: ModelErrorData = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.data = data;
  }

  /** The beginning of the response; its texts are empty if nothing came. */
  get partial(): PartialResponse {
    return this.data.partial ?? { text: "", reasoning: "" };
  }

  /** True if the same request may succeed later, and none of the response was shown. */
  get retryable(): boolean {
    const { text, reasoning } = this.partial;
    return TRANSIENT.has(this.code) && text === "" && reasoning === "";
  }
}
