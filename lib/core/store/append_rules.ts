/**
 * Refuses events that readers would ignore or misread, so that each acknowledged event has an
 * effect. These are a compaction without effect, and a response with the same call twice. A start
 * or an end must belong to an open call. A call that a compaction or a branch dropped is not open.
 * Tokens under unknown names are refused, too.
 */
import type { KnownEvent, NewEvent } from "../event/envelope.ts";
import { amount, fields, only, optional, within } from "../event/guard.ts";
import type { Message, Part } from "../event/message.ts";
import { isMessageKind, openedCalls, startedCall } from "../event/opened_calls.ts";
import type { CompactionAppliedPayload } from "../event/payload.ts";
import { BranchPath, type BranchPoint } from "../projection/branch_path.ts";
import { SessionError } from "../event/session_error.ts";

/** The unsettled calls that have the same id. */
interface OpenIds {
  readonly unsettled: number;
  /** Number of declared calls without a start. */
  readonly waiting: number;
  /** Number of the last event that opened a call with the id to which these counts belong. */
  readonly seq: number;
  /**
   * Number of the first message after event `seq`, or `Infinity` if there is none. A compaction
   * drops the calls if its first kept event is this message or a later event.
   */
  readonly until: number;
  /**
   * The reason why the model gets no result of the calls. `replaced`: a compaction dropped the
   * calls. `left`: the session went back to an event before the calls.
   */
  readonly gone?: "replaced" | "left";
}

interface OpenCallCounts {
  readonly calls: ReadonlyMap<string, OpenIds>;
  /** True if `calls` has all open calls of the log. */
  readonly complete: boolean;
}

const NONE: OpenIds = { unsettled: 0, waiting: 0, seq: 0, until: Infinity };
const REPLACED: OpenIds = { ...NONE, gone: "replaced" };
const LEFT: OpenIds = { ...NONE, gone: "left" };

export class CallLedger {
  #open: OpenCallCounts;
  /**
   * Number of the event that first opened a call, by call id. Undefined for a log with earlier
   * events that were not seen.
   */
  readonly #first: Map<string, number> | undefined;
  #branches: readonly BranchPoint[] = [];
  #replacements: readonly number[] = [];

  /** @param complete True if the caller will pass all events of the log. */
  constructor(complete: boolean) {
    this.#first = complete ? new Map() : undefined;
    this.#open = { calls: new Map(), complete };
  }

