import { asName, asNumber, asObject, type Json, present } from "../engine/json.ts";
import type { LinePosition } from "../../core/event/envelope.ts";
import type { TokenUsage } from "../../core/event/payload.ts";
import { promptUsage } from "../engine/events/prompt_usage.ts";
import { noPrompts, type Prompts, type Skill } from "./compaction.ts";
import { noCalls, type ToolCalls } from "./tool_calls.ts";

export interface CopilotState {
  /** Offset of the record that the head was made of. */
  head_offset?: number;
  calls: ToolCalls;
  /** Places of stored bytes, by id. */
  assets: Map<string, LinePosition>;
  /** The user's prompts so far, and the skills in use: a compaction repeats them. */
  prompts: Prompts;
  skills: Skill[];
  /** The output tokens of answers so far; undefined if earlier events were not read. */
  spent: Spent | undefined;
  /** Tokens of requests whose answers follow, by the ids of the requests; see `noteRequest`. */
  requests: Map<string, TokenUsage>;
  /** True where each request has its tokens. Then the sums at the ends of runs tell nothing new. */
  counted: boolean;
  turn_id?: string | undefined;
  /** The last thought with an event of its own. */
  thought?: string | undefined;
  /** The first event of the last answer that makes calls. */
  calling_seq?: number | undefined;
  /** The first event that the open compaction keeps. */
  kept_from?: number | undefined;
}

/** Returns the state before the first event, or amid the session. */
export function startState(amid = false): CopilotState {
  return {
    calls: noCalls(),
    assets: new Map(),
    prompts: noPrompts(),
    skills: [],
    spent: amid ? undefined : new Map(),
    requests: new Map(),
    counted: false,
  };
}

// Reads the usage of a Copilot CLI run by model, from the sum at its end. Sub-agents are included.
//
// A run before is not: the sums are made of events that are not stored (0.0.420, index.js,
// `processUsageEvent`). Answers tell their output alone, which is taken off.

// Since 1.0, `session.usage_record` tells what each request took, before its answer. The sums at the
// ends of runs go on from run to run there (1.0.102, as it wrote them).

/** Keeps the tokens of a request for its answer. */
export function noteRequest({ requests }: CopilotState, data: Json): void {
  const { apiCallId, ...usage } = asObject(data.usage);
  const tokens = tokensOf(usage);
  if (tokens !== undefined) requests.set(asName(apiCallId) ?? "", tokens);
}

/** Takes the tokens of an answer's request. */
export function takeRequest(
  { requests }: CopilotState,
  apiCallId: unknown,
): TokenUsage | undefined {
  const id = asName(apiCallId) ?? "";
  const usage = requests.get(id);
  requests.delete(id);
  return usage;
}

/** Reads the tokens of a request, or of the sum of some. */
export function tokensOf(usage: Json): TokenUsage | undefined {
  return promptUsage({
    prompt: asNumber(usage.inputTokens),
    output: asNumber(usage.outputTokens),
    cache_read: asNumber(usage.cacheReadTokens),
    cache_write: asNumber(usage.cacheWriteTokens),
  });
}

/** Output tokens by model, as answers report them, since the last sum. */
type Spent = Map<string, number>;

/** Adds an answer's output tokens, if those of earlier answers are known. */
export function noteSpent(spent: Spent | undefined, { model, outputTokens }: Json): void {
  const name = asName(model) ?? "";
  spent?.set(name, (spent.get(name) ?? 0) + (asNumber(outputTokens) ?? 0));
}

/**
 * Returns the tokens of each model beside those that answers told; no usage where that is not
 * known.
 */
export function runUsage(
  metrics: unknown,
  spent: Spent | undefined,
): { model: string; usage: TokenUsage | undefined; usage_of: "turn" | undefined }[] {
  return Object.entries(asObject(metrics)).flatMap(([model, sums]) => {
    const sum = tokensOf(asObject(asObject(sums).usage));
    const output = sum?.output;
    const usage = sum && present({
      ...sum,
      output: output && Math.max(0, output - (spent?.get(model) ?? 0)),
    });
    const { count } = asObject(asObject(sums).requests);
    const usage_of = count === 1 ? undefined : "turn";
    return usage === undefined
      ? []
      : [{ model, usage: spent && usage, usage_of: spent && usage_of }];
  });
}
