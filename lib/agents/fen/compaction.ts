/**
 * Finds the compaction in force (fen 0.17.0, session.fnl `latest-valid-compaction`).
 *
 * A valid compaction has a summary and names the entry of a message anywhere in the file. The last
 * valid compaction in the file counts. A malformed compaction leaves the previous compaction in
 * force.
 */
import { asName, asNumber, asText, type Json, present } from "../engine/json.ts";
import type { CompactionAppliedPayload } from "../../core/event/payload.ts";
import type { EventOrigin, EventTarget, EventWriter } from "../engine/events/event_writer.ts";

/** The text that fen puts before a summary (session.fnl `compaction-summary-message`). */
export const SUMMARY_PREFACE =
  "Compaction summary of earlier fen session context. Use this as context for the continuing " +
  "conversation; do not ask me to restate it.\n\n";

export interface FenCompaction {
  first_kept_id: string;
  payload: CompactionAppliedPayload;
  origin: EventOrigin;
}

type CompactionOutcome = "applied" | "waiting" | "malformed";

export interface CompactionState {
  /** The seq of each message's first event, by message id. Undefined if it is not known. */
  messages: Map<string, number | undefined>;
  /** The current compaction, and later compactions whose first kept message was not read so far. */
  open: FenCompaction[];
  /** True if reading began in the middle of the session. */
  amid: boolean;
}

export function noCompactions(amid = false): CompactionState {
  return { messages: new Map(), open: [], amid };
}

export function takeCompaction(
  state: CompactionState,
  value: Json,
  { writer, origin }: EventTarget,
): CompactionOutcome {
  const compaction = toCompaction(value, origin);
  if (compaction === undefined) return "malformed";
  const { first_kept_id } = compaction;
  if (!state.messages.has(first_kept_id) && !state.amid) {
    state.open.push(compaction);
    return "waiting";
  }
  state.open = [compaction];
  const first = state.messages.get(first_kept_id);
  const first_kept_seq = first === undefined ? undefined : writer.firstMessage(first);
  writer.emit("compaction_applied", present({ ...compaction.payload, first_kept_seq }), origin);
  return "applied";
}

/**
 * Records a message before its events are emitted. Emits a waiting compaction if this message is
 * the first that the compaction keeps. Emits the current compaction again if its first kept message
 * occurs a second time.
 */
export function meetMessage(
  state: CompactionState,
  id: string | undefined,
  writer: EventWriter,
): void {
  if (id === undefined) return;
  const at = state.open.findLastIndex(({ first_kept_id }) => first_kept_id === id);
  const compaction = state.open[at];
  if (compaction !== undefined) {
    state.open.splice(0, at);
    writer.emit("compaction_applied", compaction.payload, compaction.origin);
  }
  state.messages.set(id, writer.seq + 1);
}

function toCompaction(value: Json, origin: EventOrigin): FenCompaction | undefined {
  const summary = asText(value.summary);
  const first_kept_id = asName(value["first-kept-entry-id"]);
  if (summary === undefined || first_kept_id === undefined) return undefined;
  const payload = present(
    {
      status: "",
      summary: SUMMARY_PREFACE + summary,
      tokens_before: asNumber(value["tokens-before"]),
      tokens_after: asNumber(value["tokens-after"]),
      guidance: asName(value.guidance),
      trigger: value.trigger === "manual"
        ? "manual"
        : value.trigger === "agent"
        ? "auto"
        : undefined,
    } as const,
  );
  return { first_kept_id, payload, origin };
}
