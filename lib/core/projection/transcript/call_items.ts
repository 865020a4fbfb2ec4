/**
 * Adds tool calls to a transcript. The item of a call stands where the call began to run. Without a
 * recorded start, it follows the response that declared the call.
 */
import type { KnownEvent } from "../../event/envelope.ts";
import type { Audience } from "../../event/message.ts";
import type { BashStartPayload } from "../../event/payload.ts";
import { present } from "../../event/present.ts";
import { eventSize } from "../event_size.ts";
import { commandOf } from "../said_parts.ts";
import {
  type BashItem,
  type ItemBase,
  type ToolItem,
  type TranscriptItem,
  worseIntegrity,
} from "./item.ts";

export interface CallsAmongItems {
  /** Items that the transcript's reader has not taken yet, in order. */
  items: TranscriptItem[];
  open: OpenCalls;
}

/** Tracks a declared call until it begins or ends. A call with audience `model` gets no item. */
export function addDeclaredCall(
  { open }: CallsAmongItems,
  item: ToolItem,
  audience: Audience | undefined,
): void {
  declareCall(open, item, audience !== "model");
}

/** Adds the pending declared calls to the items, up to and including `last`, by default all. */
export function placeDeclared({ items, open }: CallsAmongItems, last?: CallItem): void {
  if (last !== undefined && !open.declared.has(last)) return;
  for (const [item, seen] of open.declared) {
    open.declared.delete(item);
    if (seen) items.push(item);
    if (item === last) return;
  }
}

export function placeCall(calls: CallsAmongItems, call_id: string | undefined): void {
  const call = call_id === undefined ? undefined : latestCall(calls.open, call_id);
  if (call !== undefined) placeDeclared(calls, call);
}

export function addOwnCommand(
  { items, open }: CallsAmongItems,
  item: CallItem,
  audience: Audience | undefined,
): void {
  if (audience !== "model") items.push(item);
  openCall(open, item);
}

/** Adds a declared call to the items when it begins. A start without a declaration adds no item. */
export function startDeclaredTool(calls: CallsAmongItems, base: ItemBase, call_id: string): void {
  startDeclared(calls, call_id, (declared) => ({
    ...declared,
    ...startedAt(declared, base),
    status: "unsettled",
  }));
}

export function startDeclaredBash(
  calls: CallsAmongItems,
  base: ItemBase,
  { call_id, command, summary }: BashStartPayload,
): void {
  startDeclared(calls, call_id, (declared) => {
    const given = declared.type === "tool" ? commandOf(declared.input) : declared.command;
    return present({
      type: "bash",
      ...startedAt(declared, base),
      call_id,
      command: command ?? given,
      summary,
      origin: "model" as const,
      status: "unsettled",
      captions: declared.captions,
    });
  });
}

function startedAt({ integrity }: CallItem, base: ItemBase): ItemBase {
  return { ...base, integrity: worseIntegrity(integrity, base.integrity) };
}

function startDeclared(
  { items, open }: CallsAmongItems,
  call_id: string,
  begun: (declared: CallItem) => CallItem,
): void {
  const declared = beginCall(open, call_id);
  if (declared === undefined) return;
  const item = begun(declared.item);
  if (declared.seen) items.push(item);
  openCall(open, item);
}

/** Ends the latest open call with the id of `orphan`, or adds `orphan` if there is none. */
export function settleCall(calls: CallsAmongItems, orphan: CallItem): void {
  const { items, open } = calls;
  const latest = latestCall(open, orphan.call_id);
  if (latest !== undefined) placeDeclared(calls, latest);
  const start = closeCall(open, orphan.call_id);
  if (start === undefined) {
    items.push(orphan);
    return;
  }
  const { type: _type, time: _time, turn_id: _turn, orphan: _orphan, ...end } = orphan;
  const { seq: end_seq, integrity, ...outcome } = end;
  // The end replaces what was shown at the start only if it says more.
  const name = start.type === "tool" && orphan.type === "tool" ? { name: start.name } : {};
  const mark = worseIntegrity(start.integrity, integrity);
  const captions = [...new Set([...start.captions ?? [], ...outcome.captions ?? []])];
  const settled = {
    ...outcome,
    ...name,
    ...captions.length > 0 && { captions },
    end_seq,
    integrity: mark,
  };
  if (start.type === "bash" || orphan.type === "tool") {
    Object.assign(start, settled);
    return;
  }
  const at = items.lastIndexOf(start);
  if (at >= 0) items[at] = asBash(start, { ...orphan, ...settled });
}

