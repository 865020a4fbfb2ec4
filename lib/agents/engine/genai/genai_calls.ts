/**
 * Pairs tool calls with their results in conversations of Google's GenAI SDK. A `functionCall` is
 * settled by the `functionResponse` with the same id. Without ids, the next response with the
 * call's name settles it. Agents record some results more than once, but each call is settled only
 * once.
 */
import { asName, asObject, asText, type Json, present } from "../json.ts";
import type { Audience, CallStatus } from "../../../core/event/message.ts";
import { outputFor, withFiles } from "../../../core/projection/call_result.ts";
import type { EventOrigin, EventSink } from "../events/event_writer.ts";
import { addCall, type ResponseDraft } from "../events/response_draft.ts";
import { unifiedDiffLines } from "../events/unified_diff.ts";
import { genAiAttachment, type GenAiPart } from "./genai_content.ts";

/** Name of the tool that runs shell commands in Gemini CLI and Qwen Code. */
const SHELL = "run_shell_command";

interface OpenCall {
  name: string;
  command: string | undefined;
  told: CallStatus | undefined;
}

interface CallFacts {
  /** The only audience of the call and its result. Absent for both user and model. */
  audience?: Audience | undefined;
  /** The call's outcome in the source session, if the session was handed over. */
  told?: CallStatus | undefined;
}

export interface GenAiCalls {
  open: Map<string, OpenCall>;
  settled: Set<string>;
  /** Number of calls that came without an id. */
  unnamed: number;
}

export interface ShownResult {
  /** The agent's status: `success`, `error`, `cancelled`, or a state of an unfinished call. */
  status?: string | undefined;
  display?: unknown;
}

export function noCalls(): GenAiCalls {
  return { open: new Map(), settled: new Set(), unnamed: 0 };
}

export function addGenAiCall(
  calls: GenAiCalls,
  draft: ResponseDraft,
  { name: tool, id, args }: Json,
  { audience, told }: CallFacts = {},
): void {
  const name = asName(tool) ?? "tool";
  const call_id = asName(id) ?? `${name}_${++calls.unnamed}`;
  if (calls.open.has(call_id)) return;
  const { command: text, description } = asObject(args);
  const command = name === SHELL ? asText(text) : undefined;
  calls.open.set(call_id, { name, command, told });
  const shell = command === undefined ? undefined : { command, summary: asName(description) };
  addCall(draft, present({ call_id, name, input: args ?? {}, audience }), shell);
}

/** Returns `id`, else the id of the tool's first open call. Undefined if `id` has its result. */
function callOf({ open, settled }: GenAiCalls, id: unknown, name: string): string | undefined {
  const call_id = asName(id);
  if (call_id !== undefined) {
    return settled.has(call_id) && !open.has(call_id) ? undefined : call_id;
  }
  for (const [key, call] of open) if (call.name === name) return key;
  return undefined;
}

/** Emits a call's result and diff, if any. Returns false if the call is already settled. */
export function settleGenAiCall(
  calls: GenAiCalls,
  writer: EventSink,
  functionResponse: Json,
  { origin, shown = {}, beside = [] }: {
    origin: EventOrigin;
    shown?: ShownResult;
    /** Message parts beside `functionResponse`. Attachments among them belong to the result. */
    beside?: readonly GenAiPart[];
  },
): boolean {
  const { id, response } = functionResponse;
  const name = asName(functionResponse.name) ?? "tool";
  const call_id = callOf(calls, id, name);
  if (call_id === undefined) return false;
  const call = calls.open.get(call_id);
  calls.open.delete(call_id);
  calls.settled.add(call_id);
  const text = responseText(response);
  const status = call?.told ?? statusOf(response, text, shown.status);
  const files = beside.flatMap((part) => genAiAttachment(part) ?? []);
  if (call?.command === undefined) {
    const output = withFiles(asName(text), files);
    const end = { call_id, name: call?.name ?? name, status, output };
    writer.emit("tool_end", present(end), origin);
  } else {
    const printed = readShellOutput(text);
    const { exit_code } = printed;
    const failed = exit_code !== undefined && exit_code !== 0;
    const ended = failed && status === "ok" ? call.told ?? "error" : status;
    const output = withFiles(
      outputFor({ output: asName(printed.output), exit_code }, text),
      files,
    );
    const end = { call_id, command: call.command, output, exit_code, status: ended };
    writer.emit("bash_end", present(end), origin);
  }
  if (status === "ok") emitDiff(writer, call_id, shown.display, origin);
  return true;
}

export function responseText(response: unknown): string {
  const { output, error } = asObject(response);
  if (typeof output === "string") return typeof error === "string" ? `${output}\n${error}` : output;
  if (typeof error === "string") return error;
  return response === undefined ? "" : JSON.stringify(response);
}

/** Matches the output of a cancelled call (Gemini CLI, coreToolScheduler.ts). */
const CANCELLED = /^\[Operation Cancelled\]/;
const DENIED = /denied|did not allow|rejected|declined/i;

function statusOf(response: unknown, text: string, status: string | undefined): CallStatus {
  if (status === "cancelled" || CANCELLED.test(text)) {
    return DENIED.test(text) ? "skipped" : "interrupted";
  }
  if (status === "error") return "error";
  return asObject(response).error === undefined ? "ok" : "error";
}

export function emitDiff(
  writer: EventSink,
  call_id: string,
  display: unknown,
  origin: EventOrigin,
): void {
  const { fileDiff, fileName, filePath } = asObject(display);
  if (typeof fileDiff !== "string") return;
  const path = asName(filePath) ?? asName(fileName);
  writer.emit("diff", present({ call_id, path, lines: unifiedDiffLines(fileDiff) }), origin);
}

// Extracts a shell command's output from its result for the model. The form is that of Gemini CLI
// and Qwen Code (packages/core/src/tools/shell.ts). Lines are `Command: …`, `Directory: …`,
// `Output: …`, `Error: …`, `Exit Code: …`, `Signal: …`, `Background PIDs: …`,
// `Process Group PGID: …`. Gemini CLI 0.61 leaves out empty ones, and wraps all in
// `<untrusted_context>`.

interface ShellOutput {
  output: string;
  exit_code?: number | undefined;
}

const WRAPPING = /^<untrusted_context>\n([\s\S]*?)\n?<\/untrusted_context>\s*$/;
const OUTPUT = /(?:^|\n)Output: ([\s\S]*)$/;
/** Matches the fields after the output, one per line, up to the end of the text. */
const FIELDS = /(?:\n(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): [^\n]*)+\s*$/;
const EXIT_CODE = /\nExit Code: (-?\d+)/;
const ERROR = /\nError: ([^\n]*)/;

function readShellOutput(text: string): ShellOutput {
  const told = WRAPPING.exec(text)?.[1] ?? text;
  const rest = OUTPUT.exec(told)?.[1];
  if (rest === undefined) return { output: text };
  const fields = FIELDS.exec(rest)?.[0] ?? "";
  const output = rest.slice(0, rest.length - fields.length);
  const code = EXIT_CODE.exec(fields)?.[1];
  const error = ERROR.exec(fields)?.[1];
  return {
    output: [said(output), said(error)].filter((line) => line !== "").join("\n"),
    exit_code: code === undefined ? undefined : Number(code),
  };
}

function said(text: string | undefined): string {
  return text === undefined || text === "(empty)" || text === "(none)" ? "" : text;
}
