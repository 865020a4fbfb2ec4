import { asName, asNumber, asObject, type Json, present } from "../engine/json.ts";
import type { LinePosition } from "../../core/event/envelope.ts";
import type { TokenUsage } from "../../core/event/payload.ts";
import { promptUsage } from "../engine/events/prompt_usage.ts";
import { noPrompts, type Prompts, type Skill } from "./compaction.ts";
import { noCalls, type ToolCalls } from "./tool_calls.ts";

export interface CopilotState {
  /** Byte offset of the record from which `session_started` was made. */
  head_offset?: number;
  calls: ToolCalls;
  /** Positions in the log of stored attachment bytes, by asset id. */
  assets: Map<string, LinePosition>;
  /** The user's prompts so far. A compaction repeats them, and the `skills` in use. */
  prompts: Prompts;
  skills: Skill[];
  /** The output tokens of answers so far; undefined if earlier events were not read. */
  spent: Spent | undefined;
  /** Tokens of requests whose answer is not read yet, by request id; see `noteRequest`. */
  requests: Map<string, TokenUsage>;
  /** True if the log has each request's tokens. Then the sums at the end of runs are redundant. */
  counted: boolean;
  turn_id?: string | undefined;
  /** The text of the last thought that has an event of its own. */
  thought?: string | undefined;
  /** Number of the first event of the last answer that makes calls. */
  calling_seq?: number | undefined;
  /** Number of the first event that the unfinished compaction keeps. */
  kept_from?: number | undefined;
}

/** Returns the state at the start of a session, or, with `amid`, for reading from its middle. */
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

export function noteRequest({ requests }: CopilotState, data: Json): void {
  const { apiCallId, ...usage } = asObject(data.usage);
  const tokens = tokensOf(usage);
  if (tokens !== undefined) requests.set(asName(apiCallId) ?? "", tokens);
}

export function takeRequest(
  { requests }: CopilotState,
  apiCallId: unknown,
): TokenUsage | undefined {
  const id = asName(apiCallId) ?? "";
  const usage = requests.get(id);
  requests.delete(id);
  return usage;
}

export function tokensOf(usage: Json): TokenUsage | undefined {
  return promptUsage({
    prompt: asNumber(usage.inputTokens),
    output: asNumber(usage.outputTokens),
    cache_read: asNumber(usage.cacheReadTokens),
    cache_write: asNumber(usage.cacheWriteTokens),
  });
}

/** Output tokens by model, as answers reported them since the last `session.shutdown`. */
type Spent = Map<string, number>;

export function noteSpent(spent: Spent | undefined, { model, outputTokens }: Json): void {
  const name = asName(model) ?? "";
  spent?.set(name, (spent.get(name) ?? 0) + (asNumber(outputTokens) ?? 0));
}

/**
 * Returns each model's tokens in a run, less the output tokens that answers already reported. The
 * usage is undefined if that output is not known.
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
