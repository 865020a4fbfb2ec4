/** Runs one turn: asks the model and runs its tool calls, until it answers without a call. */
import type { Content, Message } from "../../../mod.ts";
import { present } from "../../core/event/present.ts";
import { type CallsParts, makeCalls } from "./calls.ts";
import type { TurnEnd } from "./chat_options.ts";
import type { ModelClient, ModelResponse, PartialResponse } from "./models/model.ts";
import { ModelError } from "./models/model_error.ts";

export interface TurnParts extends CallsParts {
  model: ModelClient;
  system: string;
  messages: () => Message[];
  newId: () => string;
  max_requests: number;
  /** Receives each response, to count the tokens that the provider reports. */
  count: (response: ModelResponse) => void;
  /** Compacts the conversation if it nearly fills the window or if `urgent`. True if compacted. */
  makeRoom: (urgent: boolean) => Promise<boolean>;
}

/** Runs a turn whose prompt is already stored. A model's failure is stored as the turn's end. */
export async function runTurn(parts: TurnParts): Promise<TurnEnd> {
  for (let requests = 0; requests < parts.max_requests; requests++) {
    const message_id = parts.newId();
    const response = await respond(message_id, parts);
    if (typeof response === "string") return response;
    if (response.calls.length === 0) return "completed";
    await makeCalls(response.calls, parts);
    if (parts.signal.aborted) return await cancel(parts);
  }
  return await fail(`Stopped after ${parts.max_requests} requests in one turn`, parts);
}

/** Returns the model's response after storing it. If there is none, returns how the turn ended. */
async function respond(message_id: string, parts: TurnParts): Promise<ModelResponse | TurnEnd> {
  try {
    await parts.makeRoom(false);
    const response = withDistinctCalls(await askWithRoom(parts));
    parts.count(response);
    await keepResponse(response, message_id, parts);
    return response;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return await breakOff(error, message_id, parts);
  } finally {
    parts.view.onResponseEnd?.();
  }
}

/** Makes call ids distinct, because some servers repeat or omit them. */
function withDistinctCalls(response: ModelResponse): ModelResponse {
  const taken = new Set<string>();
  const calls = response.calls.map((call) => {
    let call_id = call.call_id;
    for (let count = 2; taken.has(call_id); count++) call_id = `${call.call_id}_${count}`;
    taken.add(call_id);
    return call_id === call.call_id ? call : { ...call, call_id };
  });
  return { ...response, calls };
}

async function askWithRoom(parts: TurnParts): Promise<ModelResponse> {
  try {
    return await ask(parts);
  } catch (error) {
    const too_long = error instanceof ModelError && error.code === "context-length";
    if (!too_long || !await parts.makeRoom(true)) throw error;
    return await ask(parts);
  }
}

async function ask({ model, system, messages, tools, signal, view }: TurnParts): Promise<
  ModelResponse
> {
  if (signal.aborted) throw new ModelError("aborted", "The request was stopped");
  const definitions = tools.map(({ definition }) => definition);
  return await model.complete({ system, messages: messages(), tools: definitions }, {
    signal,
    onDelta: (delta) => view.onDelta?.(delta),
    onRetry: ({ wait_ms, message }) => {
      view.onResponseEnd?.();
      const seconds = Math.ceil(wait_ms / 1000);
      view.onNotice?.({ code: "retrying", message: `${message}; trying again in ${seconds} s` });
    },
  });
}

/** Stores a response in one event, so that it is never incomplete. */
async function keepResponse(
  response: ModelResponse,
  message_id: string,
  { keep }: TurnParts,
): Promise<void> {
  const { model, provider, usage, finish_reason } = response;
  const request_id = response.request_id ?? response.message_id;
  await keep({
    kind: "assistant_message",
    payload: present({
      content: contentOf(response),
      message_id,
      model,
      provider,
      request_id,
      finish_reason,
      usage,
    }),
  });
}

function contentOf(
  { reasoning, text, calls }: Pick<ModelResponse, "reasoning" | "text" | "calls">,
): Content {
  if (reasoning.length === 0 && calls.length === 0) return text;
  return [
    ...reasoning.map((thought) => ({ type: "reasoning" as const, ...thought })),
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...calls.map((call) => ({ type: "tool_call" as const, ...call })),
  ];
}

async function breakOff(
  error: ModelError,
  message_id: string,
  parts: TurnParts,
): Promise<TurnEnd> {
  const cancelled = error.code === "aborted";
  const shown = await keepPartial(error.partial, message_id, cancelled ? "user" : "error", parts);
  if (!cancelled) return await fail(error.message, parts);
  return shown ? "cancelled" : await cancel(parts);
}

async function keepPartial(
  { text, reasoning }: PartialResponse,
  message_id: string,
  reason: string,
  { keep }: TurnParts,
): Promise<boolean> {
  if (text === "" && reasoning === "") return false;
  const thoughts = reasoning === "" ? [] : [{ text: reasoning }];
  const content = contentOf({ reasoning: thoughts, text, calls: [] });
  await keep({ kind: "assistant_interrupted", payload: { content, message_id, reason } });
  return true;
}

async function cancel({ keep }: TurnParts): Promise<TurnEnd> {
  const message = "Interrupted by the user";
  await keep({ kind: "turn_failed", payload: { reason: "cancelled", message } });
  return "cancelled";
}

async function fail(message: string, { keep }: TurnParts): Promise<TurnEnd> {
  await keep({ kind: "turn_failed", payload: { reason: "error", message } });
  return "failed";
}
