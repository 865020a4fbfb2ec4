/**
 * Declares, starts and settles the calls of a transcript. A call stands where it began to run. If
 * nothing says that it did, it follows its response.
 */
import type { Audience } from "../../event/message.ts";
import type { BashStartPayload } from "../../event/payload.ts";
import {
  beginCall,
  type CallItem,
  closeCall,
  declareCall,
  latestCall,
  openCall,
  type OpenCalls,
} from "./open_calls.ts";
import { commandOf } from "../said_parts.ts";
import type { BashItem, ItemBase, ToolItem, TranscriptItem } from "./transcript_item.ts";
import { worseIntegrity } from "../worse_integrity.ts";

/** The items of a transcript, and their calls. */
export interface CallsAmongItems {
  /** Items not taken yet, in order. */
  items: TranscriptItem[];
  /** Calls that may still settle. */
  open: OpenCalls;
}

/** Tracks a declared call until it has a place. A call for the model alone is not shown. */
export function addDeclaredCall(
  { open }: CallsAmongItems,
  item: ToolItem,
  audience: Audience | undefined,
): void {
  declareCall(open, item, audience !== "model");
}

/** Shows the declared calls that have no place yet, in their order, up to `last`. */
export function placeDeclared({ items, open }: CallsAmongItems, last?: CallItem): void {
  if (last !== undefined && !open.declared.has(last)) return;
  for (const [item, seen] of open.declared) {
    open.declared.delete(item);
    if (seen) items.push(item);
    if (item === last) return;
  }
}

/** Shows a declared call and those before it. */
export function placeCall(calls: CallsAmongItems, call_id: string | undefined): void {
  const call = call_id === undefined ? undefined : latestCall(calls.open, call_id);
  if (call !== undefined) placeDeclared(calls, call);
}

/** Shows a command of the user. One for the model alone is tracked, but not shown. */
export function addOwnCommand(
  { items, open }: CallsAmongItems,
  item: CallItem,
  audience: Audience | undefined,
): void {
  if (audience !== "model") items.push(item);
  openCall(open, item);
}

/** Shows a declared call where it begins. A start without a declaration shows nothing. */
export function startDeclaredTool(calls: CallsAmongItems, base: ItemBase, call_id: string): void {
  startDeclared(calls, call_id, (declared) => ({
    ...declared,
    ...startedAt(declared, base),
    status: "unsettled",
  }));
}

/** Shows a declared call as a shell command, where it begins. */
export function startDeclaredBash(
  calls: CallsAmongItems,
  base: ItemBase,
  { call_id, command, summary }: BashStartPayload,
): void {
  startDeclared(calls, call_id, (declared) => {
    const given = declared.type === "tool" ? commandOf(declared.input) : declared.command;
    return {
      type: "bash",
      ...startedAt(declared, base),
      call_id,
      command: command ?? given,
      ...(summary === undefined ? {} : { summary }),
      origin: "model",
      status: "unsettled",
    };
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

/** Settles the latest open call of an id. An end without a call is shown by itself. */
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
  // What was shown at the start stays, where the end does not say more.
  const name = start.type === "tool" && orphan.type === "tool" ? { name: start.name } : {};
  const mark = worseIntegrity(start.integrity, integrity);
  const settled = { ...outcome, ...name, end_seq, integrity: mark };
  if (start.type === "bash" || orphan.type === "tool") {
    Object.assign(start, settled);
    return;
  }
  const at = items.lastIndexOf(start);
  if (at >= 0) items[at] = asBash(start, { ...orphan, ...settled });
}

/** Returns a declared call as the shell command that its end says it was. */
function asBash({ seq, time, turn_id }: ToolItem, end: BashItem): BashItem {
  const { time: _time, turn_id: _turn, orphan: _orphan, ...outcome } = end;
  return {
    ...outcome,
    seq,
    ...(time === undefined ? {} : { time }),
    ...(turn_id === undefined ? {} : { turn_id }),
    origin: "model",
  };
}
