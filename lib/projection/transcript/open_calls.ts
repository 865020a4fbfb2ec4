/**
 * Tracks the calls of a transcript that may still settle. Items keep their order, so an open call
 * holds back all after it, up to a limit. Pure.
 */
import type { KnownEvent } from "../../event/envelope.ts";
import { eventSize } from "../event_size.ts";
import type { BashItem, ToolItem } from "./transcript_item.ts";

/** An item that a settlement may still change. */
export type CallItem = ToolItem | BashItem;

/** Calls that may still settle, and how much waits for them. */
export interface OpenCalls {
  /** In order of their start or declaration, each with what was counted until then. */
  readonly started: Map<CallItem, number>;
  /** Declared calls among them that have no place yet; false for those that nobody sees. */
  readonly declared: Map<CallItem, boolean>;
  /** Characters of all events that came while a call was open. */
  counted: number;
  /** Characters that may wait for a call. */
  readonly most_waiting: number;
}

/** No call is open. */
export function noOpenCalls(most_waiting: number): OpenCalls {
  return { started: new Map(), declared: new Map(), counted: 0, most_waiting };
}

/** Opens a call. */
export function openCall(calls: OpenCalls, item: CallItem): void {
  calls.started.set(item, calls.counted);
}

/** Opens a call that a response declares. Its place is known when it begins, or ends. */
export function declareCall(calls: OpenCalls, item: CallItem, seen: boolean): void {
  openCall(calls, item);
  calls.declared.set(item, seen);
}

/** Closes the latest declared call of an id, which begins now; gives it, and whether it is seen. */
export function beginCall(
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

/** Closes the latest call of an id, and gives it; undefined where none is open. */
export function closeCall(calls: OpenCalls, call_id: string): CallItem | undefined {
  const found = latestCall(calls, call_id);
  if (found !== undefined) forget(calls, found);
  return found;
}

/** The latest open call of an id. */
export function latestCall({ started }: OpenCalls, call_id: string): CallItem | undefined {
  let found: CallItem | undefined;
  for (const item of started.keys()) if (item.call_id === call_id) found = item;
  return found;
}

/** Closes the calls of other turns. */
export function closeOtherTurns(calls: OpenCalls, turn_id: string | undefined): void {
  for (const item of calls.started.keys()) {
    if (turn_id === undefined || item.turn_id !== turn_id) forget(calls, item);
  }
}

/** Counts an event, before it opens or closes a call. */
export function countEvent(calls: OpenCalls, event: KnownEvent): void {
  if (calls.started.size > 0) calls.counted += eventSize(event);
}

/** Whether too much waits for a call. */
export function isOverdue({ started, counted, most_waiting }: OpenCalls): boolean {
  for (const start of started.values()) return counted - start > most_waiting;
  return false;
}

/** Closes the calls for which too much waits. */
export function closeOverdue(calls: OpenCalls): void {
  for (const [item, start] of calls.started) {
    if (calls.counted - start <= calls.most_waiting) return;
    forget(calls, item);
  }
}
