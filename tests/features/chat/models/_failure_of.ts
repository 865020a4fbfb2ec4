/** How a client of a model fails. */
import assert from "node:assert/strict";
import type { CompletionOptions, ModelClient } from "../../../../lib/features/chat/models/model.ts";
import { ModelError } from "../../../../lib/features/chat/models/model_error.ts";

const REQUEST = { messages: [{ role: "user" as const, content: "hi" }], tools: [] };

/** Asks a client; gives the error with which it fails. */
export async function failureOf(
  client: ModelClient,
  options?: CompletionOptions,
): Promise<ModelError> {
  return await client.complete(REQUEST, options).then(
    () => assert.fail("it did not fail"),
    (error: unknown) => {
      assert.ok(error instanceof ModelError, String(error));
      return error;
    },
  );
}
