/**
 * Repeats requests to a model after temporary failures.
 *
 * @module
 */
import type { CompletionOptions, ModelClient, ModelRequest, ModelResponse } from "./model.ts";
import { ModelError } from "./model_error.ts";

export interface RetryOptions {
  /** Maximum number of requests, the first one included. @default {4} */
  tries?: number;
  /** Milliseconds of the first wait. Each later wait is twice as long. @default {500} */
  base_ms?: number;
  /**
   * Returns a number from 0 to 1 that shortens the waits, so that programs do not retry together.
   * @default {Math.random}
   */
  random?: () => number;
}

/**
 * Makes a client that retries requests, with growing waits, if the server is busy or the network
 * fails. It waits as long as a `Retry-After` header asks. If part of a response was already shown,
 * the error is thrown.
 */
export function retrying(client: ModelClient, options: RetryOptions = {}): ModelClient {
  const { provider, model, context_limit } = client;
  return {
    provider,
    model,
    context_limit,
    complete: (request, completion = {}) => tryAgain(client, options, request, completion),
  };
}

async function tryAgain(
  client: ModelClient,
  options: RetryOptions,
  request: ModelRequest,
  completion: CompletionOptions,
): Promise<ModelResponse> {
  for (let attempt = 1;; attempt++) {
    try {
      return await client.complete(request, completion);
    } catch (error) {
      if (!(error instanceof ModelError) || !error.retryable) throw error;
      const wait_ms = waitAfter(error, attempt, options);
      if (wait_ms === undefined) throw error;
      completion.onRetry?.({ attempt, wait_ms, message: error.message });
      await pause(wait_ms, completion.signal);
    }
  }
}

/** Maximum milliseconds to wait. If a server asks for a longer wait, the request is not retried. */
const MOST_WAIT_MS = 60_000;

/** Returns the milliseconds to wait before the next attempt, or undefined to give up. */
function waitAfter(error: ModelError, attempt: number, options: RetryOptions): number | undefined {
  const { tries = 4, base_ms = 500, random = Math.random } = options;
  if (attempt >= tries) return undefined;
  const { retry_after_ms } = error.data;
  if (retry_after_ms !== undefined) {
    return retry_after_ms > MOST_WAIT_MS ? undefined : retry_after_ms;
  }
  return Math.round(Math.min(base_ms * 2 ** (attempt - 1), MOST_WAIT_MS) * (1 - random() / 2));
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(new ModelError("aborted", "The request was stopped"));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
