/**
 * Converts the messages of a chat to events (Gemini CLI 0.61,
 * packages/core/src/utils/sessionUtils.ts, `convertSessionToClientHistory`).
 *
 * The client does not send `info`, `warning` and `error` messages. It also leaves out messages of
 * the user that begin with `/`, `?`, `<session_context>` or `<hook_context>`.
 */
import { asName, type Json } from "../engine/json.ts";
import type { EventOrigin } from "../engine/events/event_writer.ts";
import { settleGenAiCall } from "../engine/genai/genai_calls.ts";
import { genAiParts, genAiText, promptContent, toOurPart } from "../engine/genai/genai_content.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import { type ChatEvents, emitAnswer } from "./answer_events.ts";
import { isUnsent, unguardedPrompt } from "./guarded_prompt.ts";
import { contentOf, keepRest, responsesIn, withoutHiding } from "./message_content.ts";

export function emitMessage(chat: ChatEvents, record: SourceRecord): void {
  const message = record.value;
  const from = { id: asName(message.id), time: message.timestamp, record };
  switch (message.type) {
    case "user":
      return emitUser(chat, message, from);
    // `model` was the type in some files of 2025.
    case "gemini":
    case "model":
      return emitAnswer(chat, record, from);
    case "error":
      return void chat.writer.emit(
        "turn_failed",
        { reason: "error", message: genAiText(message.content) },
        from,
      );
    default:
      return emitNotice(chat, message, from);
  }
}

/** The text of the notice that the user cancelled an answer (packages/cli, useGeminiStream). */
const CANCELLED = "Request cancelled.";

function emitNotice({ writer }: ChatEvents, message: Json, origin: EventOrigin): void {
  const text = genAiText(message.content);
  const title = asName(message.type) ?? "message";
  if (message.type === "info" && text === CANCELLED) {
    writer.emit("turn_failed", { reason: "cancelled", message: text }, origin);
  } else if (text === "") writer.keep(title, message, origin);
  else writer.emit("notice", { audience: "user", title, text }, origin);
}

/** True for a sent message of the user. Results of calls, also of type `user`, are no prompts. */
export function isPrompt(message: Json): boolean {
  if (message.type !== "user" || isUnsent(message.content)) return false;
  const parts = genAiParts(contentOf(message));
  return parts.some((part) => toOurPart(part) !== undefined) &&
    !parts.some((part) => part.functionResponse !== undefined);
}

/**
 * Emits a notice for a message that is not sent again. It is context of an earlier request, or a
 * command.
 */
function emitUnsent({ writer }: ChatEvents, message: Json, origin: EventOrigin): void {
  const text = genAiText(message.content);
  const [, tag] = /^\s*<(\w+)>/.exec(text) ?? [];
  const notice = tag === undefined
    ? { audience: "user", title: "command", text } as const
    : { audience: "model", title: tag.replaceAll("_", " "), text } as const;
  writer.emit("notice", notice, origin);
}

function emitUser(chat: ChatEvents, message: Json, origin: EventOrigin): void {
  // A result that comes again does so before the next prompt.
  if (isPrompt(message)) chat.calls.settled.clear();
  if (isUnsent(message.content)) return emitUnsent(chat, message, origin);
  if (!chat.guarded) return emitSaid(chat, message, origin);
  const content = unguardedPrompt(message.content);
  emitSaid(chat, { ...withoutHiding(message), content }, origin);
}

function emitSaid({ writer, calls }: ChatEvents, message: Json, origin: EventOrigin): void {
  const parts = genAiParts(contentOf(message));
  const given = responsesIn(parts);
  for (const { response, beside } of given) {
    settleGenAiCall(calls, writer, response, { origin, beside });
  }
  // Images beside results are those of the results, which may have been given before.
  const said = parts.flatMap((part) => toOurPart(part) ?? [])
    .filter(({ type }) => type === "text" || given.length === 0);
  const { displayContent, ...rest } = message;
  const shown = displayContent === undefined ? undefined : genAiText(displayContent);
  const { content, is_shown } = promptContent(said, shown);
  if (said.length > 0) writer.emit("user_message", { content }, origin);
  keepRest(writer, parts, is_shown ? rest : message, origin);
}
