/**
 * Writes the events of an agent's session. The writer numbers events and records their sources.
 * Events of kinds that the caller does not need get no payload.
 */
import { addressed } from "../../../core/event/audience.ts";
import { isObject } from "../../../core/event/guard.ts";
import type { EventSource, KnownEvent, LogEvent } from "../../../core/event/envelope.ts";
import type { Audience, Content, ToolResultPart } from "../../../core/event/message.ts";
import type { EventKind, PayloadByKind } from "../../../core/event/payload.ts";
import { isMessageKind } from "../../../core/event/opened_calls.ts";
import { payloadFault } from "../../../core/event/payload_guard.ts";
import { wellFormed } from "../../../core/event/well_formed.ts";
import type { AgentSession } from "../../contract/agent.ts";
import { isoTime } from "./iso_time.ts";
import type { SourceRecord } from "../records/source_record.ts";

export interface EventOrigin {
  /** The source record's id, as the agent gave it. */
  id?: string | undefined;
  /** Ids of further records from which the event was made. */
  other_ids?: readonly string[] | undefined;
  /** The time as the agent wrote it; see {@linkcode isoTime}. */
  time?: unknown;
  turn_id?: string | undefined;
  record?: {
    position?: SourceRecord["position"] | undefined;
    salvaged?: boolean | undefined;
  } | undefined;
}

export interface EventSink {
  /** True if this event sink stores only messages, and ignores each event's origin and usage. */
  readonly unlabelled?: boolean;
  /** True if events of this kind are needed. Callers skip costly work for unneeded kinds. */
  wants(kind: EventKind): boolean;
  /** True if content for `audience` is dropped, as the next events are for another audience. */
  leavesOut?(audience: Audience | undefined): boolean;
  /**
   * Adds a response that ends with its only tool call, together with that call's result. Returns
   * false and adds nothing if the response may belong to an earlier response. The caller then emits
   * events instead.
   */
  addSettledCall?(content: Content, result: ToolResultPart): boolean;
  /** Adds an event and returns its sequence number. */
  emit<Kind extends EventKind>(
    kind: Kind,
    payload: PayloadByKind[Kind],
    origin?: EventOrigin,
  ): number;
}

export interface EventTarget {
  writer: EventWriter;
  origin: EventOrigin;
}

/** The origin of events whose sources are not needed. */
export const NOWHERE: EventOrigin = {};

export interface EventWriterOptions {
  /** The seq of the event before the writer's first event. @default {0} */
  behind?: number;
  /** True to remember each record's seq, so that compactions can refer to it. @default {true} */
  named?: boolean;
  /** The parent branch's writer. Its events after seq `until` are not on this branch. */
  before?: { writer: EventWriter; until: number };
}

/**
 * Writes one session's numbered events. Events of unneeded kinds become `unparsed` events without
 * payload. So an event's seq does not depend on the needed kinds, and a compaction can refer to any
 * seq.
 */
export class EventWriter implements EventSink {
  readonly #source: EventSource & { agent: string };
  readonly #needs: ReadonlySet<EventKind> | undefined;
  readonly #seqs = new Map<string, number>();
  /** Ascending seqs of message events. A compaction's retained messages begin at one of these. */
  readonly #messages: number[] = [];
  /** The only audience of the next events. Undefined for both user and model. */
  audience: Audience | undefined;
  readonly #named: boolean;
  readonly #before: EventWriterOptions["before"];
  /** Number added to a sequence number of the parent branch to get this branch's number. */
  readonly #shift: number;
  #events: LogEvent[] = [];
  #seq: number;

  constructor(
    { agent, id }: Pick<AgentSession, "agent" | "id">,
    needs?: ReadonlySet<EventKind>,
    { behind = 0, named = true, before }: EventWriterOptions = {},
  ) {
    this.#source = { agent, session_id: id };
    this.#needs = needs;
    this.#seq = behind;
    this.#named = named;
    this.#before = before;
    this.#shift = behind - (before?.until ?? behind);
  }

  /** The last seq that was used. */
  get seq(): number {
    return this.#seq;
  }

  wants(kind: EventKind): boolean {
    return this.#needs?.has(kind) ?? true;
  }

