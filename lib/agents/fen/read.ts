/**
 * A session of fen as our events.
 *
 * fen 0.17.0, extensions/adapters/session-backends/jsonl/session.fnl. Versions 1 (entries without
 * ids) and 2; entries are linear: `parent-id` is never read. Types: `session`, `message`,
 * `compaction`, `extension-state`; unknown ones are kept as extensions.
 */
import { isObject } from "../../event/guard.ts";
import type { LogEvent } from "../../event/envelope.ts";
import type { Report } from "../../log/diagnostic.ts";
import { UNSETTLED_OUTPUT } from "../../projection/conversation/paired_messages.ts";
import { excerpt } from "../../projection/summary.ts";
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import { type EventOrigin, EventWriter } from "../../reading/events/event_writer.ts";
import { readEdges } from "../../reading/records/file_edges.ts";
import { asName } from "../../reading/records/json_value.ts";
import { recordedEvents } from "../../reading/events/recorded_events.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import { CompactionTracker } from "./compaction.ts";
import { blocksOf, blockText } from "./content.ts";
import { emitMessage } from "./message_events.ts";
import { timeInName, toHeader } from "./session_file.ts";

/** Makes the events of a session from its records, in their order. */
export class FenEvents {
  readonly writer: EventWriter;
  readonly #session: AgentSession;
  readonly #report: Report | undefined;
  readonly #compactions: CompactionTracker;
  #started = false;
  #title: { from_user: boolean; text: string } | undefined;

  constructor(session: AgentSession, options: AgentReadOptions = {}) {
    this.#session = session;
    this.#report = options.report;
    this.writer = new EventWriter(session, options.needs);
    this.#compactions = new CompactionTracker(this.writer);
  }

  /** Adds the events of a record. */
  take(record: SourceRecord): void {
    const { value } = record;
    const first = !this.#started;
    if (first) this.#start(record);
    if (first && value.type === "session") return;
    const origin: EventOrigin = { id: asName(value.id), time: value.timestamp, record };
    if (value.type === "message" && isObject(value.message)) {
      this.#takeMessage(value.message, origin);
    } else if (value.type !== "compaction" || !this.#takeCompaction(record, origin)) {
      const type = asName(value.type) ?? "entry";
      this.writer.emit("extension", { agent: "fen", type, data: value }, origin);
    }
  }

  /** Ends the session: where no user said anything, fen's title is the first text of anyone. */
  end(): void {
    if (this.#title === undefined || this.#title.from_user) return;
    this.writer.emit("session_renamed", { title: excerpt(this.#title.text) });
  }

  /** The header counts only as the first line. fen then drops that line; here it stays an entry. */
  #start(record: SourceRecord): void {
    this.#started = true;
    const { id, path, cwd } = this.#session;
    const header = toHeader(record.value);
    const created_at = header?.created_at ?? timeInName(path) ?? readEdges(path).modified_at;
    if (header === undefined) {
      const detail = "the first line is no header";
      this.#report?.({ code: "missing-header", ...record.position, detail });
    }
    this.writer.emit("session_started", {
      session_id: id,
      created_at: created_at ?? "",
      cwd: header?.cwd ?? cwd ?? "",
      app: { name: "fen" },
      unanswered_call: UNSETTLED_OUTPUT,
    }, { id: header?.id, time: created_at, record: header === undefined ? undefined : record });
  }

  #takeMessage(message: Record<string, unknown>, origin: EventOrigin): void {
    this.#compactions.meet(origin.id);
    this.#title = betterTitle(this.#title, message);
    const message_id = origin.id ?? `m${this.writer.seq + 1}`;
    const time = typeof message.timestamp === "number" ? message.timestamp : origin.time;
    emitMessage(message, { writer: this.writer, origin: { ...origin, time }, message_id });
  }

  /** Whether the entry is a compaction that applies at once. */
  #takeCompaction({ value, position }: SourceRecord, origin: EventOrigin): boolean {
    const outcome = this.#compactions.take(value, origin);
    if (outcome === "applied") return true;
    const detail = outcome === "malformed"
      ? "neither summary nor first-kept-entry-id may be missing"
      : "first-kept-entry-id names no message before it";
    this.#report?.({ code: "invalid-compaction", ...position, detail });
    return false;
  }
}

/** The first text of a user wins, else the first text of anyone (session.fnl `scan-metadata`). */
function betterTitle(
  title: { from_user: boolean; text: string } | undefined,
  { role, content }: Record<string, unknown>,
): { from_user: boolean; text: string } | undefined {
  if (title?.from_user) return title;
  const from_user = role === "user";
  if (title !== undefined && !from_user) return title;
  const text = blocksOf(content).flatMap((block) => blockText(block) ?? []).join(" ");
  return excerpt(text) === "" ? title : { from_user, text };
}

/** Reads a session. See the contract of an agent. */
export async function* readFen(
  session: AgentSession,
  options: AgentReadOptions = {},
): AsyncGenerator<LogEvent[]> {
  yield* recordedEvents(session, new FenEvents(session, options), options);
}
