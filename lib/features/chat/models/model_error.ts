/**
 * The error of a request to a model without a complete response.
 *
 * @module
 */
import type { PartialResponse } from "./model.ts";

/** The reason for a missing response. */
export type ModelErrorCode =
  /** The signal aborted the request. */
  | "aborted"
  /** 429. */
  | "rate-limited"
  /** 5xx, or an error in the stream. */
  | "server"
  | "network"
  /** The stream ended before the response did, or went silent. */
  | "cut-stream"
  /** 401 and 403. */
  | "unauthorized"
  /** The conversation does not fit the window. */
  | "context-length"
  /** Any other refusal: 400, 404. */
  | "refused"
  /** The server redirects to another server, which gets no request. */
  | "redirected"
  /** The response was stopped because it is longer than any model's. */
  | "too-long"
  /** The answer is not a response. */
  | "invalid-response";

/** The data by which a caller can act on a {@linkcode ModelError}. */
export interface ModelErrorData {
  /** HTTP status; absent without an answer. */
  status?: number;
  /** Milliseconds that the server asks to wait. */
  retry_after_ms?: number;
  partial?: PartialResponse;
}

const TRANSIENT: ReadonlySet<ModelErrorCode> = new Set([
  "rate-limited",
  "server",
  "network",
  "cut-stream",
]);

/**
 * A failed request to a model: `code` is the reason, `partial` the beginning of the response.
 */
export class ModelError extends Error {
  override name = "ModelError";
  readonly code: ModelErrorCode;
  readonly data: ModelErrorData;

  /**
   * Describes the failure for programs (`code`, `data`) and for people (`message`).
   *
   * @param code The reason for the missing response.
   * @param message The action that failed, then the reason.
   * @param data Facts for acting on the error.
   * @param cause The underlying error.
   */
  constructor(code: ModelErrorCode, message: string, data: ModelErrorData = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.data = data;
  }

  /** Returns the beginning of a broken response; empty texts without one. */
  get partial(): PartialResponse {
    return this.data.partial ?? { text: "", reasoning: "" };
  }

  /** True if the same request may succeed later, and none of the response was shown. */
  get retryable(): boolean {
    const { text, reasoning } = this.partial;
    return TRANSIENT.has(this.code) && text === "" && reasoning === "";
  }
}
