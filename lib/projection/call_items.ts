/**
 * Declares, starts and settles the calls of a transcript. A call stands where it began to run. If
 * nothing says that it did, it follows its response.
 */
import type { Audience } from "../event/message.ts";
import type { BashStartPayload } from "../event/payload.ts";
import {
  beginCall,
  type CallItem,
  closeCall,
  declareCall,
  latestCall,
  openCall,
  type OpenCalls,
} from "./open_calls.ts";
import { commandOf } from "./said_parts.ts";
import type { BashItem, ItemBase, ToolItem, TranscriptItem } from "./transcript_item.ts";
import { worseIntegrity } from "./worse_integrity.ts";

/** The items of a transcript, and their calls. */
export interface CallsAmongItems {
  /** Items not taken yet, in order. */
  items: TranscriptItem[];
  /** Calls that may still settle. */
  open: OpenCalls;
}

/** Takes a call that a response declares; one that is for the model alone is no item. */
export function addDeclaredCall(
  { open }: CallsAmongItems,
  item: ToolItem,
  audience: Audience | undefined,
): void {
  declareCall(open, item, audience !== "model");
}

/** Gives declared calls their place: those that nothing says the beginning of, up to one of them. */
export function placeDeclared({ items, open }: CallsAmongItems, last?: CallItem): void {
  if (last !== undefined && !open.declared.has(last)) return;
  for (const [item, seen] of open.declared) {
    open.declared.delete(item);
    if (seen) items.push(item);
    if (item === last) return;
  }
}

/** Gives a declared call its place, and those before it. */
export function placeCall(calls: CallsAmongItems, call_id: string | undefined): void {
  const call = call_id === undefined ? undefined : latestCall(calls.open, call_id);
  if (call !== undefined) placeDeclared(calls, call);
}

/** Adds a call that no response declares; one for the model alone waits for its end all the same. */
export function addStartedCall(
  { items, open }: CallsAmongItems,
  item: CallItem,
  audience: Audience | undefined,
): void {
  if (audience !== "model") items.push(item);
  openCall(open, item);
}

/** Moves a declared call to where it begins. A start that nothing declares shows nothing. */
export function startDeclaredTool(calls: CallsAmongItems, base: ItemBase, call_id: string): void {
  startDeclared(calls, call_id, (declared) => ({
    ...declared,
    ...startedAt(declared, base),
    status: "unsettled",
  }));
}

/** Moves a declared call to where it begins, as the shell command that it is. */
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

/** Pairs an end with the latest open call of its id; without one, it stands for itself. */
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

/** The end tells that a declared call was a shell command. */
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