function asBash({ seq, time, turn_id }: ToolItem, end: BashItem): BashItem {
  const { time: _time, turn_id: _turn, orphan: _orphan, ...outcome } = end;
  return { ...outcome, seq, ...present({ time, turn_id }), origin: "model" };
}

// Tracks the calls of a transcript whose end is not recorded yet. Items keep their order, so an
// open call holds back all later items, up to a limit. Pure.

/** The item of a call. It changes when the end of the call is recorded. */
export type CallItem = ToolItem | BashItem;

/** Calls without a recorded end, and the number of characters that came while calls were open. */
export interface OpenCalls {
  /** Open calls in the order of opening. The value is the number `counted` when the call opened. */
  readonly started: Map<Extract<TranscriptItem, { type: "tool" | "bash" }>, number>;
  /** Declared calls that are not items yet. False marks a call that the user must not see. */
  readonly declared: Map<Extract<TranscriptItem, { type: "tool" | "bash" }>, boolean>;
  /** Characters of all events that came while a call was open. */
  counted: number;
  /** Maximum number of characters between a call and its result. */
  readonly most_waiting: number;
}

export function noOpenCalls(most_waiting: number): OpenCalls {
  return { started: new Map(), declared: new Map(), counted: 0, most_waiting };
}

function openCall(calls: OpenCalls, item: CallItem): void {
  calls.started.set(item, calls.counted);
}

/** Opens a call that a response declares. The call becomes an item when it begins or ends. */
function declareCall(calls: OpenCalls, item: CallItem, seen: boolean): void {
  openCall(calls, item);
  calls.declared.set(item, seen);
}

function beginCall(
  calls: OpenCalls,
  call_id: string,
): { item: CallItem; seen: boolean } | undefined {
  let found: { item: CallItem; seen: boolean } | undefined;
  for (const [item, seen] of calls.declared) if (item.call_id === call_id) found = { item, seen };
  if (found !== undefined) forget(calls, found.item);
  return found;
}

function forget({ started, declared }: OpenCalls, item: CallItem): void {
  started.delete(item);
  declared.delete(item);
}

/** Closes and returns the latest open call of an id, because ids can repeat in a session. */
function closeCall(calls: OpenCalls, call_id: string): CallItem | undefined {
  const found = latestCall(calls, call_id);
  if (found !== undefined) forget(calls, found);
  return found;
}

function latestCall({ started }: OpenCalls, call_id: string): CallItem | undefined {
  let found: CallItem | undefined;
  for (const item of started.keys()) if (item.call_id === call_id) found = item;
  return found;
}

export function closeOtherTurns(calls: OpenCalls, turn_id: string | undefined): void {
  for (const item of calls.started.keys()) {
    if (turn_id === undefined || item.turn_id !== turn_id) forget(calls, item);
  }
}

/** Adds an event's size to `counted`. Must run before the event opens or closes a call. */
export function countEvent(calls: OpenCalls, event: KnownEvent): void {
  if (calls.started.size > 0) calls.counted += eventSize(event);
}

export function isOverdue({ started, counted, most_waiting }: OpenCalls): boolean {
  for (const start of started.values()) return counted - start > most_waiting;
  return false;
}

export function closeOverdue(calls: OpenCalls): void {
  for (const [item, start] of calls.started) {
    if (calls.counted - start <= calls.most_waiting) return;
    forget(calls, item);
  }
}
