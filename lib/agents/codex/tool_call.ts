/**
 * Converts calls and their outputs (codex-rs/protocol/src/models.rs, ResponseItem), matched by
 * `call_id`. A call ends once, even if its output is stored twice.
 */
import { textFor } from "../../core/event/audience.ts";
import { type CallInput, callInput } from "../../core/event/call_input.ts";
import type {
  CallStatus,
  Output,
  Part,
  ToolCallPart,
  ToolResultPart,
} from "../../core/event/message.ts";
import type { DiffLine, DiffPayload } from "../../core/event/payload.ts";
import { wholePayload } from "../engine/events/event_writer.ts";
import { contentOf } from "../engine/events/response_draft.ts";
import { textLines, unifiedDiffLines, wholeFileLines } from "../engine/events/unified_diff.ts";
import { handedStatus } from "../engine/handed/line.ts";
import { asName, asObject, asText, present } from "../engine/json.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import { holdCall } from "./held_answer.ts";
import { type OutputContent, toOutput } from "./item_content.ts";
import {
  emit,
  endAnswer,
  endWaiting,
  type OpenCall,
  originOf,
  responseFields,
  type Rollout,
} from "./rollout.ts";
import type { RolloutRecord } from "./rollout_record.ts";
import { patchOf, readOutcome, shellCommand } from "./shell_command.ts";

/** The result of a record: an event, only a new state, or a wait for another record. */
export type Disposition = "event" | "side" | "waiting";

export function startCall(
  rollout: Rollout,
  record: RolloutRecord,
  call: { call_id: string; name: string } & CallInput,
): Disposition {
  const { call_id, name, input } = call;
  if (rollout.open.has(call_id)) return "side";
  const command = shellCommand(name, input);
  const patch = patchOf(name, input);
  const told = handedStatus(record.source.value, call_id);
  rollout.open.set(call_id, { name, command, patch, failed: false, told, outcome: undefined });
  const origin = originOf(rollout, record, asName(record.payload.id));
  // Codex shows the user why a command wants more than the sandbox allows.
  const summary = asName(asObject(input).justification);
  const shell = command === undefined ? undefined : { command, summary };
  holdCall(rollout.held, { call, command: shell }, responseFields(rollout), origin);
  return "event";
}

/**
 * Starts a `function_call`, whose arguments are JSON in a text, or a `custom_tool_call`, whose
 * input is the text.
 */
export function startToolCall(rollout: Rollout, record: RolloutRecord): Disposition {
  const { call_id, name, namespace, arguments: text, input } = record.payload;
  const tool = `${qualifier(asName(namespace))}${asName(name) ?? "tool"}`;
  return startCall(rollout, record, {
    call_id: asText(call_id) ?? "",
    name: tool,
    ...(text === undefined ? { input: input ?? {} } : parsedInput(text)),
  });
}

function qualifier(namespace: string | undefined): string {
  if (namespace === undefined) return "";
  return namespace.endsWith("__") ? namespace : `${namespace}__`;
}

function parsedInput(text: unknown): CallInput {
  // Codex sends a text that is not JSON back unchanged.
  return typeof text === "string" ? callInput(text) : { input: text };
}

export function startLocalShell(rollout: Rollout, record: RolloutRecord): Disposition {
  const { call_id, id, action } = record.payload;
  return startCall(rollout, record, {
    call_id: asName(call_id) ?? asName(id) ?? "",
    name: "local_shell",
    input: action ?? {},
  });
}

export function settleCall(rollout: Rollout, record: RolloutRecord): Disposition {
  const call_id = asText(record.payload.call_id) ?? "";
  const call = rollout.open.get(call_id);
  if (call === undefined && wasSettled(rollout, call_id)) return "side";
  endAnswer(rollout);
  rollout.open.delete(call_id);
  if (call?.outcome !== undefined) rollout.count(call.outcome.source, call.outcome.type);
  addSettled(rollout, call_id);
  const output = toOutput(record.payload.output ?? record.payload.tools);
  const status = call?.command === undefined
    ? endTool(rollout, record, { call_id, call, output })
    : endCommand(rollout, record, { call_id, call, command: call.command, given: output });
  if (status === "ok") emitPatch(rollout, record, call_id, call?.patch);
  if (rollout.open.size === 0) endWaiting(rollout);
  return "event";
}

/**
 * Adds a plain call and its output as messages. Returns false for other calls. A call is plain if
 * no other call is open, and its output is a text right after it.
 */
export function takePlainCall(rollout: Rollout, call: SourceRecord, next: SourceRecord): boolean {
  const { writer, started, held, waiting, open } = rollout;
  const before = held[0];
  if (writer.addSettledCall === undefined || !started) return false;
  if (waiting.length > 0 || open.size > 0 || held.length > 1) return false;
  if (before !== undefined && before.kind !== "response") return false;
  const { call_id, name, namespace, arguments: text } = itemOf(call, "function_call");
  const { call_id: settled, output } = itemOf(next, "function_call_output");
  if (typeof call_id !== "string" || call_id !== settled || namespace !== undefined) return false;
  if (typeof name !== "string" || name === "" || typeof text !== "string") return false;
  if (typeof output !== "string" || call.inherited !== next.inherited) return false;
  const part: ToolCallPart = { type: "tool_call", call_id, name, ...callInput(text) };
  const parts: Part[] = before === undefined ? [part] : [...before.draft.parts, part];
  const { status } = readOutcome(output);
  const result: ToolResultPart = { type: "tool_result", call_id, name, status, output };
  if (wholePayload(parts) !== parts || wholePayload(result) !== result) return false;
  if (!writer.addSettledCall(contentOf({ parts }), result)) return false;
  rollout.held = [];
  rollout.inherited = next.inherited === true;
  addSettled(rollout, call_id);
  return true;
}