  /**
   * Checks events that are to be appended together.
   *
   * @param events In order, the first of them with the number `seq`.
   * @returns A function that records the first `count` events as appended.
   * @throws {SessionError} `invalid-event`
   */
  check(events: readonly NewEvent[], seq: number): (count: number) => void {
    const after: OpenCallCounts[] = [this.#open];
    let open = this.#open;
    const branches = [...this.#branches];
    const replacements = [...this.#replacements];
    for (const [index, event] of events.entries()) {
      checkEvent(event, seq + index);
      checkKept(event, branches, replacements);
      if (isReplacement(event)) replacements.push(seq + index);
      if (event.kind === "conversation_branched") {
        branches.push({ seq: seq + index, from_seq: event.payload.from_seq });
      }
      open = event.kind === "conversation_branched"
        ? this.#afterBranch(open, event.payload.from_seq)
        : afterEvent(open, event, seq + index);
      after.push(open);
    }
    return (count) => {
      this.#open = after[count] ?? open;
      this.#branches = branches.filter((branch) => branch.seq < seq + count);
      this.#replacements = replacements.filter((one) => one < seq + count);
      for (const [index, event] of events.slice(0, count).entries()) {
        for (const { call_id } of openedCalls(event as KnownEvent)) {
          if (this.#first?.has(call_id) === false) this.#first.set(call_id, seq + index);
        }
      }
    };
  }

  /**
   * Returns the open calls after a branch back to event `from`. Calls opened up to `from` stay
   * open. Ids first used after `from` become `LEFT`, so that later events of these calls are
   * refused. Other ids are dropped, because their state at `from` is unknown.
   */
  #afterBranch(open: OpenCallCounts, from: number): OpenCallCounts {
    const calls = new Map<string, OpenIds>();
    for (const [id, ids] of open.calls) {
      const first = this.#first?.get(id) ?? 0;
      if (first > from) calls.set(id, LEFT);
      else if (ids.gone === undefined && ids.seq <= from) calls.set(id, ids);
    }
    return { calls, complete: false };
  }
}

function refuse(event: NewEvent, why: string): SessionError {
  return new SessionError("invalid-event", `Cannot append ${event.kind}: ${why}`, {});
}

function checkEvent(event: NewEvent, seq: number): void {
  if (event.kind === "compaction_applied") checkCompaction(event, event.payload, seq);
  if (event.kind === "conversation_branched") checkNamed(event, "from_seq", seq);
  if (event.kind === "event_labeled") checkNamed(event, "target_seq", seq);
  if (event.kind === "assistant_message") {
    const reason = answerFault(event.payload);
    if (reason !== undefined) throw refuse(event, within("payload", reason));
  }
  const ids = new Set<string>();
  for (const { call_id } of openedCalls(event as KnownEvent)) {
    if (ids.has(call_id)) {
      throw refuse(
        event,
        `the response contains the call ${call_id} twice; give each call its own id`,
      );
    }
    ids.add(call_id);
  }
}

/** Checks the usage of a response. Tokens under an unknown name would not be counted. */
const answerFault = fields({
  usage: optional(only({
    input: amount,
    output: amount,
    cache_read: amount,
    cache_write: amount,
    cache_write_1h: amount,
    reasoning: amount,
  })),
  last_prompt_tokens: optional(amount),
  cost_usd: optional(amount),
});

/** Refuses messages of a compaction that are all blank, or have a result without a call. */
function checkMessages(event: NewEvent, messages: readonly Message[]): void {
  const declared = new Set<string>();
  let said = messages.length === 0;
  for (const { role: _, content, ...more } of messages) {
    // Data for the provider count as content.
    said ||= Object.keys(more).length > 0;
    for (const part of typeof content === "string" ? [] : content) {
      if (part.type === "tool_call") declared.add(part.call_id);
      if (part.type === "tool_result" && !declared.has(part.call_id)) {
        throw refuse(
          event,
          `a tool result belongs to none of the tool calls: ${part.call_id}; remove this tool result`,
        );
      }
    }
    said ||= typeof content === "string" ? content.trim() !== "" : content.some(saysSomething);
  }
  if (!said) {
    throw refuse(
      event,
      "all messages are blank; to empty the conversation, set messages to an empty list, []",
    );
  }
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
      "the compaction has neither messages nor a summary; give one of them",
    );
  }
  if (messages !== undefined) return checkMessages(event, messages);
  if (summary?.trim() === "") {
    throw refuse(
      event,
      "the summary is blank; to empty the conversation, set messages to an empty list, []",
    );
  }
  if (first_kept_seq !== undefined) checkNamed(event, "first_kept_seq", seq);
}

function isReplacement({ kind, payload }: NewEvent): boolean {
  return kind === "conversation_replaced" ||
    kind === "compaction_applied" && payload.status_only !== true;
}

function checkKept(
  event: NewEvent,
  branches: readonly BranchPoint[],
  replacements: readonly number[],
): void {
  if (event.kind !== "compaction_applied" || event.payload.messages !== undefined) return;
  const { first_kept_seq } = event.payload;
  if (first_kept_seq === undefined) return;
  const named = `event ${first_kept_seq} (first_kept_seq)`;
  if (replacements.includes(first_kept_seq)) {
    throw refuse(event, `${named} is itself a compaction; give the number of a message`);
  }
  if (new BranchPath(branches).has(first_kept_seq)) return;
  throw refuse(event, `${named} is on a branch that was left; give an event of this conversation`);
}

function checkNamed(event: NewEvent, field: string, seq: number): void {
  const named = (event.payload as unknown as Record<string, unknown>)[field];
  if (Number.isSafeInteger(named) && Number(named) >= 1 && Number(named) < seq) return;
  const range = seq > 1 ? `${field} must be a number from 1 to ${seq - 1}` : "there is none yet";
  throw refuse(event, `${field} ${named} is not the number of an earlier event; ${range}`);
}

function afterEvent(open: OpenCallCounts, event: NewEvent, seq: number): OpenCallCounts {
  if (event.kind === "conversation_replaced") return afterCut(open, Infinity);
  if (event.kind === "compaction_applied") {
    const { status_only, messages, first_kept_seq = Infinity } = event.payload;
    if (status_only) return open;
    return afterCut(open, messages === undefined ? first_kept_seq : Infinity);
  }
  return afterOther(isMessageKind(event.kind) ? before(open, seq) : open, event, seq);
}

function mapped(
  { calls, complete }: OpenCallCounts,
  change: (ids: OpenIds) => OpenIds,
): OpenCallCounts {
  if (calls.size === 0) return { calls, complete };
  return { calls: new Map([...calls].map(([id, ids]) => [id, change(ids)])), complete };
}

/** Marks calls before `from`, the first event that a compaction keeps, as `replaced`. */
function afterCut(open: OpenCallCounts, from: number): OpenCallCounts {
  const kept = mapped(open, (ids) => from <= ids.seq || from < ids.until ? ids : REPLACED);
  // If nothing is kept, no earlier call is open, so that all open calls are known.
  return { ...kept, complete: open.complete || from === Infinity };
}

/** Sets the first message after each open call, `until`, to `seq` unless it is already set. */
function before(open: OpenCallCounts, seq: number): OpenCallCounts {
  return mapped(open, (ids) => ({ ...ids, until: Math.min(ids.until, seq) }));
}

function withIds({ calls, complete }: OpenCallCounts, id: string, ids: OpenIds): OpenCallCounts {
  return { calls: new Map(calls).set(id, ids), complete };
}

function afterOther(open: OpenCallCounts, event: NewEvent, seq: number): OpenCallCounts {
  const started = startedCall(event as KnownEvent);
  if (started !== undefined) return afterStart(open, event, started);
  if (event.kind === "tool_end" || event.kind === "bash_end") {
    return afterEnd(open, event, event.payload.call_id);
  }
  const declares = event.kind !== "bash_start";
  let next = open;
  for (const { call_id } of openedCalls(event as KnownEvent)) {
    const { unsettled, waiting } = next.calls.get(call_id) ?? NONE;
    const counts = { unsettled: unsettled + 1, waiting: waiting + Number(declares) };
    next = withIds(next, call_id, { ...counts, seq, until: Infinity });
  }
  return next;
}

function isGone(event: NewEvent, call_id: string, gone: "replaced" | "left"): SessionError {
  const why = gone === "replaced"
    ? `a compaction removed the tool call ${call_id}`
    : `a branch dropped the tool call ${call_id}`;
  const what = gone === "replaced"
    ? "before you compact, wait until all tool calls have ended, or keep their messages"
    : "before you branch, wait until all tool calls have ended";
  return refuse(event, `${why}, so the model would not receive the call's result; ${what}`);
}

function afterStart(open: OpenCallCounts, event: NewEvent, call_id: string): OpenCallCounts {
  const ids = open.calls.get(call_id) ?? NONE;
  const { unsettled, waiting, gone } = ids;
  if (gone !== undefined) throw isGone(event, call_id, gone);
  if (waiting > 0) return withIds(open, call_id, { ...ids, waiting: waiting - 1 });
  // An event that was not seen may have opened the call.
  if (!open.complete) return open;
  if (unsettled === 0) {
    throw refuse(
      event,
      `no answer of the model in this session contains the tool call ${call_id}; append that answer first`,
    );
  }
  throw refuse(event, `the tool call ${call_id} has already started; it can start only once`);
}

function afterEnd(open: OpenCallCounts, event: NewEvent, call_id: string): OpenCallCounts {
  const ids = open.calls.get(call_id) ?? NONE;
  const { unsettled, waiting, gone } = ids;
  if (gone !== undefined) throw isGone(event, call_id, gone);
  if (unsettled === 0) {
    if (!open.complete) return open;
    throw refuse(
      event,
      `there is no unfinished tool call ${call_id}; first append the model's answer that ` +
        "contains it, and append only one result for each tool call",
    );
  }
  if (unsettled === 1) {
    const calls = new Map(open.calls);
    calls.delete(call_id);
    return { calls, complete: open.complete };
  }
  const left = unsettled - 1;
  return withIds(open, call_id, { ...ids, unsettled: left, waiting: Math.min(waiting, left) });
}
