/**
 * Refuses events that readers would ignore or take for something else. These are a compaction
 * without effect, a call twice, and a start or an end of no call. A call that a compaction replaced
 * is none. Tokens of unknown names are refused too. Nothing is acknowledged that has no effect.
 */
import type { KnownEvent, NewEvent } from "../event/envelope.ts";
import { amount, fields, only, optional, within } from "../event/guard.ts";
import type { Message, Part } from "../event/message.ts";
import { isMessageKind, openedCalls, startedCall } from "../event/opened_calls.ts";
import type { CompactionAppliedPayload } from "../event/payload.ts";
import { SessionError } from "../event/session_error.ts";

/** The unsettled calls of one id. */
interface OpenIds {
  /** Number of calls that have no end yet. */
  readonly unsettled: number;
  /** Number of declared calls without a start. */
  readonly waiting: number;
  /** Number of the event that opened the last one of them. */
  readonly seq: number;
  /** Number of the next message behind it: a compaction that keeps that one cuts the call off. */
  readonly until: number;
  /** True where a compaction replaced them: the model would not get their results. */
  readonly replaced?: true;
}

/** Unsettled calls by their ids. */
type OpenCallCounts = ReadonlyMap<string, OpenIds>;

const NONE: OpenIds = { unsettled: 0, waiting: 0, seq: 0, until: Infinity };
const REPLACED: OpenIds = { ...NONE, replaced: true };

/** Tracks unsettled calls, if it sees the log from its start. */
export class CallLedger {
  #open: OpenCallCounts | undefined;

  /** @param complete Whether all events of the log will be seen. */
  constructor(complete: boolean) {
    this.#open = complete ? new Map() : undefined;
  }