  emit<Kind extends EventKind>(
    kind: Kind,
    payload: PayloadByKind[Kind],
    origin: EventOrigin = {},
  ): number {
    const seq = this.skip(origin.id);
    for (const id of origin.other_ids ?? []) this.#name(id, seq);
    if (this.#named && isMessageKind(kind)) this.#messages.push(seq);
    const event = this.wants(kind)
      ? this.#event(seq, kind, addressed(kind, payload, this.audience), origin)
      : this.#unparsed(seq, kind, origin);
    this.#events.push(event);
    return seq;
  }

  keep(type: string, data: unknown, origin?: EventOrigin): void {
    if (isObject(data) && Object.keys(data).length === 0) return;
    this.emit("extension", { agent: this.#source.agent, type, data }, origin);
  }

  /** Adds an unknown record as an `extension` event, and its texts of several words as a notice. */
  keepUnknown(type: string, data: unknown, origin?: EventOrigin): void {
    const text = wordsIn(data).join("\n");
    if (text !== "") this.emit("notice", { audience: "user", title: type, text }, origin);
    this.keep(type, data, origin);
  }

  /** Uses up a seq without adding an event, and returns the seq. */
  skip(id?: string): number {
    const seq = ++this.#seq;
    if (id !== undefined) this.#name(id, seq);
    return seq;
  }

  #name(id: string, seq: number): void {
    if (this.#named && !this.#seqs.has(id)) this.#seqs.set(id, seq);
  }

  leavesOut(audience: Audience | undefined): boolean {
    return audience !== undefined && this.audience !== undefined && audience !== this.audience;
  }

  /** Returns the seq of the first event of the record `id`. */
  seqOf(id: string): number | undefined {
    return this.#ofBefore(this.#before?.writer.seqOf(id)) ?? this.#seqs.get(id);
  }

  /**
   * Returns the seq of the first message at or after the record `id`. A compaction must name a
   * message. The seq of any other event would mean the response that contains the event.
   */
  messageFrom(id: string): number | undefined {
    const first = this.seqOf(id);
    return first === undefined ? undefined : this.firstMessage(first);
  }

  /** Returns the seq of the first message whose seq is at least `first`. */
  firstMessage(first: number): number | undefined {
    const earlier = this.#ofBefore(this.#before?.writer.firstMessage(first - this.#shift));
    if (earlier !== undefined) return earlier;
    const before = this.#messages.findLastIndex((seq) => seq < first);
    return this.#messages[before + 1];
  }

  /**
   * Converts a seq of the parent branch's writer to this writer's seq. Undefined if the event is
   * not on this writer's branch.
   */
  #ofBefore(seq: number | undefined): number | undefined {
    const { until = 0 } = this.#before ?? {};
    return seq === undefined || seq > until ? undefined : seq + this.#shift;
  }

  take(): LogEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Returns an event without payload, for a kind that the reader's caller does not need. */
  #unparsed(seq: number, kind: EventKind, { time, record }: EventOrigin): LogEvent {
    const iso = isoTime(time);
    return {
      form: "unparsed",
      seq,
      kind,
      integrity: record?.salvaged ? "salvaged" : "unverified",
      ...(iso === undefined ? {} : { time: iso }),
    };
  }

  #event(seq: number, kind: EventKind, payload: unknown, origin: EventOrigin): LogEvent {
    const { id, turn_id, record } = origin;
    const whole = wholePayload(payload);
    const reason = payloadFault(kind, whole);
    if (origin === NOWHERE && reason === undefined) {
      const source = this.#source;
      return {
        seq,
        kind,
        source,
        payload: whole,
        integrity: "unverified",
        form: "known",
      } as KnownEvent;
    }
    const time = isoTime(origin.time);
    return {
      seq,
      kind,
      ...(time === undefined ? {} : { time }),
      ...(turn_id === undefined ? {} : { turn_id }),
      source: id === undefined ? this.#source : { ...this.#source, id },
      payload: whole,
      integrity: record?.salvaged ? "salvaged" : "unverified",
      ...(record?.position === undefined ? {} : { position: record.position }),
      ...(reason === undefined ? { form: "known" } : { form: "invalid", reason }),
    } as KnownEvent;
  }
}

/** Returns a value's texts of several words. A single word is mostly a name, an id or a path. */
function wordsIn(value: unknown): string[] {
  if (typeof value === "string") return /\S\s+\S/.test(value) ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(wordsIn) : [];
}

/** Returns a payload whose texts have no lone surrogates. Usually this is the given payload. */
export function wholePayload<Payload>(payload: Payload): Payload {
  return isWhole(payload) ? payload : wellFormed(payload) as Payload;
}

function isWhole(value: unknown): boolean {
  if (typeof value === "string") return isWholeText(value);
  if (typeof value !== "object" || value === null) return true;
  // `for in` would convert every index to a text.
  if (Array.isArray(value)) return value.every(isWhole);
  for (const key in value) {
    if (!isWholeText(key)) return false;
    if (!isWhole((value as Record<string, unknown>)[key])) return false;
  }
  return true;
}

/** Length in characters up to which a loop over a text is faster than `isWellFormed`. */
const SHORT_TEXT = 24;
const FIRST_SURROGATE = 0xd800;

function isWholeText(text: string): boolean {
  if (text.length > SHORT_TEXT) return text.isWellFormed();
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) >= FIRST_SURROGATE) return text.isWellFormed();
  }
  return true;
}
