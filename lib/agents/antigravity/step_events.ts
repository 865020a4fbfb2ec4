/**
 * Converts Antigravity's steps to events. A result does not name its call. It ends the first open
 * call whose tool matches the type of the result's step.
 */
import { textFor, toContent } from "../../core/event/audience.ts";
import type { CallStatus, Part, TextPart } from "../../core/event/message.ts";
import { outputFor } from "../../core/projection/call_result.ts";
import type { EventOrigin, EventTarget } from "../engine/events/event_writer.ts";
import { addCall, emitResponse, startResponse } from "../engine/events/response_draft.ts";
import { unifiedDiffLines } from "../engine/events/unified_diff.ts";
import { asList, asName, asObject, asText, type Json, present } from "../engine/json.ts";

interface OpenCall {
  call_id: string;
  name: string;
  command: string | undefined;
  path: string | undefined;
}

export interface StepState {
  /** The model that the user chose last. */
  model: string | undefined;
  open: OpenCall[];
}

export interface Step extends EventTarget {
  value: Json;
  type: string;
  /** Origin of the step's events. Its id is part of the ids of the step's calls. */
  origin: EventOrigin & { id: string };
}

export function textOf(content: unknown): string {
  return asText(content) ?? asText(asObject(content).text) ?? "";
}

const REQUEST = /<USER_REQUEST>\s*([\s\S]*?)\s*<\/USER_REQUEST>/;
const AROUND =
  /<(ADDITIONAL_METADATA|USER_SETTINGS_CHANGE|SYSTEM_MESSAGE)>[\s\S]*?(?:<\/\1>|$)\s*/g;
const MODEL = /`Model Selection` from .+? to (.+?)\.(?:\s|$)/;

/** Emits a prompt. Text that Antigravity added around the user's words is only for the model. */
export function emitPrompt({ value, writer, origin }: Step, state: StepState): void {
  const sent = textOf(value.content);
  state.model = MODEL.exec(sent)?.[1] ?? state.model;
  const said = REQUEST.exec(sent)?.[1] ?? sent.replace(AROUND, "").trimEnd();
  const parts = textFor(said, sent);
  const content = typeof parts === "string" ? parts : toContent(parts.map(named));
  writer.emit("user_message", { content }, origin);
}

/** Sets the name `metadata` on text after a prompt. People see only this name. */
function named(part: TextPart): TextPart {
  const behind = part.audience === "model" && part.continues === true;
  return behind ? { ...part, name: "metadata" } : part;
}

export function emitContext({ value, writer, origin }: Step): void {
  const part: Part = { type: "text", text: textOf(value.content), audience: "model" };
  writer.emit("user_message", { content: [part] }, origin);
}

export function emitAnswer(step: Step, text: string, state: StepState): void {
  const { value, writer, origin } = step;
  const thought = asName(value.thinking);
  const draft = startResponse(thought === undefined ? [] : [{ type: "reasoning", text: thought }]);
  draft.parts.push({ type: "text", text });
  for (const [index, called] of asList(value.tool_calls).map(asObject).entries()) {
    const args = asObject(called.args);
    const call = {
      call_id: `step-${origin.id}-${index + 1}`,
      name: asName(called.name) ?? "tool",
      command: called.name === "run_command" ? asText(args.CommandLine) : undefined,
      path: asText(args.TargetFile),
    };
    state.open.push(call);
    const { call_id, name, command } = call;
    const shell = command === undefined
      ? undefined
      : { command, summary: asName(args.toolSummary) };
    addCall(draft, { call_id, name, input: called.args ?? {} }, shell);
  }
  emitResponse(writer, draft, present({ message_id: origin.id, model: state.model }), origin);
}

/** Result types by tool name. Contains only tools whose name differs from their result type. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ["write_to_file", "CODE_ACTION"],
  ["replace_file_content", "CODE_ACTION"],
  ["multi_replace_file_content", "CODE_ACTION"],
  ["list_dir", "LIST_DIRECTORY"],
]);

/** Step types that only one kind of tool has. Later Antigravity versions have fewer step types. */
const OWN_TYPES: ReadonlySet<string> = new Set([
  ...KINDS.values(),
  ...["RUN_COMMAND", "VIEW_FILE", "GREP_SEARCH", "SEARCH_WEB", "READ_URL_CONTENT"],
  ...["GENERATE_IMAGE", "INVOKE_SUBAGENT", "ASK_QUESTION"],
]);

/** Removes and returns the open call that a result ends. Returns undefined if there is none. */
function takeCall(open: OpenCall[], type: string): OpenCall | undefined {
  const kindOf = ({ name }: OpenCall): string => KINDS.get(name) ?? name.toUpperCase();
  const same = open.findIndex((call) => kindOf(call) === type);
  const other = OWN_TYPES.has(type) ? open.findIndex((call) => !OWN_TYPES.has(kindOf(call))) : 0;
  return open.splice(same >= 0 ? same : other >= 0 ? other : open.length, 1)[0];
}

export function isAwaited({ open }: StepState, type: string): boolean {
  return takeCall([...open], type) !== undefined;
}

export function emitResult(step: Step, state: StepState): void {
  const { type, value, writer, origin } = step;
  if (!isAwaited(state, type)) {
    emitAnswer({ ...step, value: { tool_calls: [{ name: type }] } }, "", state);
  }
  const call = takeCall(state.open, type);
  if (call === undefined) return;
  const { call_id, name, command, path } = call;
  const sent = textOf(value.content);
  const [head = "", code = "0"] = (command === undefined ? TIMES : EXIT).exec(sent) ?? [];
  const exit_code = command === undefined || head === "" ? undefined : Number(code);
  const end = {
    ...{ call_id, exit_code, status: statusOf(value, exit_code) },
    output: outputFor({ output: sent.slice(head.length), exit_code }, sent),
    truncated: asList(value.truncated_fields).includes("content") ? true : undefined,
  };
  if (command === undefined) writer.emit("tool_end", present({ ...end, name }), origin);
  else writer.emit("bash_end", present({ ...end, command }), origin);
  const lines = [...sent.matchAll(DIFF)].flatMap(([, diff = ""]) => unifiedDiffLines(diff));
  if (lines.length > 0) writer.emit("diff", present({ call_id, path, lines }), origin);
}

const DIFF = /\[diff_block_start\]\n([\s\S]*?)\[diff_block_end\]/g;
/** Matches the times at the start of a result, which are not shown to people. */
const TIMES = /^(?:(?:Created|Completed) At: .*\n)+/;
/** Matches the start of a command's result. The step's status does not show if a command failed. */
const EXIT =
  /^(?:(?:Created|Completed) At: .*\n|\s)*The command (?:.*?code:? (-?\d+)|completed).*\s*(?:Output:\n[\t ]*)?/;

function statusOf({ status }: Json, exit_code = 0): CallStatus {
  const word = (asText(status) ?? "").toUpperCase();
  if (/CANCEL|INTERRUPT|ABORT/.test(word)) return "interrupted";
  return word === "ERROR" || exit_code !== 0 ? "error" : "ok";
}
