/**
 * Refuses events that readers would ignore: a compaction without effect, a call twice in one
 * response, a start or an end of no call. Nothing is acknowledged that has no effect.
 */
import type { KnownEvent, NewEvent } from "../event/envelope.ts";
import { openedCalls, startedCall } from "../event/opened_calls.ts";
import type { CompactionAppliedPayload } from "../event/payload.ts";
import { SessionError } from "../event/session_error.ts";

/** Numbers of the unsettled calls by their ids. */
type OpenCallCounts = ReadonlyMap<string, number>;

/** Knows the calls that wait for an end, if it has seen the log from its start. */
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
   * @returns Takes the first of them as appended: what is refused or not written changes nothing.
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
    throw refuse(event, "it has neither messages nor a summary, so that it has no effect");
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
  const opened = openedCalls(event as KnownEvent);
  const started = startedCall(event as KnownEvent);
  const ended = event.kind === "tool_end" || event.kind === "bash_end"
    ? event.payload.call_id
    : undefined;
  if (started !== undefined && !open.has(started)) {
    throw refuse(event, `no response declares the call ${started}; append the response first`);
  }
  if (ended !== undefined && !open.has(ended)) {
    throw refuse(
      event,
      `the call ${ended} is not open; append the response that declares it first`,
    );
  }
  if (opened.length === 0 && ended === undefined) return open;
  const next = new Map(open);
  for (const { call_id } of opened) next.set(call_id, (next.get(call_id) ?? 0) + 1);
  if (ended !== undefined) {
    const count = (next.get(ended) ?? 0) - 1;
    if (count > 0) next.set(ended, count);
    else next.delete(ended);
  }
  return next;
}
