/**
 * The rounds of a request: each is a response of the model with its calls. They stand in the metadata
 * of a result (`IToolCallRound`, vscode-copilot-chat, prompt/common/intents.ts).
 */
import type { ReasoningPart } from "../../event/message.ts";
import { asList, asName, asObject, asText, type Json } from "../../reading/json_value.ts";

/** Returns the text of Markdown, which is a string or an object with one. */
export function markdown(value: unknown): string {
  return asText(value) ?? asText(asObject(value).value) ?? "";
}

/** A call as the model made it. */
export interface RoundCall {
  call: Json;
  /** Number of the response that made it, among those of its request. */
  round: number;
  /** The result that the model got, if it is known. */
  result: Json | undefined;
}

/** Returns the calls that the metadata of a request's result holds, by their ids. */
export function roundCalls(metadata: Json): Map<string, RoundCall> {
  const results = asObject(metadata.toolCallResults);
  const calls = new Map<string, RoundCall>();
  for (const [round, value] of asList(metadata.toolCallRounds).entries()) {
    for (const call of asList(asObject(value).toolCalls).map(asObject)) {
      const id = asText(call.id) ?? "";
      const result = results[id];
      calls.set(id, { call, round, result: result === undefined ? undefined : asObject(result) });
    }
  }
  return calls;
}

/** Finds summaries (vscode-copilot-chat, summarizedConversationHistory.tsx). */
export function summariesIn({ toolCallRounds, summaries }: Json): Map<number, string> {
  const told = new Map(
    asList(summaries).map(asObject).map(({ toolCallRoundId, text }) => [toolCallRoundId, text]),
  );
  return new Map(
    asList(toolCallRounds).map(asObject).flatMap(({ id, summary }, round) => {
      const text = asName(summary) ?? asName(told.get(id));
      return text === undefined ? [] : [[round, text] as const];
    }),
  );
}

/** Returns the reasoning that only the metadata has. */
export function thoughtsIn(
  items: readonly Json[],
  { toolCallRounds }: Json,
): Map<number | undefined, ReasoningPart> {
  const isShown = items.some(({ kind, value }) =>
    kind === "thinking" && (asName(value) ?? asList(value)[0]) !== undefined
  );
  const rounds = isShown ? [] : asList(toolCallRounds).map((round) => asObject(round).thinking);
  return new Map(
    [...rounds.entries()].flatMap(([round, thinking]) => {
      const { text } = asObject(thinking);
      const said = asName(text) ?? asName(asList(text).map(markdown).join(""));
      return said === undefined
        ? []
        : [[round, { type: "reasoning" as const, text: said }] as const];
    }),
  );
}
