/**
 * Finds the compaction in force (fen 0.17.0, session.fnl `latest-valid-compaction`).
 *
 * Of the compactions that have a summary and name the entry of a message, the last in the file
 * counts. The entry may stand anywhere. A malformed compaction leaves the one before it in force.
 */
import type { CompactionAppliedPayload } from "../../event/payload.ts";
import type { EventOrigin, EventWriter } from "../../reading/events/event_writer.ts";
import { asName, asNumber, asText, present } from "../../reading/records/json_value.ts";

/** What fen puts before the summary (session.fnl `compaction-summary-message`). */
export const SUMMARY_PREFACE =
  "Compaction summary of earlier fen session context. Use this as context for the continuing " +
  "conversation; do not ask me to restate it.\n\n";

/** A well-formed compaction. */
interface Compaction {
  first_kept_id: string;
  payload: CompactionAppliedPayload;
  origin: EventOrigin;
}

/** How an entry was taken. */
export type CompactionOutcome = "applied" | "waiting" | "malformed";

/** Applies the compactions of one session as their entries, and the messages they name, come by. */
export class CompactionTracker {
  readonly #writer: EventWriter;
  /** Message entries by id: the seq of their first event. */
  readonly #messages = new Map<string, number>();
  /** The compaction in force, and later ones that name no message so far. */
  #open: Compaction[] = [];

  constructor(writer: EventWriter) {
    this.#writer = writer;
  }

  /** Takes a compaction entry. */
  take(value: Readonly<Record<string, unknown>>, origin: EventOrigin): CompactionOutcome {
    const compaction = toCompaction(value, origin);
    if (compaction === undefined) return "malformed";
    const first = this.#messages.get(compaction.first_kept_id);
    if (first === undefined) {
      this.#open.push(compaction);
      return "waiting";
    }
    this.#open = [compaction];
    const first_kept_seq = this.#writer.firstMessage(first);
    const payload = present({ ...compaction.payload, first_kept_seq });
    this.#writer.emit("compaction_applied", payload, origin);
    return "applied";
  }

  /**
   * Takes a message entry, before its events. A compaction that stands before the message that it
   * keeps from applies there; so does the one in force, if the entry's id is repeated.
   */
  meet(id: string | undefined): void {
    if (id === undefined) return;
    const at = this.#open.findLastIndex(({ first_kept_id }) => first_kept_id === id);
    const compaction = this.#open[at];
    if (compaction !== undefined) {
      this.#open.splice(0, at);
      this.#writer.emit("compaction_applied", compaction.payload, compaction.origin);
    }
    this.#messages.set(id, this.#writer.seq + 1);
  }
}

function toCompaction(
  value: Readonly<Record<string, unknown>>,
  origin: EventOrigin,
): Compaction | undefined {
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
