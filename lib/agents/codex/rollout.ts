/**
 * The state while a rollout is read and converted. An answer's items wait until the answer's usage
 * is known. They are then written in order.
 */
import type { CallStatus } from "../../core/event/message.ts";
import type { EventKind, PayloadByKind, TokenUsage } from "../../core/event/payload.ts";
import { type EventOrigin, type EventSink, NOWHERE } from "../engine/events/event_writer.ts";
import { present } from "../engine/json.ts";
import type { CountedReading } from "../engine/session_format.ts";
import { type Held, type HeldEvent, type ResponseFields, writeHeld } from "./held_answer.ts";
import type { CodexSession } from "./locate.ts";
import type { RolloutRecord } from "./rollout_record.ts";
import type { UsageReading } from "./token_counts.ts";

export interface OpenCall {
  name: string;
  command: string | undefined;
  /** The call's patch. Undefined if the call applies none, or if another record has the changes. */
  patch: string | undefined;
  /** True if a record said that the call failed. */
  failed: boolean;
  /** The call's status in the original session, if the session was handed over to Codex. */
  told: CallStatus | undefined;
  /** A record of the call's outcome. The record is not needed if the call's output follows. */
  outcome: RolloutRecord | undefined;
}

/**
 * Items, and the events that show the same text to people, matched by their order in a turn.
 * Codex's version decides whether the item or its event comes first.
 */
interface Echo {
  /** Number of items read so far whose event was not read yet. */
  items: number;
  /** Events read so far whose item was not read yet. */
  waiting: RolloutRecord[];
}

export interface Rollout {
  readonly session: CodexSession;
  readonly writer: EventSink;
  /** True if the caller wants only messages. Then no token counts are added to answers. */
  readonly unlabelled: boolean;
  /** Counts a record that was waiting for a later record. */
  readonly count: CountedReading["count"];
  /**
   * True if the current record belongs to the thread that this thread continues. Its tokens are
   * counted in that thread.
   */
  inherited: boolean;
  started: boolean;
  /** The user's name for the thread, else the first prompt of a fork. Undefined without either. */
  title: string | undefined;
  /** True if reading began within the thread, so that some calls are unknown. */
  partial: boolean;
  /** The `session_meta` record of the thread itself. */
  meta: RolloutRecord | undefined;
  /** The working directory. Undefined until a record names it. */
  cwd: string | undefined;
  model: string | undefined;
  provider: string | undefined;
  turn_id: string | undefined;
  readonly open: Map<string, OpenCall>;
  /** Ids of the most recent calls whose outputs were read. */
  readonly settled: string[];
  held: Held;
  usage: UsageReading;
  /** Token counts read before the answer that they belong to ended. Undefined if there are none. */
  early: TokenUsage | undefined;
  /** True if the last answer was written without its tokens. */
  uncounted: boolean;
  readonly said: Readonly<Record<"user" | "assistant", Echo>>;
  /** The user's prompts that a compaction of an old Codex version would keep. */
  prompts: string[];
  /** Number of prompts at which prompts that no compaction would keep are dropped. */
  most_prompts: number;
  /** Instructions read while calls were open. They wait, as outputs must directly follow calls. */
  waiting: HeldEvent[];
}

/** Number of stored prompts that triggers the first removal of prompts no compaction would keep. */
export const FEW_PROMPTS = 256;

type RolloutReading =
  & { session: CodexSession }
  & Pick<CountedReading<EventSink>, "writer" | "count">;

export function startRollout({ session, writer, count }: RolloutReading): Rollout {
  return {
    session,
    writer,
    unlabelled: writer.unlabelled === true,
    count,
    inherited: false,
    started: false,
    title: undefined,
    partial: false,
    meta: undefined,
    cwd: undefined,
    model: undefined,
    provider: undefined,
    turn_id: undefined,
    open: new Map(),
    settled: [],
    held: [],
    usage: { recorded: false, total: "" },
    early: undefined,
    uncounted: false,
    said: { user: { items: 0, waiting: [] }, assistant: { items: 0, waiting: [] } },
    prompts: [],
    most_prompts: FEW_PROMPTS,
    waiting: [],
  };
}

