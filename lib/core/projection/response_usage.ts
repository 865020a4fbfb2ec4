/** The usage of one response of a model: as its agent recorded it, or from a log's events. */
import type { EventSource, KnownEvent } from "../event/envelope.ts";
import type { TokenUsage } from "../event/payload.ts";
import { USAGE_KINDS } from "../event/policy.ts";
import type { Projection } from "./projection.ts";
import { countedTokens } from "./token_usage.ts";

export interface ResponseUsage {
  /**
   * The provider's message id and request id, joined by a line feed. The key identifies a response
   * among the responses of all sessions. Of records with the same key, only one counts: the first
   * with the most tokens. Absent if the agent records no ids; the record then counts in any case.
   */
  key?: string;
  /** Time of the record, in ISO 8601 and UTC; absent if the record has no time. */
  time?: string;
  /** The model's name; empty if it was not recorded. */
  model: string;
  /** The id of the response's thread; absent for the main thread. */
  thread?: string;
  /**
   * True if the record is part of a sidechain: a conversation beside the main conversation. Such a
   * record may repeat a main response under another request id. A repeated response is not counted.
   */
  sidechain?: true;
  /** Tokens of the response. `input` excludes tokens read from a cache or written to one. */
  usage: TokenUsage;
  /** Tokens of `cache_write` that the provider keeps for an hour, at a higher price. */
  cache_write_1h?: number;
  cost_usd?: number;
}

export interface UsageOptions {
  /** Returns true if another log counts the event copied from `source`. @default {none is} */
  countedElsewhere?: (source: EventSource) => boolean;
}

export interface UsageState {
  responses: ResponseUsage[];
  /** The session's id; empty before the session's header. */
  session_id: string;
  /** Number of the last event copied from the parent; undefined before the session's own header. */
  copied_through: number | undefined;
}

/** Creates a projection that collects a log's responses, except responses copied by a fork. */
export function responseUsage(
  { countedElsewhere = () => false }: UsageOptions = {},
): Projection<UsageState, ResponseUsage[]> {
  return {
    needs: USAGE_KINDS,
    initial: () => ({ responses: [], session_id: "", copied_through: undefined }),
    apply(state, event): UsageState {
      if (event.form === "known") applyKnown(state, event, countedElsewhere);
      return state;
    },
    result: ({ responses }) => responses,
  };
}

function applyKnown(
  state: UsageState,
  event: KnownEvent,
  isElsewhere: (source: EventSource) => boolean,
): void {
  if (event.kind === "session_started") {
    // A later header was copied from another session, with a parent that is not this session's.
    state.copied_through ??= event.payload.parent?.seq ?? 0;
    state.session_id ||= event.payload.session_id;
  } else if (event.kind === "assistant_message" && event.seq > (state.copied_through ?? 0)) {
    if (event.source === undefined || !isElsewhere(event.source)) {
      state.responses.push(toResponse(event, state.session_id));
    }
  }
}

function toResponse(
  { time, source, payload }: KnownEvent & { kind: "assistant_message" },
  session_id: string,
): ResponseUsage {
  const { message_id, request_id, model = "", usage, cost_usd } = payload;
  const response: ResponseUsage = { model, usage: usage ?? {} };
  if (time !== undefined) response.time = time;
  if (usage?.cache_write_1h !== undefined) response.cache_write_1h = usage.cache_write_1h;
  if (cost_usd !== undefined) response.cost_usd = cost_usd;
  if (message_id !== undefined && usage !== undefined) {
    // Some providers' ids are unique only within the session.
    response.key = `${message_id}\n${request_id ?? source?.session_id ?? session_id}`;
  }
  return response;
}

/** Keeps one record per key, the first with the most tokens, and all records without a key. */
export function onePerKey(responses: readonly ResponseUsage[]): ResponseUsage[] {
  const best = new Map<unknown, ResponseUsage>();
  for (const response of responses) {
    const key = response.key ?? response;
    const known = best.get(key);
    if (known === undefined || countedTokens(response.usage) > countedTokens(known.usage)) {
      best.set(key, response);
    }
  }
  return [...best.values()];
}
