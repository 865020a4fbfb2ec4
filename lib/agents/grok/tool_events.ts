/** Converts the calls of Grok Build's tools, and their results, to events. */
import { textFor } from "../../core/event/audience.ts";
import type { Output } from "../../core/event/message.ts";
import { outputFor } from "../../core/projection/call_result.ts";
import type { EventOrigin, EventWriter } from "../engine/events/event_writer.ts";
import type { ResponseDraft } from "../engine/events/response_draft.ts";
import {
  declareCall,
  emitOpen,
  settleCall,
  type StreamedTalk,
} from "../engine/events/streamed_talk.ts";
import { asList, asName, asNumber, asObject, asText, type Json, present } from "../engine/json.ts";

export function emitCall(talk: StreamedTalk, draft: ResponseDraft, update: Json): void {
  const { name: called } = asObject(asObject(update._meta)["x.ai/tool"]);
  const name = asName(called) ?? asText(update.title) ?? "";
  const input = update.rawInput ?? {};
  const { command: line, description } = asObject(input);
  const executes = update.kind === "execute" || name === "run_terminal_command" || name === "bash";
  const command = executes ? asText(line) : undefined;
  const shell = command === undefined ? undefined : { command, summary: asName(description) };
  const call_id = asText(update.toolCallId) ?? "";
  const call = present({ call_id, name, input, caption: captionOf(update, name) });
  declareCall(talk, draft, call, shell);
}

function captionOf({ title }: Json, name: string): string | undefined {
  return title === name ? undefined : asName(title);
}

/** Applies an update of a call. It brings a missing input, a new title, or the result. */
export function emitCallUpdate(
  talk: StreamedTalk,
  writer: EventWriter,
  update: Json,
  origin: EventOrigin,
): void {
  const call_id = asText(update.toolCallId) ?? "";
  if (update.status !== "completed" && update.status !== "failed") {
    const call = talk.response?.draft.parts.find((part) =>
      part.type === "tool_call" && part.call_id === call_id
    );
    if (call?.type !== "tool_call") return;
    const lacks = Object.keys(asObject(call.input)).length === 0;
    if (lacks && update.rawInput !== undefined) call.input = update.rawInput;
    Object.assign(call, present({ caption: captionOf(update, call.name) }));
    return;
  }
  // Of two results the first counts.
  if (!talk.calls.has(call_id)) return;
  emitOpen(talk, writer);
  const raw = asObject(update.rawOutput);
  const exit_code = asNumber(raw.exit_code) ?? asNumber(raw.exitCode);
  const failed = update.status === "failed" || (exit_code ?? 0) !== 0;
  const status = failed ? "error" : "ok";
  const output = outputOf(update, raw, exit_code);
  const caption = asName(update.title);
  settleCall(talk, writer, { call_id, status, output, exit_code, caption }, origin);
}

/** Returns a call's output. The user sees `content`, and the model gets `output_for_prompt`. */
function outputOf(
  { content, rawOutput }: Json,
  raw: Json,
  exit_code: number | undefined,
): Output | undefined {
  const shown = asList(content).map((item) => asText(asObject(asObject(item).content).text) ?? "")
    .join("");
  const told = [raw, ...Object.values(raw)].map(asObject)
    .map((value) => asName(value.output_for_prompt) ?? asName(value.tool_output_for_prompt))
    .find((text) => text !== undefined);
  if (told === undefined) {
    return asName(shown) ?? (rawOutput === undefined ? undefined : JSON.stringify(rawOutput));
  }
  if (exit_code !== undefined) {
    return outputFor(present({ output: asName(shown), exit_code }), told);
  }
  return shown === "" ? told : textFor(shown, told);
}
