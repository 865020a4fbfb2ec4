/** Declares, starts and settles the calls of messages in the making. */
import type { ToolCallPart, ToolResultPart } from "../../event/message.ts";
import type { Call, MessageBuild, Response } from "./message_build.ts";

/** Gives up the calls for which more than so many characters wait. */
export function closeOverdueCalls({ open, counted }: MessageBuild, most_waiting: number): void {
  // In order of the first call that is open by each id.
  for (const [call_id, calls] of open) {
    if (counted - (calls[0]?.since ?? 0) <= most_waiting) return;
    for (const call of calls) call.overdue = true;
    open.delete(call_id);
  }
}

/** Returns a call that did not begin to run. */
export function newCall(
  { counted }: MessageBuild,
  seq: number,
  call: ToolCallPart,
  response: Response | undefined,
): Call {
  return {
    seq,
    call,
    began: false,
    result: undefined,
    end_seq: undefined,
    response,
    since: counted,
    overdue: false,
  };
}

/** A declared call begins to run. */
export function beginCall(build: MessageBuild, seq: number, call_id: string): void {
  const call = build.open.get(call_id)?.findLast(({ began }) => !began);
  if (call !== undefined) {
    call.began = true;
    return;
  }
  const detail = `start of ${call_id}, which no response declares`;
  build.findings.push({ code: "orphan-settlement", seq, detail });
}

/** Adds a call to its response, and opens it: the next end of its id settles it. */
export function openCall(build: MessageBuild, entry: Call): void {
  if (entry.response !== undefined) (entry.response.calls ??= []).push(entry);
  const open = build.open.get(entry.call.call_id);
  if (open === undefined) build.open.set(entry.call.call_id, [entry]);
  else open.push(entry);
}

/** Settles the latest call of an id; finds an end without one. */
export function settle(build: MessageBuild, seq: number, result: ToolResultPart): void {
  const open = build.open.get(result.call_id);
  const call = open?.pop();
  if (call === undefined) {
    const detail = `${result.name} ${result.call_id} has no start`;
    build.findings.push({ code: "orphan-settlement", seq, detail });
    return;
  }
  if (open?.length === 0) build.open.delete(result.call_id);
  call.result = { ...result, name: call.call.name };
  call.end_seq = seq;
  if (call.response !== undefined) call.response.closed = true;
}