export function originOf(
  { turn_id, unlabelled }: Rollout,
  { time, source }: RolloutRecord,
  id?: string,
): EventOrigin {
  if (unlabelled) return NOWHERE;
  return { id, time, turn_id, record: source };
}

export function hold<Kind extends EventKind>(
  { held }: Rollout,
  kind: Kind,
  payload: PayloadByKind[Kind],
  origin: EventOrigin,
): void {
  held.push({ kind, payload, origin } as HeldEvent);
}

export function endAnswer(rollout: Rollout, usage: TokenUsage | undefined = rollout.early): void {
  const { held, inherited, writer } = rollout;
  if (held.length === 0) return;
  rollout.held = [];
  rollout.early = undefined;
  rollout.uncounted = usage === undefined;
  if (usage !== undefined && !inherited) countAnswer(rollout, held, usage);
  writeHeld(writer, held);
}

/** Adds token counts to an answer's first response. Without a response, adds an empty message. */
function countAnswer({ model, provider }: Rollout, held: Held, usage: TokenUsage): void {
  for (const one of held) {
    if (one.kind !== "response" || !one.spoken) continue;
    one.fields = { ...one.fields, usage };
    return;
  }
  const { origin = {} } = held.findLast((one) => one.kind !== "response") ?? {};
  const payload = present({ content: "", model, provider, usage });
  held.push({ kind: "assistant_message", payload, origin: { ...origin, id: undefined } });
}

export function responseFields({ model, provider, unlabelled }: Rollout): ResponseFields {
  return unlabelled ? {} : present({ model, provider });
}

/** Writes an event that is not an item of an answer, after the current answer. */
export function emit<Kind extends EventKind>(
  rollout: Rollout,
  kind: Kind,
  payload: PayloadByKind[Kind],
  origin: EventOrigin,
): void {
  endAnswer(rollout);
  rollout.writer.emit(kind, payload, origin);
}

/** Writes the instructions that were held until all open calls had outputs. */
export function endWaiting(rollout: Rollout): void {
  const { waiting } = rollout;
  if (waiting.length === 0) return;
  rollout.waiting = [];
  endAnswer(rollout);
  for (const { kind, payload, origin } of waiting) rollout.writer.emit(kind, payload, origin);
}

export function emitExtension(rollout: Rollout, record: RolloutRecord, type = record.type): void {
  const data = record.payload;
  const id = typeof data.id === "string" ? data.id : undefined;
  const name = type === "" ? "unknown" : type;
  emit(rollout, "extension", { agent: "codex", type: name, data }, originOf(rollout, record, id));
}

/** Adds the token counts of an answer. The answer's items may come before or after the counts. */
export function addUsage(rollout: Rollout, usage: TokenUsage, record: RolloutRecord): void {
  const { held, early, uncounted } = rollout;
  if (rollout.unlabelled) return;
  if (held.length > 0 && early === undefined) return endAnswer(rollout, usage);
  endAnswer(rollout);
  if (held.length > 0 || !uncounted) {
    rollout.early = usage;
    return;
  }
  emitUsage(rollout, usage, originOf(rollout, record));
}

/** Emits token counts as an empty message. Their answer is already written or missing. */
function emitUsage(rollout: Rollout, usage: TokenUsage, origin: EventOrigin): void {
  const { inherited, model, provider, writer } = rollout;
  rollout.uncounted = false;
  if (inherited) return;
  writer.emit("assistant_message", present({ content: "", model, provider, usage }), origin);
}

/** Ends the last answer. Token counts whose answer never came become an event without text. */
export function endUsage(rollout: Rollout): void {
  endAnswer(rollout);
  const { early } = rollout;
  rollout.early = undefined;
  if (early !== undefined) emitUsage(rollout, early, {});
}