  /**
   * Checks events that are to be appended together.
   *
   * @param events In order, the first of them with the number `seq`.
   * @returns A function that records the first `count` events as appended.
   * @throws {SessionError} `invalid-event`
   */
  check(events: readonly NewEvent[], seq: number): (count: number) => void {
    const after: (OpenCallCounts | undefined)[] = [this.#open];
    for (const [index, event] of events.entries()) {
      checkEvent(event, seq + index);
      after.push(afterEvent(after.at(-1), event, seq + index));
    }
    return (count) => {
      this.#open = after[count];
    };
  }
}

function refuse(event: NewEvent, why: string): SessionError {
  return new SessionError("invalid-event", `Cannot append ${event.kind}: ${why}`, {});
}

function checkEvent(event: NewEvent, seq: number): void {
  if (event.kind === "compaction_applied") checkCompaction(event, event.payload, seq);
  if (event.kind === "assistant_message") {
    const reason = answerFault(event.payload);
    if (reason !== undefined) throw refuse(event, within("payload", reason));
  }
  const ids = new Set<string>();
  for (const { call_id } of openedCalls(event as KnownEvent)) {
    if (ids.has(call_id)) {
      throw refuse(event, `it declares the call ${call_id} twice; give each call its own id`);
    }
    ids.add(call_id);
  }
}

/** The usage of a response: tokens of an unknown name would not be counted. */
const answerFault = fields({
  usage: optional(only({
    input: amount,
    output: amount,
    cache_read: amount,
    cache_write: amount,
    cache_write_1h: amount,
    reasoning: amount,
  })),
  cost_usd: optional(amount),
});

/** Checks that the model gets something from a compaction. An edited history may be anything. */
function checkMessages(event: NewEvent, messages: readonly Message[]): void {
  const declared = new Set<string>();
  let said = messages.length === 0;
  for (const { role: _, content, ...more } of messages) {
    // What a provider wants back is said to it.
    said ||= Object.keys(more).length > 0;
    for (const part of typeof content === "string" ? [] : content) {
      if (part.type === "tool_call") declared.add(part.call_id);
      if (part.type === "tool_result" && !declared.has(part.call_id)) {
        throw refuse(event, `messages have a result of no call: ${part.call_id}; leave it out`);
      }
    }
    said ||= typeof content === "string" ? content.trim() !== "" : content.some(saysSomething);
  }
  if (!said) throw refuse(event, "its messages are blank; give [] to empty the conversation");
}

function saysSomething(part: Part): boolean {
  return part.type !== "text" || part.text.trim() !== "";
}

function checkCompaction(
  event: NewEvent,
  { status_only, messages, summary, first_kept_seq }: CompactionAppliedPayload,
  seq: number,
): void {
  if (status_only) return;
  if (messages === undefined && summary === undefined) {
    throw refuse(
      event,
      "it has neither messages nor a summary, so that it has no effect; give one",
    );
  }
  if (messages !== undefined) return checkMessages(event, messages);
  if (summary?.trim() === "") {
    throw refuse(event, "its summary is blank; give messages: [] to empty the conversation");
  }
  if (first_kept_seq === undefined) return;
  if (Number.isSafeInteger(first_kept_seq) && first_kept_seq >= 1 && first_kept_seq < seq) return;
  throw refuse(
    event,
    `first_kept_seq ${first_kept_seq} names no event before it; name one from 1 to ${seq - 1}`,
  );
}

function afterEvent(open: OpenCallCounts | undefined, event: NewEvent, seq: number): typeof open {
  if (event.kind === "conversation_replaced") return afterCut(open ?? NO_CALLS, Infinity);
  if (event.kind === "compaction_applied") {
    const { status_only, messages, first_kept_seq = Infinity } = event.payload;
    if (status_only) return open;
    const from = messages === undefined ? first_kept_seq : Infinity;
    // Whatever was open before, behind it nothing is.
    return afterCut(from === Infinity ? open ?? NO_CALLS : open, from);
  }
  if (open === undefined) return undefined;
  return isMessageKind(event.kind)
    ? afterOther(before(open, seq), event, seq)
    : afterOther(open, event, seq);
}

const NO_CALLS: OpenCallCounts = new Map();

/** Keeps the open calls behind a cut. The model does not get results of others. */
function afterCut<Open extends OpenCallCounts | undefined>(
  open: Open,
  from: number,
): Open | OpenCallCounts {
  if (open === undefined) return open;
  const isKept = ({ seq, until }: OpenIds): boolean => from <= seq || from < until;
  return new Map([...open].map(([id, ids]) => [id, isKept(ids) ? ids : REPLACED]));
}

/** Marks the calls that were open before a message. */
function before(open: OpenCallCounts, seq: number): OpenCallCounts {
  if (open.size === 0) return open;
  return new Map([...open].map(([id, ids]) => [id, { ...ids, until: Math.min(ids.until, seq) }]));
}

function afterOther(open: OpenCallCounts, event: NewEvent, seq: number): OpenCallCounts {
  const started = startedCall(event as KnownEvent);
  if (started !== undefined) return afterStart(open, event, started);
  if (event.kind === "tool_end" || event.kind === "bash_end") {
    return afterEnd(open, event, event.payload.call_id);
  }
  const opened = openedCalls(event as KnownEvent);
  if (opened.length === 0) return open;
  const declares = event.kind !== "bash_start";
  const next = new Map(open);
  for (const { call_id } of opened) {
    const { unsettled, waiting } = next.get(call_id) ?? NONE;
    const counts = { unsettled: unsettled + 1, waiting: waiting + Number(declares) };
    next.set(call_id, { ...counts, seq, until: Infinity });
  }
  return next;
}

function isReplaced(event: NewEvent, call_id: string): SessionError {
  const why =
    `a compaction replaced the call ${call_id}, and the model would not get its result; ` +
    "end calls before you compact, or keep them";
  return refuse(event, why);
}

function afterStart(open: OpenCallCounts, event: NewEvent, call_id: string): OpenCallCounts {
  const ids = open.get(call_id) ?? NONE;
  const { unsettled, waiting } = ids;
  if (ids.replaced) throw isReplaced(event, call_id);
  if (unsettled === 0) {
    throw refuse(event, `no response declares the call ${call_id}; append the response first`);
  }
  if (waiting === 0) {
    throw refuse(event, `the call ${call_id} has begun already; start each call once`);
  }
  return new Map(open).set(call_id, { ...ids, waiting: waiting - 1 });
}

function afterEnd(open: OpenCallCounts, event: NewEvent, call_id: string): OpenCallCounts {
  const ids = open.get(call_id) ?? NONE;
  const { unsettled, waiting } = ids;
  if (ids.replaced) throw isReplaced(event, call_id);
  if (unsettled === 0) {
    throw refuse(
      event,
      `no call ${call_id} is open; append the response that declares it first, and end it once`,
    );
  }
  const next = new Map(open);
  if (unsettled === 1) next.delete(call_id);
  else {
    const left = unsettled - 1;
    next.set(call_id, { ...ids, unsettled: left, waiting: Math.min(waiting, left) });
  }
  return next;
}
