/**
 * Calls of tools in a chat of VS Code. A response holds each call as the user saw it
 * (`IChatToolInvocationSerialized`, chatService.ts). The result's metadata holds the arguments that
 * the model wrote and the result that it got (`IToolCallRound`, vscode-copilot-chat intents.ts).
 */
import { textFor } from "../../core/event/audience.ts";
import { attachmentFromBase64 } from "../../core/event/attachment.ts";
import type { AttachmentPart } from "../../core/event/message.ts";
import { outputFor, withFiles } from "../../core/projection/call_result.ts";
import type { DraftCall, ShellCommand } from "../engine/events/response_draft.ts";
import type { CallEnd } from "../engine/events/streamed_talk.ts";
import {
  asList,
  asName,
  asNumber,
  asObject,
  asText,
  type Json,
  parsedObject,
  present,
} from "../engine/json.ts";
import { callInput } from "../../core/event/call_input.ts";

export function markdown(value: unknown): string {
  return asText(value) ?? asText(asObject(value).value) ?? "";
}

/** A call as the model made it. */
export interface RoundCall {
  call: Json;
  round: number;
  result: Json | undefined;
}

export function roundCalls(metadata: Json): Map<string, RoundCall> {
  const results = asObject(metadata.toolCallResults);
  const calls = new Map<string, RoundCall>();
  for (const [round, value] of asList(metadata.toolCallRounds).entries()) {
    for (const call of asList(asObject(value).toolCalls).map(asObject)) {
      const id = asText(call.id) ?? "";
      const result = results[id];
      calls.set(id, { call, round, result: result === undefined ? undefined : asObject(result) });
    }
  }
  return calls;
}

export interface ShownCall {
  call: DraftCall;
  shell: ShellCommand | undefined;
  end: CallEnd | undefined;
}

export function toCall(item: Json, made: RoundCall | undefined): ShownCall {
  const shown = asObject(item.toolSpecificData);
  const call_id = asName(item.toolCallId) ?? asText(made?.call.id) ?? "";
  const name = asName(made?.call.name) ?? asText(item.toolId) ?? "";
  const given = asText(made?.call.arguments);
  const input = given === undefined ? { input: shownInput(item, shown) } : callInput(given);
  const { userEdited, toolEdited, original } = asObject(shown.commandLine);
  const edited = asName(userEdited) ?? asName(toolEdited) ?? asName(original);
  const told = asObject(input.input);
  const command = shown.kind === "terminal" || name === "run_in_terminal"
    ? edited ?? asName(shown.command) ?? asName(told.command)
    : undefined;
  const summary = asName(told.explanation);
  return {
    call: present({ call_id, name, ...input, caption: asName(markdown(item.invocationMessage)) }),
    shell: command === undefined ? undefined : { command, summary },
    end: toEnd(call_id, item, shown, made?.result),
  };
}

/** Returns the input that the user saw. It is the fallback for unrecorded arguments. */
function shownInput(item: Json, { kind, ...shown }: Json): unknown {
  if (kind === "terminal") {
    const { original } = asObject(shown.commandLine);
    return { command: asText(original) ?? asText(shown.command) ?? "" };
  }
  if (kind === "input") return shown.rawInput ?? {};
  const input = asText(asObject(item.resultDetails).input);
  if (input !== undefined) return parsedObject(input) ?? input;
  if (Object.keys(shown).length > 0) return shown;
  const message = markdown(item.invocationMessage);
  return message === "" ? {} : { message };
}

function toEnd(
  call_id: string,
  item: Json,
  shown: Json,
  result: Json | undefined,
): CallEnd | undefined {
  const state = asObject(shown.terminalCommandState);
  const exit_code = asNumber(state.exitCode);
  const duration = asNumber(state.duration);
  const details = asObject(item.resultDetails);
  const seen = asName(asObject(shown.terminalCommandOutput).text) ??
    asName(asText(details.output) ?? partsText(asList(details.output))) ??
    asName(asText(shown.result)) ?? markdown(item.pastTenseMessage);
  const known = result !== undefined || seen !== "" || item.isComplete === true;
  if (!known) return undefined;
  const sent = result === undefined ? undefined : partsText(asList(result.content));
  const text = sent === undefined
    ? seen
    : shown.kind === "terminal" || details.output !== undefined
    ? exit_code === undefined
      ? textFor(seen, sent)
      : outputFor(present({ output: asName(seen), exit_code }), sent)
    : sent;
  const failed = details.isError === true || (exit_code ?? 0) !== 0;
  const status = isDenied(item) ? "skipped" : failed ? "error" : "ok";
  const output = withFiles(text, filesIn(asList(result?.content)));
  const duration_ns = duration === undefined ? undefined : Math.round(duration * 1e6);
  const caption = asName(markdown(item.pastTenseMessage));
  return { call_id, status, output, exit_code, duration_ns, caption };
}

/** True for a call that the user did not allow (`ToolConfirmKind`, before 1.104 a boolean). */
function isDenied({ isConfirmed }: Json): boolean {
  const { type } = asObject(isConfirmed);
  return isConfirmed === false || type === 0 || type === 5;
}

/** Returns the plain texts of a result and the texts in its trees of prompt elements. */
function partsText(content: readonly unknown[]): string {
  return content.map(asObject).map(({ value, isText }) => {
    if (typeof value === "string") return isText === false ? "" : value;
    return nodeText(asObject(value).node).replace(/^\n/, "");
  }).join("");
}

/** Returns the text of an element (`@vscode/prompt-tsx`, jsonTypes.ts). */
function nodeText(value: unknown): string {
  const { text, children, lineBreakBefore } = asObject(value);
  const own = asText(text) ?? asList(children).map(nodeText).join("");
  return lineBreakBefore ? `\n${own}` : own;
}

function filesIn(content: readonly unknown[]): AttachmentPart[] {
  return content.map(asObject).flatMap(({ mimeType, data }) => {
    const base64 = asText(data) ?? asText(asObject(data).$base64);
    return base64 === undefined
      ? []
      : [attachmentFromBase64(base64, asText(mimeType) ?? "image/png")];
  });
}
