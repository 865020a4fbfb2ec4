/**
 * The shape of the AI SDK's UIMessage, versions 5 to 7: the messages of a chat in its user
 * interface. A call and its result are one part.
 *
 * @module
 */
import { partsOf } from "../../../core/projection/said_parts.ts";
import type { Message, Part, ReasoningPart } from "../../../core/event/message.ts";
import { type Members, valueOf } from "../kept/incoming.ts";
import { amended } from "../kept/kept.ts";
import { blockOf } from "../kept/part.ts";
import type { Piece } from "../kept/piece.ts";
import { type PieceWriter, restored, type Side, type Written } from "../kept/restored.ts";
import { chained, each, type Stage } from "../stage.ts";
import { isBlank } from "../usual/blank_text.ts";
import { turns } from "../usual/turn.ts";
import { usualMessages } from "../usual/usual_messages.ts";
import { type AiSdkJson, reasoningOptions } from "./ai_sdk.ts";
import { settledPart, UI_PARTS, usualUiMessage } from "./ai_sdk_ui_parts.ts";

/** One part of a UIMessage. A call and its result are one part. Unknown members are kept. */
export type AiSdkUiPart =
  | { type: "text"; text: string }
  | {
    type: "reasoning";
    text: string;
    /** The reasoning's signature or encrypted text, by provider. Absent if it has neither. */
    providerMetadata?: Record<string, { [name: string]: AiSdkJson }>;
  }
  | { type: "file"; mediaType: string; filename?: string; url: string }
  | (
    & { type: "dynamic-tool"; toolName: string; toolCallId: string; input: unknown }
    & (
      | { state: "input-available" }
      | { state: "output-available"; output: unknown }
      | { state: "output-error"; errorText: string }
    )
  );

/** One UIMessage. A model's message has all answers and calls up to the user's next message. */
export interface AiSdkUiMessage {
  /** The id that the message came with, or `event-` and the number of its first event. */
  id: string;
  /** The message's role. Results of calls are in `assistant` messages. */
  role: "system" | "user" | "assistant";
  /** The parts in order: texts, reasoning, files, and calls with their results. */
  parts: AiSdkUiPart[];
}

type Native = Record<string, unknown> & { role: Side; parts: Members[] };

/** Returns a converter for well-formed messages in which each call has its result. */
export function uiMessages(): Stage<Message, AiSdkUiMessage> {
  const messages = restored(WRITER, () => usualMessages(WRITER, turns(), withMetadata));
  const shaped = chained(numbered(), messages) as Stage<Message, unknown>;
  return chained(shaped, each((message) => [valueOf(message) as AiSdkUiMessage]));
}

/** Returns a stage that numbers messages without `seq`, because ids of UIMessages need a number. */
function numbered(before: number = 0): Stage<Message, Message> {
  let count = before;
  return {
    add(message): Message[] {
      count++;
      return ["seq" in message ? message : { ...message, seq: count } as Message];
    },
    end: () => [],
    copy: () => numbered(count),
  };
}

/** Returns reasoning with its signature, if any, so that Anthropic's model gets both back. */
function withMetadata(part: ReasoningPart): Part[] {
  const { text } = part;
  const providerMetadata = reasoningOptions(part.provider_data);
  if (providerMetadata === undefined) return isBlank(text) ? [] : [{ type: "reasoning", text }];
  const provider_data = { shape: UI_PARTS.shape, rest: { providerMetadata } };
  return [{ type: "reasoning", text, provider_data }];
}

const WRITER: PieceWriter<Native> = {
  shape: UI_PARTS.shape,
  history: true,
  begin(piece): Native[] {
    if (piece.role === "tool") return [];
    const message = amended(usualUiMessage(piece), piece.kept.message ?? {}) as Native;
    return [{ ...message, parts: uiPartsOf(piece) }];
  },
  join(last: Written<Native>, piece: Piece): boolean {
    const { parts } = last.native;
    if (piece.role !== "tool") {
      if (piece.role !== last.side) return false;
      for (const one of uiPartsOf(piece)) parts.push(one);
      return true;
    }
    const index = parts.findLastIndex(({ toolCallId }) => toolCallId === piece.call_id);
    const call = parts[index];
    if (call !== undefined) parts[index] = amended(settledPart(call, piece), piece.kept);
    return true;
  },
  append(last, next, kept): boolean {
    // Parts of one original message stay together.
    if (last.kept || kept || last.side !== "assistant") return false;
    for (const one of next.parts) last.native.parts.push(one);
    return true;
  },
  copy: (native) => ({ ...native, parts: [...native.parts] }),
  sideOf: ({ role }) => role,
};

function uiPartsOf({ content, kept }: Exclude<Piece, { role: "tool" }>): Members[] {
  if (kept.form === "empty") return [];
  return partsOf(content).map((part) => blockOf(UI_PARTS, part));
}
