/**
 * A model that needs no network: to try the chat, and to test what is built on it.
 *
 * @module
 */
import { pause } from "../../platform/pause.ts";
import { improvise, type MockScript, type MockStep } from "./mock_script.ts";
import type { CompletionOptions, ModelClient, ModelRequest, ModelResponse } from "./model.ts";
import { ModelError } from "./model_error.ts";
import { ResponseDraft } from "./response_draft.ts";
import { messageTokens, textTokens } from "../token_estimate.ts";

/**
 * Makes a scripted model. It gives the answers of its script in turn. Then it repeats the prompt,
 * and calls tools on simple words (`run ls`, `read FILE`, `write FILE TEXT`; `help` lists them).
 *
 * @param script What it answers. @default {no steps}
 * @returns The client. The same script gives the same answers.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mockModel } from "@reprise/reprise/chat";
 *
 * const model = mockModel({ steps: [{ text: "Hello!" }] });
 * const { text } = await model.complete({ messages: [{ role: "user", content: "hi" }], tools: [] });
 * assert.equal(text, "Hello!");
 * ```
 */
export function mockModel(script: MockScript = { steps: [] }): ModelClient {
  const { steps, context_limit = 32_000, delay_ms = 0 } = script;
  let asked = 0;
  return {
    provider: "mock",
    model: "mock",
    context_limit,
    complete(request, options = {}): Promise<ModelResponse> {
      const step = { delay_ms, ...(steps[asked] ?? improvise(request)) };
      return perform(step, ++asked, request, options);
    },
  };
}

async function perform(
  step: MockStep,
  number: number,
  request: ModelRequest,
  { signal, onDelta }: CompletionOptions,
): Promise<ModelResponse> {
  const draft = new ResponseDraft(onDelta);
  const stop = (code: ModelError["code"], message: string): never => {
    throw new ModelError(code, message, { partial: draft.partial() });
  };
  const say = async (text: string, add: (word: string) => void): Promise<void> => {
    for (const word of text.match(/\s*\S+|\s+$/g) ?? []) {
      await pause(step.delay_ms ?? 0, signal);
      if (signal?.aborted) stop("aborted", "The request was stopped");
      add(word);
    }
  };
  await say(step.reasoning ?? "", (word) => draft.addReasoning(word));
  await say(step.text ?? "", (word) => draft.addText(word));
  if (step.error !== undefined) stop(step.error, `The scripted model failed: ${step.error}`);
  for (const [index, { name, input, call_id }] of (step.calls ?? []).entries()) {
    const id = call_id ?? `mock_call_${number}_${index + 1}`;
    draft.addCall(index, { id, name, json: JSON.stringify(input) });
  }
  if (signal?.aborted) stop("aborted", "The request was stopped");
  return toResponse(step, draft, number, request);
}

function toResponse(
  step: MockStep,
  draft: ResponseDraft,
  number: number,
  { system = "", messages }: ModelRequest,
): ModelResponse {
  const input = textTokens(system) + messageTokens(messages);
  const output = textTokens(draft.text + JSON.stringify(draft.calls()));
  return {
    message_id: `mock_${number}`,
    text: draft.text,
    reasoning: draft.reasoning(),
    calls: draft.calls(),
    usage: { input, output },
    context_used: step.context_used ?? input + output,
    finish_reason: draft.has_calls ? "tool_calls" : "stop",
    model: "mock",
    provider: "mock",
  };
}
