/**
 * A step of the Agent Trajectory Interchange Format, ATIF 1.8, of the Harbor framework. Sources:
 * its docs "Agent Trajectory Format", and RFC 0001.
 *
 * @module
 */
import type { KnownEvent } from "../event/envelope.ts";
import type { DiffPayload, TokenUsage } from "../event/payload.ts";
import { present } from "../event/present.ts";
import { worseIntegrity } from "./transcript/item.ts";

/** A call of a step. */
export interface TrajectoryCall {
  /** Ties call and result; not unique in a trajectory. */
  tool_call_id: string;
  /** The tool's name; `bash` for a shell command. */
  function_name: string;
  /** The arguments; an input that is no object is its member `input`. */
  arguments: Record<string, unknown>;
}

/** The result of a step's call. */
export interface TrajectoryResult {
  /** The matching call of the same step, if any. */
  source_call_id?: string;
  /** All that the model gets of it. */
  content: string;
  /** The outcome of the call, if it was not `ok`. */
  extra?: { status: string };
}

/** The usage of a model call. */
export interface TrajectoryMetrics {
  /** Tokens of the prompt, those from the cache included. */
  prompt_tokens?: number;
  /** Tokens of the answer. */
  completion_tokens?: number;
  /** Tokens of the prompt that came from the cache. */
  cached_tokens?: number;
  /** US dollars. */
  cost_usd?: number;
}

/** One step, without its number. */
export interface TrajectoryStep {
  /** ISO 8601 in UTC; absent where the event has none. */
  timestamp?: string;
  /** The actor of the step; `system` for what neither said. */
  source: "user" | "agent" | "system";
  /** The message of the step; attachments are named in it. */
  message: string;
  /** The model of this step; only on an agent's. */
  model_name?: string;
  /** The reasoning of the model; only on an agent's. */
  reasoning_content?: string;
  /** Only on an agent's. */
  tool_calls?: TrajectoryCall[];
  /** The results of the step's calls. */
  observation?: { results: TrajectoryResult[] };
  /** Only on an agent's. */
  metrics?: TrajectoryMetrics;
  /** `seq` of the first event, and what ATIF has no field for. */
  extra: {
    seq: number;
    /** The worst integrity of its events; absent if all are intact. */
    integrity?: "salvaged" | "mismatch";
    interrupted?: boolean;
    kind?: string;
    diffs?: DiffPayload[];
  };
}

/** Converts the usage of a model call. ATIF counts cached tokens among those of the prompt. */
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

/** Returns the sum of metrics. A metric that is absent in both stays absent. */
export function addMetrics(total: TrajectoryMetrics, more: TrajectoryMetrics): TrajectoryMetrics {
  const sum = { ...total };
  for (const [name, value] of Object.entries(more) as [keyof TrajectoryMetrics, number][]) {
    sum[name] = (sum[name] ?? 0) + value;
  }
  return sum;
}

/** Marks a step of which an event is not as it was written. */
export function markStep({ extra }: TrajectoryStep, { integrity }: KnownEvent): void {
  const mark = worseIntegrity(extra.integrity ?? "verified", integrity);
  if (mark === "salvaged" || mark === "mismatch") extra.integrity = mark;
}
