/**
 * A step of the Agent Trajectory Interchange Format, ATIF 1.8, of the Harbor framework. Sources:
 * its docs "Agent Trajectory Format", and RFC 0001.
 *
 * @module
 */
import type { KnownEvent } from "../event/envelope.ts";
import type { PayloadByKind, TokenUsage } from "../event/payload.ts";
import { present } from "../event/present.ts";
import { worseIntegrity } from "./transcript/item.ts";

export interface TrajectoryCall {
  /** The id that call and result share; not unique in a trajectory. */
  tool_call_id: string;
  /** The tool's name; `bash` for a shell command. */
  function_name: string;
  /** The arguments. An input that is no object becomes the member `input`. */
  arguments: Record<string, unknown>;
}

export interface TrajectoryResult {
  /** Id of the call that gave this result. Absent if the call is not in the result's step. */
  source_call_id?: string;
  /** The text of the result that the model gets. */
  content: string;
  /** The status of the call; absent if it is `ok`. */
  extra?: { status: string };
}

export interface TrajectoryMetrics {
  /** Tokens of the prompt, including tokens from the cache. */
  prompt_tokens?: number;
  completion_tokens?: number;
  cached_tokens?: number;
  cost_usd?: number;
}

/** One step of a trajectory, without its number. */
export interface TrajectoryStep {
  /** Time in ISO 8601 and UTC; absent if the event has none. */
  timestamp?: string;
  /** The actor of the step; `system` if it was neither the user nor the agent. */
  source: "user" | "agent" | "system";
  /** The text of the step, with a short description of each attachment. */
  message: string;
  /** The model of the step; only on steps of an agent. */
  model_name?: string;
  /** The reasoning of the model; only on steps of an agent. */
  reasoning_content?: string;
  /** The calls of the step; only on steps of an agent. */
  tool_calls?: TrajectoryCall[];
  observation?: { results: TrajectoryResult[] };
  /** Tokens and cost of the step; only on steps of an agent. */
  metrics?: TrajectoryMetrics;
  /** Facts that ATIF has no field for. `seq` is the number of the step's first event. */
  extra: {
    seq: number;
    /** The worst integrity of the step's events; absent if all are intact. */
    integrity?: "salvaged" | "mismatch";
    interrupted?: boolean;
    kind?: string;
    diffs?: PayloadByKind["diff"][];
  };
}

/** Converts the usage of a response. In ATIF the prompt includes cached tokens. */
export function toMetrics(
  usage: TokenUsage,
  cost_usd: number | undefined,
): TrajectoryMetrics {
  const { input, output, cache_read, cache_write } = usage;
  const prompt = (input ?? 0) + (cache_read ?? 0) + (cache_write ?? 0);
  return present({
    prompt_tokens: input === undefined ? undefined : prompt,
    completion_tokens: output,
    cached_tokens: cache_read,
    cost_usd,
  });
}

export function addMetrics(total: TrajectoryMetrics, more: TrajectoryMetrics): TrajectoryMetrics {
  const sum = { ...total };
  for (const [name, value] of Object.entries(more) as [keyof TrajectoryMetrics, number][]) {
    sum[name] = (sum[name] ?? 0) + value;
  }
  return sum;
}

export function markStep({ extra }: TrajectoryStep, { integrity }: KnownEvent): void {
  const mark = worseIntegrity(extra.integrity ?? "verified", integrity);
  if (mark === "salvaged" || mark === "mismatch") extra.integrity = mark;
}
