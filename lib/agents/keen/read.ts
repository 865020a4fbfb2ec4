/**
 * A session of Keen Code as our events.
 *
 * Keen Code 0.38.1, internal/session/store.go `loadEvents`, projection.go `BuildConversation`.
 */
import type { LogEvent } from "../../event/envelope.ts";
import type { Report } from "../../log/diagnostic.ts";
import { UNSETTLED_OUTPUT } from "../../projection/conversation/paired_messages.ts";
import { excerpt } from "../../projection/summary.ts";
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import { type EventOrigin, EventWriter } from "../../reading/events/event_writer.ts";
import { readEdges } from "../../reading/records/file_edges.ts";
import { asName, present } from "../../reading/records/json_value.ts";
import { recordedEvents } from "../../reading/events/recorded_events.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import { type AssistantTurn, type KeenEvent, keenFault } from "./keen_event.ts";
import { isSent, providerView } from "./provider_view.ts";
import { readHeader, toHeader } from "./session_file.ts";
import { emitSent } from "./sent_turn.ts";
import { emitTurn, isTextSent } from "./turn_events.ts";

/** Makes the events of a session from its records, in their order. */
export class KeenEvents {
  readonly writer: EventWriter;
  readonly #session: AgentSession;
  readonly #report: Report | undefined;
  readonly #modified_at: string | undefined;
  #started = false;
  #last: SourceRecord | undefined;
  /** Number of messages of the conversation as Keen holds it. */
  #messages = 0;
  #last_prompt = "";

  /** @param modified_at When the file was last written: no line but the first carries a time. */
  constructor(session: AgentSession, modified_at?: string, options: AgentReadOptions = {}) {
    this.#session = session;
    this.#modified_at = modified_at;
    this.#report = options.report;
    this.writer = new EventWriter(session, options.needs);
  }

  /** Adds the events of the record before this one: the last is told apart at the end. */
  take(record: SourceRecord): void {
    if (this.#last !== undefined) this.#takeRecord(this.#last, undefined);
    this.#last = record;
  }

  #takeRecord(record: SourceRecord, time: string | undefined): void {
    const { value } = record;
    const header = this.#started ? undefined : toHeader(value);
    if (!this.#started) this.#start(header === undefined ? undefined : record);
    if (header !== undefined) return;
    const id = typeof value.seq === "number" ? String(value.seq) : undefined;
    const origin: EventOrigin = { id, record, time };
    const before = this.writer.seq;
    const fault = keenFault(value);
    if (fault === undefined) this.#takeEvent(value as KeenEvent, origin);
    else this.#find(record, "invalid-payload", fault);
    // Whatever Keen passes over is kept: each record becomes an event.
    if (this.writer.seq === before) this.#extend(value, origin);
  }

  /** A log that has lost its first line may have its header in a later one. */
  #start(first: SourceRecord | undefined): void {
    this.#started = true;
    const { id, path, cwd } = this.#session;
    const header = first === undefined ? readHeader(path) : toHeader(first.value);
    const created_at = header?.created_at ?? this.#modified_at ?? "";
    this.writer.emit("session_started", {
      session_id: id,
      created_at,
      cwd: header?.cwd ?? cwd ?? "",
      app: { name: "keen" },
      unanswered_call: UNSETTLED_OUTPUT,
    }, { time: created_at, record: first });
    if (first !== undefined) return;
    const detail = "the first line is no session_started";
    this.#report?.({ code: "missing-header", offset: 0, length: 0, line: 1, detail });
  }

  #takeEvent(event: KeenEvent, origin: EventOrigin): void {
    const { kind, user_message, assistant_turn } = event;
    if (kind === "user_message" && user_message) {
      const content = user_message.content ?? "";
      if (excerpt(content) !== "") this.#last_prompt = content;
      this.#messages++;
      this.writer.emit("user_message", { content }, origin);
    } else if (kind === "assistant_turn" && assistant_turn) {
      this.#takeTurn(assistant_turn, origin);
    } else if (kind === "compaction_applied") {
      this.#compact(event, origin);
    }
  }

  /** What a person saw of the tools stays as it is; what the model gets again of them is less. */
  #takeTurn(turn: AssistantTurn, origin: EventOrigin): void {
    const { message, turn_memory } = turn;
    const sent = Boolean(message) || (turn_memory?.tool_activity?.length ?? 0) > 0;
    const text_sent = isTextSent(turn);
    emitTurn(this.writer, turn, { origin, text_sent });
    if (sent && !text_sent) {
      const memory = turn_memory === undefined ? {} : { TurnMemory: turn_memory };
      const said = { Role: "assistant", Content: message ?? "", ...memory };
      emitSent(this.writer, providerView([said], this.#messages), origin);
    }
    if (sent) this.#messages++;
  }

  /** Null messages empty the conversation; without a payload nothing happens (projection.go). */
  #compact({ compaction_applied }: KeenEvent, origin: EventOrigin): void {
    if (!compaction_applied) {
      const position = origin.record?.position ?? { offset: 0, length: 0, line: 0 };
      const detail = "compaction without a payload";
      return this.#report?.({ code: "invalid-compaction", ...position, detail });
    }
    const { status, messages } = compaction_applied;
    const kept = messages ?? [];
    this.#messages = kept.length;
    const items = (compaction_applied.transcript ?? []).map((item) => item ?? {});
    const shown = items.flatMap(({ kind, content }) => kind === "text" ? content ?? [] : []).join(
      "",
    );
    this.writer.emit(
      "compaction_applied",
      present({
        status: status ?? "",
        messages: providerView(kept),
        // Where there are messages, a summary is shown and not sent.
        summary: shown === "" ? undefined : shown,
      }),
      origin,
    );
    const unsaid = items.filter(({ kind }) => kind !== "text");
    for (const item of unsaid) this.#extend({ kind: "transcript_item", item }, origin);
    const unsent = kept.filter((message) => !isSent(message));
    for (const message of unsent) this.#extend({ kind: "message", message }, origin);
  }

  #extend(value: Readonly<Record<string, unknown>>, origin: EventOrigin): void {
    const type = asName(value.kind) ?? "event";
    this.writer.emit("extension", { agent: "keen", type, data: value }, origin);
  }

  #find({ position }: SourceRecord, code: "invalid-payload", detail: string): void {
    this.#report?.({ code, ...position, detail: `Keen drops this line: ${detail}` });
  }

  /**
   * Ends the session. The last record was written when the file was; the title is the last prompt,
   * as in Keen's list.
   */
  end(): void {
    if (this.#last !== undefined) this.#takeRecord(this.#last, this.#modified_at);
    this.#last = undefined;
    if (this.#last_prompt === "") return;
    this.writer.emit("session_renamed", { title: excerpt(this.#last_prompt) });
  }
}

/** Reads a session. See the contract of an agent. */
export async function* readKeen(
  session: AgentSession,
  options: AgentReadOptions = {},
): AsyncGenerator<LogEvent[]> {
  const { modified_at } = readEdges(session.path, { head_bytes: 0, tail_bytes: 0 });
  yield* recordedEvents(session, new KeenEvents(session, modified_at, options), options);
}
