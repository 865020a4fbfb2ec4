/**
 * Pairs calls with their results. A provider refuses a call without a result. It also refuses a
 * result that does not directly follow the message with its call.
 *
 * @module
 */
import type { Message, Part, ToolCallPart, ToolResultPart } from "../../event/message.ts";

/** The output for a call without a result, unless the call's agent defines a sentence. */
export const UNSETTLED_OUTPUT = "No result was recorded: the call did not finish.";

export const NOT_RUN_OUTPUT = "Not run: the session stopped before this call began.";

interface Slot {
  call: ToolCallPart;
  result?: ToolResultPart;
}

/** A message, its calls, and its parts except results and calls outside assistant messages. */
interface Sorted {
  message: Message;
  slots: Slot[];
  kept: Part[];
  /** True if a result, or a call outside an assistant message, was removed from the message. */
  changed: boolean;
  /** True if a result in the message belongs to an earlier call. */
  settles: boolean;
}

/** Calls without a result, by call id. Older messages and earlier calls come first. */
type OpenCalls = Map<string, { sorted: Sorted; slots: Slot[] }[]>;

/**
 * Gives every call exactly one result, in the `tool` message right after its assistant message, in
 * call order.
 *
 * A result belongs to the latest earlier message that has a call with its id and without a result.
 * In that message, it belongs to the first such call. A call without a result gets an `error` that
 * says `unanswered`. A result without a call is left out, and so is a call outside an assistant
 * message. A `tool` message may hold other parts, such as an image beside the result. These parts
 * follow as a user message if the message holds the result of a call, else they are left out.
 * Messages without any remaining part are dropped. All other messages stay as they are. Paired
 * messages stay unchanged.
 *
 * @param messages A conversation, in any state. It is not changed.
 * @param unanswered The sentence for a call without a result.
 * @returns The paired conversation.
 */
export function pairCalls(
  messages: readonly Message[],
  unanswered: string = UNSETTLED_OUTPUT,
): Message[] {
  // Nearly all conversations are paired, and each is copied more than once on its way to the model.
  if (isPaired(messages)) return [...messages];
  const open: OpenCalls = new Map();
  const sorted = messages.map((message) => sortMessage(message, open));
  return sorted.flatMap((item) => [...ownMessage(item), ...resultMessage(item, unanswered)]);
}

/** True if each message with calls is followed by a message with exactly the calls' results. */
function isPaired(messages: readonly Message[]): boolean {
  let calls: readonly Part[] = [];
  for (const { role, content } of messages) {
    const parts = typeof content === "string" ? [] : content;
    if ((role === "tool") !== (calls.length > 0)) return false;
    if (role === "tool") {
      if (!areResultsOf(parts, calls)) return false;
      calls = [];
    } else {
      if (parts.some((part) => part.type === "tool_result")) return false;
      calls = parts.filter((part) => part.type === "tool_call");
      if (calls.length > 0 && role !== "assistant") return false;
    }
  }
  return calls.length === 0;
}

function areResultsOf(parts: readonly Part[], calls: readonly Part[]): boolean {
  return parts.length === calls.length && parts.every((part, index) => {
    const call = calls[index];
    return part.type === "tool_result" && call?.type === "tool_call" &&
      part.call_id === call.call_id;
  });
}

function sortMessage(message: Message, open: OpenCalls): Sorted {
  const sorted: Sorted = { message, slots: [], kept: [], changed: false, settles: false };
  if (typeof message.content === "string") return sorted;
  for (const part of message.content) {
    if (part.type === "tool_result") settle(part, sorted, open);
    else if (part.type !== "tool_call") sorted.kept.push(part);
    else if (message.role === "assistant") openCall(part, sorted, open);
    else sorted.changed = true;
  }
  return sorted;
}

function openCall(call: ToolCallPart, sorted: Sorted, open: OpenCalls): void {
  const slot = { call };
  sorted.slots.push(slot);
  sorted.kept.push(call);
  const stack = open.get(call.call_id);
  const latest = stack?.at(-1);
  if (latest?.sorted === sorted) latest.slots.push(slot);
  else if (stack !== undefined) stack.push({ sorted, slots: [slot] });
  else open.set(call.call_id, [{ sorted, slots: [slot] }]);
}

function settle(result: ToolResultPart, sorted: Sorted, open: OpenCalls): void {
  sorted.changed = true;
  const stack = open.get(result.call_id);
  const latest = stack?.at(-1);
  const slot = latest?.slots.shift();
  if (slot === undefined) return;
  if (latest?.slots.length === 0) stack?.pop();
  slot.result = result;
  sorted.settles = true;
}

/** Returns a message of the parts to keep, or none. Parts beside a result become a user message. */
function ownMessage({ message, kept, changed, settles }: Sorted): Message[] {
  if (message.role === "tool") {
    return settles && kept.length > 0 ? [{ role: "user", content: kept }] : [];
  }
  if (!changed) return [message];
  return kept.length > 0 ? [{ ...message, content: kept }] : [];
}

function resultMessage({ slots }: Sorted, unanswered: string): Message[] {
  if (slots.length === 0) return [];
  const content = slots.map(({ call, result }) => result ?? unsettled(call, unanswered));
  return [{ role: "tool", content }];
}

/** True if a result is a placeholder that Reprise made for a result that was not recorded. */
export function isMadeUp({ status, output, provider_data }: ToolResultPart): boolean {
  if (status !== "error" || provider_data !== undefined) return false;
  return output === UNSETTLED_OUTPUT || output === NOT_RUN_OUTPUT;
}

export function unsettled({ call_id, name }: ToolCallPart, output: string): ToolResultPart {
  return { type: "tool_result", call_id, name, status: "error", output };
}
