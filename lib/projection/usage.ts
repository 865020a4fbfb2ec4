/**
 * Usage: tokens and cost, by model and day.
 *
 * @module
 */
import type { EventSource, KnownEvent } from "../event/envelope.ts";
import type { TokenUsage } from "../event/payload.ts";
import { USAGE_KINDS } from "../event/policy.ts";
import type { Projection } from "./projection.ts";
import { addUsage } from "./token_usage.ts";

/** What one model took on one day. */
export interface UsageRow {
  /** UTC, `2026-11-21`; empty where the events carry no time. */
  day: string;
  /** Empty where it was not recorded. */
  model: string;
  /** Answers; one that says the usage of its response again is not counted again. */
  messages: number;
  /** Tokens of all of them together; a count that never occurs is absent. */
  usage: TokenUsage;
  /** US dollars of all of them together; absent where none has a cost. */
  cost_usd?: number;
}

/** Options of {@linkcode usage}. */
export interface UsageOptions {
  /** Whether an event is counted where it was copied from, or in another copy. @default {none is} */
  counted_elsewhere?: (source: EventSource) => boolean;
}

/** State of {@linkcode usage}. */
export interface UsageState {
  /** Keyed by day and model, a newline between. */
  rows: Map<string, UsageRow>;
  /** Up to here the events are copies of the parent's; undefined until the session's own header. */
  copied_through: number | undefined;
  /** Messages whose usage was counted: a response in several events says it more than once. */
  counted: Set<string>;
}

/**
 * The projection of what was used. What a fork copied from its parent is not counted again.
 *
 * @param options What else is counted, where several sessions are.
 * @returns A projection to fold.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { decodeEvent, foldEvents, usage } from "@reprise/reprise";
 *
 * const event = decodeEvent({
 *   seq: 1, kind: "assistant_message", time: "2026-11-21T20:21:53.123Z",
 *   payload: { content: "hi", model: "m1", usage: { input: 10, output: 2 } },
 * });
 * const [row] = foldEvents(usage(), event === undefined ? [] : [event]);
 * assert.deepEqual([row?.day, row?.model, row?.usage], ["2026-11-21", "m1", { input: 10, output: 2 }]);
 * ```
 */
export function usage(
  { counted_elsewhere = () => false }: UsageOptions = {},
): Projection<UsageState, UsageRow[]> {
  return {
    needs: USAGE_KINDS,
    initial: () => ({ rows: new Map(), copied_through: undefined, counted: new Set() }),
    apply(state, event): UsageState {
      if (event.form === "known") applyKnown(state, event, counted_elsewhere);
      return state;
    },
    result: ({ rows }) => [...rows.values()],
  };
}

function applyKnown(
  state: UsageState,
  event: KnownEvent,
  isElsewhere: (source: EventSource) => boolean,
): void {
  if (event.kind === "session_started") {
    // A later one was copied in, with a parent that is not this session's.
    state.copied_through ??= event.payload.parent?.seq ?? 0;
  } else if (event.kind === "assistant_message" && event.seq > (state.copied_through ?? 0)) {
    if (event.source === undefined || !isElsewhere(event.source)) count(state, event);
  }
}

function count(
  state: UsageState,
  { time, payload }: KnownEvent & { kind: "assistant_message" },
): void {
  const { message_id, model = "", usage: tokens, cost_usd } = payload;
  if (message_id !== undefined && tokens !== undefined) {
    if (state.counted.has(message_id)) return;
    state.counted.add(message_id);
  }
  const day = time?.slice(0, 10) ?? "";
  const key = `${day}\n${model}`;
  const row = state.rows.get(key) ?? { day, model, messages: 0, usage: {} };
  state.rows.set(key, row);
  row.messages++;
  if (tokens !== undefined) addUsage(row.usage, tokens);
  if (cost_usd !== undefined) row.cost_usd = (row.cost_usd ?? 0) + cost_usd;
}
