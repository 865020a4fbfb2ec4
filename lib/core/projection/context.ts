/**
 * Measures what the model's context contains now, and what compactions removed from it. Keeps only
 * the sizes of texts.
 *
 * @module
 */
import type { KnownEvent } from "../event/envelope.ts";
import { isMessageKind } from "../event/opened_calls.ts";
import type { EventKind } from "../event/payload.ts";
import { conversationKinds } from "../event/policy.ts";
import { present } from "../event/present.ts";
import { basePieces, CONTEXT_KINDS, type ContextKind, contextPieces } from "./context_part.ts";
import { InForceFinder } from "./conversation/in_force.ts";
import type { Projection } from "./projection.ts";

/** The part of a session in its model's context, and the dropped parts. Tokens are estimates. */
export interface SessionContext {
  /** Number of prompts and answers. A summary counts as one message. */
  messages: number;
  /** Estimated number of tokens, at four characters a token. */
  tokens: number;
  /** Estimated tokens by kind, such as `prompt`, `answer`, `result`; no kinds without content. */
  shares: { kind: string; count: number; tokens: number }[];
  /** Tokens of the last request, as its provider counted them; absent if not recorded. */
  recorded_tokens?: number;
  /** Kind of `recorded_tokens`: sum of a turn, size after a compaction, or (absent) one request. */
  recorded_as?: "turn" | "compaction";
  /** Number of the event that recorded `recorded_tokens`. */
  recorded_seq?: number;
  /** Size of the model's context window in tokens; absent if the agent does not record it. */
  window_tokens?: number;
  /** The parts that were removed from the model's context, oldest first. */
  dropped: {
    messages: number;
    tokens: number;
    shares: { kind: string; count: number; tokens: number }[];
    /** Number of this removed part of the context. The oldest part has number 1. */
    number: number;
    /** Number of the event that replaced the dropped part. */
    seq: number;
    /** Time at which this part left the context, in ISO 8601. Absent if not recorded. */
    time?: string;
    reason: "compaction" | "replacement";
    /** `manual` if the user started the compaction, `auto` if the agent did. Absent if unknown. */
    trigger?: "manual" | "auto";
    /** Number of the first event that was dropped. */
    from_seq: number;
    /** Number of the first event after the dropped events. */
    to_seq: number;
    /** Tokens before the compaction, as the agent recorded them. */
    tokens_before?: number;
    /** Tokens of the conversation after the compaction, as the agent recorded them. */
    tokens_after?: number;
  }[];
}

export type DroppedContext = SessionContext["dropped"][number];

interface Placed {
  seq: number;
  kind: ContextKind;
  tokens: number;
  begins_message: boolean;
}

type Recorded = {
  [Field in "recorded_tokens" | "recorded_as" | "recorded_seq" | "window_tokens"]?:
    | SessionContext[Field]
    | undefined;
};

export interface ContextState {
  finder: InForceFinder;
  /** Content pieces of all events. A compaction may keep pieces that an earlier one dropped. */
  pieces: Placed[];
  dropped: DroppedContext[];
  recorded: Recorded;
}

export function contextOf(): Projection<ContextState, SessionContext> {
  const kinds: EventKind[] = ["compaction_applied", "conversation_replaced", "workspace_snapshot"];
  return {
    needs: new Set([...conversationKinds(true, true), ...kinds]),
    initial: () => ({ finder: new InForceFinder(), pieces: [], dropped: [], recorded: {} }),
    apply(state, event): ContextState {
      const before = state.finder.found;
      const { base, from_seq } = before;
      state.finder.take(event);
      if (event.form !== "known") return state;
      const { found } = state.finder;
      if (found.base !== base || found.from_seq !== from_seq) {
        drop(state, event, from_seq, base);
        state.recorded = recordedAfter(state.recorded, event);
      }
      addPieces(state.pieces, event);
      state.recorded = { ...state.recorded, ...recordedBy(event) };
      return state;
    },
    result: ({ finder: { found }, pieces, dropped, recorded }) => ({
      ...sizeOf([...ofBase(found.base), ...pieces.filter(({ seq }) => seq >= found.from_seq)]),
      ...present(recorded),
      dropped,
    }),
  };
}

type Base = InForceFinder["found"]["base"];

function ofBase(base: Base): Placed[] {
  return basePieces(base).map((piece) => ({ ...piece, seq: 0, begins_message: true }));
}

function drop(state: ContextState, event: KnownEvent, from: number, base: Base): void {
  const { found } = state.finder;
  const to = Math.min(found.from_seq, event.seq);
  const gone = state.pieces.filter(({ seq }) => seq >= from && seq < to);
  const own = event.kind === "compaction_applied" ? event.payload : undefined;
  state.dropped.push(present({
    number: state.dropped.length + 1,
    seq: event.seq,
    time: event.time,
    reason: own === undefined ? "replacement" as const : "compaction" as const,
    trigger: own?.trigger,
    from_seq: gone[0]?.seq ?? to,
    to_seq: to,
    ...sizeOf([...ofBase(base), ...gone]),
    tokens_before: own?.tokens_before,
    tokens_after: own?.tokens_after,
  }));
}

function addPieces(pieces: Placed[], event: KnownEvent): void {
  let begins_message = isMessageKind(event.kind);
  for (const piece of contextPieces(event)) {
    pieces.push({ ...piece, seq: event.seq, begins_message });
    begins_message = false;
  }
}

/** Returns the token counts that are valid after a compaction or replacement. */
function recordedAfter(
  { window_tokens }: Recorded,
  event: KnownEvent,
): Recorded {
  const after = event.kind === "compaction_applied" ? event.payload.tokens_after : undefined;
  return {
    window_tokens,
    recorded_tokens: after,
    recorded_as: after === undefined ? undefined : "compaction" as const,
    recorded_seq: after === undefined ? undefined : event.seq,
  };
}

function recordedBy(event: KnownEvent): Recorded {
  if (event.kind === "workspace_snapshot") {
    const { context_used, context_limit } = event.payload;
    return context_used === undefined ? present({ window_tokens: context_limit }) : {
      ...{ recorded_tokens: context_used, recorded_seq: event.seq, recorded_as: undefined },
      ...present({ window_tokens: context_limit }),
    };
  }
  if (event.kind !== "assistant_message" || event.payload.usage === undefined) return {};
  const { usage, usage_of, last_prompt_tokens } = event.payload;
  if (usage_of === "session") return {};
  const { input = 0, cache_read = 0, cache_write = 0 } = usage;
  const recorded_tokens = last_prompt_tokens ?? input + cache_read + cache_write;
  if (recorded_tokens === 0) return {};
  return { recorded_tokens, recorded_as: usage_of, recorded_seq: event.seq };
}

function sizeOf(
  pieces: readonly Placed[],
): Pick<SessionContext, "messages" | "tokens" | "shares"> {
  const shares = CONTEXT_KINDS.map((kind) => ({ kind, count: 0, tokens: 0 }));
  let messages = 0;
  let tokens = 0;
  for (const piece of pieces) {
    const share = shares[CONTEXT_KINDS.indexOf(piece.kind)];
    if (share !== undefined) {
      share.count++;
      share.tokens += piece.tokens;
    }
    tokens += piece.tokens;
    if (piece.begins_message) messages++;
  }
  return { messages, tokens, shares: shares.filter(({ count }) => count > 0) };
}
