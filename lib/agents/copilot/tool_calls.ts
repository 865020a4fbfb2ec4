/**
 * Tracks tool calls and their results. A call may occur twice, in the answer that makes it and in
 * its start event, in any order. A result may occur twice, too. The first result counts (Copilot
 * CLI 0.0.420, `processEventForState`).
 */
import { asList, asName, asNumber, asObject, asText, type Json, present } from "../engine/json.ts";
import { type CallInput, callInput } from "../../core/event/call_input.ts";
import { isObject } from "../../core/event/guard.ts";
import type { AttachmentPart, CallStatus, Output } from "../../core/event/message.ts";
import { outputFor, withFiles } from "../../core/projection/call_result.ts";
import type { EventOrigin, EventWriter } from "../engine/events/event_writer.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import {
  addCall,
  type DraftCall,
  emitResponse,
  type ResponseDraft,
  startResponse,
} from "../engine/events/response_draft.ts";
import { unifiedDiffLines } from "../engine/events/unified_diff.ts";

interface OpenCall {
  name: string;
  command: string | undefined;
  path: string | undefined;
  started_at?: string | undefined;
}

export interface ToolCalls {
  open: Map<string, OpenCall>;
  settled: Set<string>;
}

interface CallStart {
  call_id: string;
  name: string;
  input: unknown;
  summary?: string | undefined;
  caption?: string | undefined;
}

const SHELLS: ReadonlySet<string> = new Set(["bash", "shell", "powershell", "local_shell"]);

export function noCalls(): ToolCalls {
  return { open: new Map(), settled: new Set() };
}

export function takeCall(calls: ToolCalls, draft: ResponseDraft, start: CallStart): void {
  const call = openCall(calls, start);
  if (call === undefined) return;
  const { command, summary, ...rest } = call;
  addCall(draft, rest, command === undefined ? undefined : { command, summary });
}

/** Starts a call of the model or the user that no answer declared. */
export function startCall(
  calls: ToolCalls,
  writer: EventWriter,
  start: CallStart & { by: "model" | "user" },
  origin: EventOrigin,
): void {
  if (start.by === "user" && isShell(start)) {
    const call = openCall(calls, start);
    if (call === undefined) return;
    const { command = "", caption: _, ...rest } = call;
    writer.emit("bash_start", present({ ...rest, command, origin: "user" }), origin);
    return;
  }
  const draft = startResponse();
  takeCall(calls, draft, start);
  if (draft.parts.length > 0) emitResponse(writer, draft, {}, origin);
}

function isShell({ name, input }: CallStart): boolean {
  return SHELLS.has(name) && asText(asObject(parsed(input).input).command) !== undefined;
}

type OpenedCall = DraftCall & { command: string | undefined; summary: string | undefined };

function openCall(
  { open, settled }: ToolCalls,
  { call_id, name, input: raw, summary: said, caption: shown }: CallStart,
): OpenedCall | undefined {
  if (open.has(call_id)) return undefined;
  settled.delete(call_id);
  const given = parsed(raw);
  const { command, description, path } = asObject(given.input);
  const text = SHELLS.has(name) ? asText(command) : undefined;
  open.set(call_id, { name, command: text, path: asName(path) });
  const caption = shown ?? (text === undefined ? said : undefined);
  const call = present({ call_id, name, ...given, caption });
  return { ...call, command: text, summary: asName(description) ?? said };
}

/** Parses a call's arguments: an object or list, or its JSON; for custom tools, plain text. */
function parsed(input: unknown): CallInput {
  if (typeof input !== "string") return { input: input ?? {} };
  const given = callInput(input);
  return isObject(given.input) || Array.isArray(given.input) ? given : { input };
}

export function noteStart({ open }: ToolCalls, call_id: string, time: unknown): void {
  const call = open.get(call_id);
  if (call !== undefined) call.started_at ??= isoTime(time);
}

/** Emits the result in `tool.execution_complete`. Returns false if the call already has one. */
export function settleCall(
  { open, settled }: ToolCalls,
  writer: EventWriter,
  { data, images = [] }: { data: Json; images?: readonly AttachmentPart[] },
  origin: EventOrigin,
): boolean {
  const call_id = asText(data.toolCallId) ?? "";
  const call = open.get(call_id);
  if (call === undefined && settled.has(call_id)) return false;
  open.delete(call_id);
  settled.add(call_id);
  const end = { call_id, ...outcomeOf(data), duration_ns: duration(call, origin.time) };
  if (call?.command === undefined) {
    const name = call?.name ?? asName(data.toolName) ?? "tool";
    const output = withFiles(end.output, images);
    writer.emit("tool_end", present({ ...end, name, output }), origin);
  } else {
    const ended = bashEnd(end, data);
    const output = withFiles(ended.output, images);
    writer.emit("bash_end", present({ ...ended, command: call.command, output }), origin);
  }
  emitDiff(writer, { call_id, path: call?.path }, data, origin);
  return true;
}

interface Outcome {
  status: CallStatus;
  output?: string | undefined;
  error?: string | undefined;
}

function outcomeOf({ success, result, error }: Json): Outcome {
  const content = asName(asObject(result).content);
  if (success === true) return { status: "ok", output: content };
  const { code, message } = asObject(error);
  const told = asName(message) ?? content ?? "Tool execution failed";
  const word = `${asText(code) ?? ""}`;
  const skipped = /denied|rejected/.test(word);
  const stopped = /abort|cancel|interrupt/.test(word);
  return { status: skipped ? "skipped" : stopped ? "interrupted" : "error", error: told };
}

const EXITED = /\n?<exited with exit code (-?\d+)>\s*$/;

type BashOutcome<End extends Outcome> = Omit<End, "output"> & {
  output?: Output | undefined;
  exit_code?: number;
};

function bashEnd<End extends Outcome>(
  end: End,
  { result, shellExecution }: Json,
): BashOutcome<End> {
  const told = EXITED.exec(end.output ?? "");
  const beside = [shellExecution, ...asList(asObject(result).contents)]
    .map((value) => asNumber(asObject(value).exitCode)).find((code) => code !== undefined);
  const exit_code = told === null ? beside : Number(told[1]);
  if (exit_code === undefined) return end;
  const shown = asName(end.output?.replace(EXITED, ""));
  const status = end.status === "ok" && exit_code !== 0 ? "error" : end.status;
  const sent = end.output ?? end.error ?? "";
  return {
    ...end,
    output: outputFor({ ...end, output: shown, exit_code }, sent),
    exit_code,
    status,
  };
}

function duration(call: OpenCall | undefined, time: unknown): number | undefined {
  const ended_at = isoTime(time);
  if (call?.started_at === undefined || ended_at === undefined) return undefined;
  const took = Date.parse(ended_at) - Date.parse(call.started_at);
  return took < 0 ? undefined : took * 1e6;
}

function emitDiff(
  writer: EventWriter,
  about: { call_id: string; path: string | undefined },
  { result }: Json,
  origin: EventOrigin,
): void {
  const detail = asText(asObject(result).detailedContent);
  if (detail === undefined || !/^(?:diff --git |--- |@@ )/m.test(detail)) return;
  const lines = unifiedDiffLines(detail);
  if (lines.length > 0) writer.emit("diff", present({ ...about, lines }), origin);
}
