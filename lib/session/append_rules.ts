/**
 * Refuses events that readers would ignore or take for something else. These are a compaction
 * without effect, a call twice, a start or an end of no call. Nothing is acknowledged that has no
 * effect.
 */
import type { KnownEvent, NewEvent } from "../event/envelope.ts";
import { openedCalls, startedCall } from "../event/opened_calls.ts";
import type { CompactionAppliedPayload } from "../event/payload.ts";
import { SessionError } from "../event/session_error.ts";

/** The unsettled calls of one id. */
interface OpenIds {
  /** Number of calls that have no end yet. */
  readonly unsettled: number;
  /** Number of those that a response declares and nothing has started. */
  readonly waiting: number;
}

/** Unsettled calls by their ids. */
type OpenCallCounts = ReadonlyMap<string, OpenIds>;

const NONE: OpenIds = { unsettled: 0, waiting: 0 };

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
      after.push(afterEvent(after.at(-1), event));
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
  const ids = new Set<string>();
  for (const { call_id } of openedCalls(event as KnownEvent)) {
    if (ids.has(call_id)) {
      throw refuse(event, `it declares the call ${call_id} twice; give each call its own id`);
    }
    ids.add(call_id);
  }
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
  if (messages !== undefined || first_kept_seq === undefined) return;
  if (Number.isSafeInteger(first_kept_seq) && first_kept_seq >= 1 && first_kept_seq < seq) return;
  throw refuse(
    event,
    `first_kept_seq ${first_kept_seq} names no event before it; name one from 1 to ${seq - 1}`,
  );
}

function afterEvent(open: OpenCallCounts | undefined, event: NewEvent): typeof open {
  if (open === undefined) return undefined;
  const started = startedCall(event as KnownEvent);
  if (started !== undefined) return afterStart(open, event, started);
  if (event.kind === "tool_end" || event.kind === "bash_end") {
    return afterEnd(open, event, event.payload.call_id);
  }
  const opened = openedCalls(event as KnownEvent);
  if (opened.length === 0) return open;
  const isStart = event.kind === "tool_start" || event.kind === "bash_start";
  const next = new Map(open);
  for (const { call_id } of opened) {
    const { unsettled, waiting } = next.get(call_id) ?? NONE;
    if (isStart && waiting > 0 && !isOfUser(event)) {
      throw refuse(
        event,
        `a response declares the call ${call_id}, which would stand twice; ` +
          "give call_id without name, input and origin",
      );
    }
    next.set(call_id, { unsettled: unsettled + 1, waiting: waiting + Number(!isStart) });
  }
  return next;
}

/** True for the user's own command, which no response declares. */
function isOfUser(event: NewEvent): boolean {
  return event.kind === "bash_start" && event.payload.origin === "user";
}

function afterStart(open: OpenCallCounts, event: NewEvent, call_id: string): OpenCallCounts {
  const { unsettled, waiting } = open.get(call_id) ?? NONE;
  if (unsettled === 0) {
    throw refuse(event, `no response declares the call ${call_id}; append the response first`);
  }
  if (waiting === 0) {
    throw refuse(event, `the call ${call_id} has begun already; start each call once`);
  }
  return new Map(open).set(call_id, { unsettled, waiting: waiting - 1 });
}

function afterEnd(open: OpenCallCounts, event: NewEvent, call_id: string): OpenCallCounts {
  const { unsettled, waiting } = open.get(call_id) ?? NONE;
  if (unsettled === 0) {
    throw refuse(
      event,
      `no call ${call_id} is open; append the response that declares it first, and end it once`,
    );
  }
  const next = new Map(open);
  if (unsettled === 1) next.delete(call_id);
  else next.set(call_id, { unsettled: unsettled - 1, waiting: Math.min(waiting, unsettled - 1) });
  return next;
}
