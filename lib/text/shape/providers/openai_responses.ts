/**
 * The shape of OpenAI's Responses: a list of items.
 *
 * @module
 */
import { callInput } from "../../../core/event/call_input.ts";
import { attachmentFromUrl, attachmentUrl } from "../../../core/event/attachment.ts";
import type { Content, Message, OutputPart, Part } from "../../../core/event/message.ts";
import { listAt, type Members, nameAt, refusal, textAt } from "../kept/incoming.ts";
import { itemPieces, type ItemRules, itemWriter, textsIn } from "../kept/item_messages.ts";
import { type KeptData, keptOf } from "../kept/kept.ts";
import { keptContent, type PartRules, type SpelledPart, textOrBlocksOf } from "../kept/part.ts";
import { callText, type Piece } from "../kept/piece.ts";
import { type PieceWriter, restored } from "../kept/restored.ts";
import type { Stage } from "../stage.ts";
import { spokenTurns } from "../usual/turn.ts";
import { usualMessages, withoutReasoning } from "../usual/usual_messages.ts";

/** One piece of a prompt or of a call's output. */
export type ResponsesContentPart =
  | { type: "input_text"; text: string }
  | { type: "input_image"; image_url: string; detail: "auto" }
  | { type: "input_file"; filename: string; file_data: string };

/** One item of OpenAI's Responses. Unknown members are kept. */
export type ResponsesItem =
  | { role: "user"; content: string | ResponsesContentPart[] }
  | { role: "assistant"; content: string }
  | { type: "function_call"; call_id: string; name: string; arguments: string }
  | { type: "function_call_output"; call_id: string; output: string | ResponsesContentPart[] };

const SHAPE = "openai-responses";

const BLOCKS: PartRules = { shape: SHAPE, part: readBlock, block: usualBlock };
const ITEMS: ItemRules = {
  shape: SHAPE,
  own: { shape: SHAPE, part: readOwn, block: usualOwn },
  result: "function_call_output",
  texts: ({ type, role }) =>
    type === "reasoning" ? "summary" : role === "assistant" ? "content" : undefined,
  other: readOther,
  usual: usualOther,
  history: false,
};

/** Returns a converter for messages in which each call has its result. Drops instructions. */
export function responsesItems(): Stage<Message, ResponsesItem> {
  const writer = itemWriter(ITEMS) as unknown as PieceWriter<ResponsesItem>;
  return restored(writer, () => usualMessages(writer, spokenTurns(), withoutReasoning));
}

export function responsesPieces(items: unknown, at: string): Piece[] {
  return itemPieces(ITEMS, items, at);
}

function readOther(item: Members, at: string): Piece | undefined {
  const kept: KeptData = { shape: SHAPE };
  if (item.type === "function_call_output") {
    const call_id = textAt(item, "call_id", at);
    const output = keptContent(BLOCKS, item.output, `${at}.output`);
    return { role: "tool", call_id, status: "ok", output, kept };
  }
  if (item.type !== undefined && item.type !== "message") return undefined;
  switch (item.role) {
    case "user":
      return { role: "user", content: readContent(item, at), kept };
    case "system":
    case "developer":
      return { role: "system", content: readContent(item, at), kept };
    case "assistant":
      return undefined;
    default:
      throw refusal(`${at}.role`, "is not one of user, system, developer, assistant");
  }
}

function readContent({ content }: Members, at: string): Content {
  return keptContent(BLOCKS, content, `${at}.content`);
}

function readBlock(block: Members, at: string): SpelledPart | undefined {
  const { type, image_url, file_data } = block;
  if (type === "input_text") return { part: { type: "text", text: textAt(block, "text", at) } };
  if (type === "input_image" && typeof image_url === "string") {
    const media_type = image_url.startsWith("data:") ? undefined : "image/*";
    return { part: { ...attachmentFromUrl(image_url, media_type), type: "image" } };
  }
  if (type === "input_file" && typeof file_data === "string" && file_data.startsWith("data:")) {
    return { part: { ...attachmentFromUrl(file_data), type: "file" } };
  }
  textAt(block, "type", at);
  return undefined;
}

function readOwn(item: Members, at: string): SpelledPart | undefined {
  if (item.type === "function_call") {
    const call_id = textAt(item, "call_id", at);
    const name = nameAt(item, "name", at);
    return {
      part: { type: "tool_call", call_id, name, ...callInput(textAt(item, "arguments", at)) },
    };
  }
  if (item.type === "reasoning") {
    return { part: { type: "reasoning", text: textsIn(item.summary, "summary_text") } };
  }
  if (item.role !== "assistant") {
    textAt(item, "type", at);
    return undefined;
  }
  const { content } = item;
  if (typeof content === "string") return { part: { type: "text", text: content } };
  listAt(content, `${at}.content`);
  return { part: { type: "text", text: textsIn(content, "output_text") }, form: "output" };
}

function usualOwn(part: Part | OutputPart, form: string | undefined): Members {
  if (part.type === "tool_call") {
    const { call_id, name } = part;
    return { type: "function_call", call_id, name, arguments: callText(part) };
  }
  if (part.type === "reasoning") {
    const { text } = part;
    return { type: "reasoning", summary: text === "" ? [] : [{ type: "summary_text", text }] };
  }
  const text = part.type === "text" ? part.text : "";
  if (form === undefined) return { role: "assistant", content: text };
  const content = [{ type: "output_text", text, annotations: [] }];
  return { type: "message", role: "assistant", content };
}

function usualBlock(part: Part | OutputPart): Members {
  if (part.type === "text") return { type: "input_text", text: part.text };
  if (part.type === "json") return { type: "input_text", text: JSON.stringify(part.value) };
  if (part.type === "image") {
    return { type: "input_image", image_url: attachmentUrl(part), detail: "auto" };
  }
  if (part.type !== "file") return { type: "input_text", text: "" };
  return {
    type: "input_file",
    filename: part.path ?? "attachment",
    file_data: attachmentUrl(part),
  };
}

function usualOther(piece: Piece): Members {
  if (piece.role !== "tool") {
    return { role: piece.role, content: textOrBlocksOf(BLOCKS, piece.content) };
  }
  const { call_id, output } = piece;
  return { type: "function_call_output", call_id, output: textOrBlocksOf(BLOCKS, output) };
}

/** True if the content has a compacted history, which only its provider can read. */
export function isSealedHistory(content: Content): boolean {
  if (typeof content === "string") return false;
  return content.some(({ provider_data }) =>
    /^(context_)?compaction$/.test(String(keptOf(provider_data, SHAPE)?.rest?.type))
  );
}
