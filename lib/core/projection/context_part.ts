/** Estimates the tokens that an event adds to the model's context, by kind of content. */
import { isFor } from "../event/audience.ts";
import type { KnownEvent } from "../event/envelope.ts";
import type { Content, Message, Part } from "../event/message.ts";
import { splitReminders } from "./reminder_pieces.ts";
import { toParts } from "./said_parts.ts";
import { messageTokens, outputTokens, partTokens, textTokens } from "./token_estimate.ts";

/** The kinds of content in a model's context, in the order in which lists show them. */
export const CONTEXT_KINDS = [
  "system",
  "summary",
  "prompt",
  "attachment",
  "reminder",
  "answer",
  "reasoning",
  "call",
  "result",
] as const;

export type ContextKind = typeof CONTEXT_KINDS[number];

export interface ContextPiece {
  kind: ContextKind;
  /** Estimated number, at four characters a token. */
  tokens: number;
}

export function contextPieces(event: KnownEvent): ContextPiece[] {
  switch (event.kind) {
    case "user_message":
      return promptPieces(event.payload.content, event.payload.role === "system");
    case "assistant_message":
    case "assistant_interrupted":
      return modelParts(event.payload.content).map(answerPiece);
    case "reasoning_message":
      return event.payload.audience === "user"
        ? []
        : [{ kind: "reasoning", tokens: textTokens(event.payload.content) }];
    case "bash_start":
      return event.payload.origin === "user" && event.payload.audience !== "user"
        ? [{ kind: "prompt", tokens: textTokens(event.payload.command ?? "") }]
        : [];
    case "tool_end":
    case "bash_end": {
      const { output = "", error = "" } = event.payload;
      const tokens = outputTokens(output) + (typeof output === "string" ? textTokens(error) : 0);
      return [{ kind: "result", tokens }];
    }
    default:
      return [];
  }
}

/** Returns the sizes of the messages with which a compaction replaces earlier events. */
export function basePieces(messages: readonly Message[]): ContextPiece[] {
  return messages.map((message) => ({ kind: "summary", tokens: messageTokens([message]) }));
}

function modelParts(content: Content): Part[] {
  return toParts(content).filter((part) => isFor(part, "model"));
}

function answerPiece(part: Part): ContextPiece {
  const kind = part.type === "tool_call"
    ? "call"
    : part.type === "tool_result"
    ? "result"
    : part.type === "reasoning"
    ? "reasoning"
    : "answer";
  return { kind, tokens: partTokens(part) };
}

function promptPieces(content: Content, is_system: boolean): ContextPiece[] {
  return modelParts(content).flatMap((part): ContextPiece[] => {
    if (is_system) return [{ kind: "system", tokens: partTokens(part) }];
    const is_attached = part.type !== "text" || part.name !== undefined || !isFor(part, "user");
    if (is_attached && !isReminder(part)) return [{ kind: "attachment", tokens: partTokens(part) }];
    return splitReminders(part.type === "text" ? part.text : "").map(({ text, is_reminder }) => ({
      kind: is_reminder ? "reminder" : "prompt",
      tokens: textTokens(text),
    }));
  });
}

/** True for a text of only reminders. Agents may add reminders to a prompt as separate parts. */
function isReminder(part: Part): boolean {
  return part.type === "text" && splitReminders(part.text).every(({ is_reminder }) => is_reminder);
}