/** Returns a response item's payload if its type is `type`. Empty for all other records. */
function itemOf({ value }: SourceRecord, type: string): Readonly<Record<string, unknown>> {
  const payload = asObject(value.payload);
  const plain = value.type === "response_item" && value.reprise === undefined;
  return plain && payload.type === type ? payload : {};
}

/** Number of settled calls that are remembered at least. An output is repeated soon if at all. */
const MOST_SETTLED = 500;

function addSettled({ settled }: Rollout, call_id: string): void {
  if (settled.push(call_id) === 2 * MOST_SETTLED) settled.splice(0, MOST_SETTLED);
}

export function wasSettled({ settled }: Rollout, call_id: string): boolean {
  return settled.lastIndexOf(call_id) >= 0;
}

function endCommand(
  rollout: Rollout,
  record: RolloutRecord,
  { call_id, call, command, given }: {
    call_id: string;
    call: OpenCall;
    command: string;
    given: OutputContent;
  },
): CallStatus {
  const { status: said, output, exit_code, duration_ns } = readOutcome(given.text);
  const status = call.told ?? said;
  const shown = given.parts ?? commandOutput(output, given.text, exit_code);
  const end = present({ call_id, command, output: shown, exit_code, status, duration_ns });
  emit(rollout, "bash_end", end, originOf(rollout, record, asName(record.payload.id)));
  return status;
}

/**
 * Returns a command's output in two forms: plain for people, and wrapped by Codex for the model.
 */
function commandOutput(
  output: string,
  text: string,
  exit_code: number | undefined,
): Output | undefined {
  const both = textFor(output, text);
  if (typeof both !== "string") return both;
  // An exit code beside a plain text would add words of Reprise for the model.
  return exit_code ? [{ type: "text", text: both }] : asName(both);
}

function endTool(
  rollout: Rollout,
  record: RolloutRecord,
  { call_id, call, output }: { call_id: string; call: OpenCall | undefined; output: OutputContent },
): CallStatus {
  const name = call?.name ?? asName(record.payload.name) ?? "tool";
  const said = readOutcome(output.text);
  const found = call?.failed && said.status === "ok" ? "error" : said.status;
  const status = call?.told ?? found;
  // For a failure, the text around the output says more than the output.
  const text = status === "ok" ? said.output : output.text;
  const given = output.parts ?? textFor(text, output.text);
  const end = { call_id, name, status, output: given === "" ? undefined : given };
  emit(rollout, "tool_end", present(end), originOf(rollout, record, asName(record.payload.id)));
  return status;
}

function emitPatch(
  rollout: Rollout,
  record: RolloutRecord,
  call_id: string,
  patch: string | undefined,
): void {
  if (patch === undefined) return;
  const origin = originOf(rollout, record);
  for (const diff of patchDiffs(patch, call_id)) emit(rollout, "diff", diff, origin);
}

// The changes of files, from what Codex recorded of a patch. By file it is
// `{type: "add", content}`, `{type: "delete", content}` or
// `{type: "update", unified_diff, move_path}` (codex-rs/protocol, FileChange). Older versions name
// the type as the key. Where there is no such record, the patch itself is read
// (codex-rs/apply-patch: `*** Begin Patch`).

export function recordedDiffs(changes: unknown, call_id: string | undefined): DiffPayload[] {
  return Object.entries(asObject(changes)).map(([path, change]) => {
    const lines = changedLines(asObject(change));
    return present({ call_id, path: movedTo(asObject(change)) ?? path, lines });
  });
}

function movedTo(change: Readonly<Record<string, unknown>>): string | undefined {
  return asName(change.move_path) ?? asName(asObject(change.update).move_path);
}

function changedLines(change: Readonly<Record<string, unknown>>): DiffLine[] {
  const { type = Object.keys(change)[0] } = change;
  const inner = change.type === undefined ? asObject(change[String(type)]) : change;
  if (type === "add") return wholeFileLines(asText(inner.content) ?? "", "added");
  if (type === "delete") return wholeFileLines(asText(inner.content) ?? "", "removed");
  return unifiedDiffLines(asText(inner.unified_diff) ?? "");
}

const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;

/** Returns a diff for each file of a patch. The hunks have no line numbers. */
export function patchDiffs(patch: string, call_id: string): DiffPayload[] {
  const diffs: (DiffPayload & { path: string })[] = [];
  let is_update = false;
  for (const line of textLines(patch)) {
    const [, kind, path] = FILE.exec(line) ?? [];
    const diff = diffs[diffs.length - 1];
    const moved = MOVE.exec(line)?.[1];
    if (path !== undefined) {
      diffs.push({ call_id, path, lines: [] });
      is_update = kind === "Update";
    } else if (diff === undefined || line.startsWith("*** ")) {
      if (moved !== undefined && diff !== undefined) diff.path = moved;
    } else {
      // The first part may come without its head. A file without hunks would be a new one.
      const has_head = !is_update || diff.lines.length > 0 || line.startsWith("@@");
      if (!has_head) diff.lines.push({ kind: "hunk", content: "@@" });
      diff.lines.push(patchLine(line));
    }
  }
  return diffs;
}

function patchLine(line: string): DiffLine {
  if (line.startsWith("@@")) return { kind: "hunk", content: line };
  const content = line.slice(1);
  if (line.startsWith("+")) return { kind: "added", content };
  return line.startsWith("-") ? { kind: "removed", content } : { kind: "context", content };
}
