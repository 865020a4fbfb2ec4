/**
 * A request to a model that gave no complete response.
 *
 * @module
 */
import type { PartialResponse } from "./model.ts";

/** Why there is no response. */
export type ModelErrorCode =
  /** The signal said so. */
  | "aborted"
  /** 429. */
  | "rate-limited"
  /** 5xx, or an error that the stream itself told. */
  | "server"
  /** No connection. */
  | "network"
  /** The stream ended before the response did, or went silent. */
  | "cut-stream"
  /** 401 and 403. */
  | "unauthorized"
  /** The conversation does not fit the window. */
  | "context-length"
  /** Any other refusal: 400, 404. */
  | "refused"
  /** The server sends the request to another one, which was not asked. */
  | "redirected"
  /** The response was stopped because it is longer than any model's. */
  | "too-long"
  /** What came is no response. */
  | "invalid-response";

/** The data by which a caller can act on a {@linkcode ModelError}. */
export interface ModelErrorData {
  /** HTTP status; absent where there was no answer. */
  status?: number;
  /** Milliseconds that the server asks to wait. */
  retry_after_ms?: number;
  /** The part of the response that came before it broke off. */
  partial?: PartialResponse;
}

const TRANSIENT: ReadonlySet<ModelErrorCode> = new Set([
  "rate-limited",
  "server",
  "network",
  "cut-stream",
]);

/**
 * A request to a model failed. `code` says why, `partial` what had come before.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ModelError } from "@reprise/reprise/chat";
 *
 * const error = new ModelError("rate-limited", "Cannot ask the model: too many requests", {
 *   status: 429,
 * });
 * assert.ok(error.retryable);
 * assert.deepEqual(error.partial, { text: "", reasoning: "" });
 * ```
 */
export class ModelError extends Error {
  /** Always `ModelError`. */
  override name = "ModelError";
  /** Why there is no response. */
  readonly code: ModelErrorCode;
  /** The data by which a caller can act on the error. */
  readonly data: ModelErrorData;

  /**
   * Names the failure for programs (`code`, `data`) and for people (`message`).
   *
   * @param code Why there is no response.
   * @param message The action that failed, then why.
   * @param data What a caller needs to act on it.
   * @param cause The error below this one.
   */
  constructor(code: ModelErrorCode, message: string, data: ModelErrorData = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.data = data;
  }

  /** The part of the response that came before it broke off; empty texts where nothing had. */
  get partial(): PartialResponse {
    return this.data.partial ?? { text: "", reasoning: "" };
  }

  /** True if the same request may succeed later and nothing of it was shown yet. */
  get retryable(): boolean {
    const { text, reasoning } = this.partial;
    return TRANSIENT.has(this.code) && text === "" && reasoning === "";
  }
}
