/**
 * The shape of OpenAI's Responses: a list of items, in and out.
 *
 * @module
 */
import { callInputText } from "../../event/call_input.ts";
import { attachmentFromUrl } from "../../event/inline_attachment.ts";
import type {
  AttachmentPart,
  Content,
  Message,
  Output,
  OutputPart,
  Part,
  ToolCallPart,
} from "../../event/message.ts";
import { checkCalls } from "../kept/block_messages.ts";
import { listAt, type Members, nameAt, objectAt, refusal, textAt } from "../kept/incoming.ts";
import { amended, amendment, type KeptData, keptOf } from "../kept/kept.ts";
import { callInput } from "./openai_pieces.ts";
import { listed, type Piece } from "../kept/piece.ts";
import { type PieceWriter, restored, type Side } from "../kept/restored.ts";
import type { Stage } from "../stage.ts";
import { spokenTurns } from "../usual/turn.ts";
import { usualMessages, withoutReasoning } from "../usual/usual_messages.ts";

/** One piece of what the user said, or of what a call gave. */
export type ResponsesContentPart =
  | { type: "input_text"; text: string }
  | { type: "input_image"; image_url: string; detail: "auto" }
  | { type: "input_file"; filename: string; file_data: string };

/** One item. Whatever else came goes back as it came. */
export type ResponsesItem =
  | { role: "user"; content: string | ResponsesContentPart[] }
  | { role: "assistant"; content: string }
  | { type: "function_call"; call_id: string; name: string; arguments: string }
  | { type: "function_call_output"; call_id: string; output: string | ResponsesContentPart[] };

/** The part of a request that holds the conversation. */
export interface ResponsesRequest {
  /** All instructions, an empty line between; absent where there are none. */
  instructions?: string;
  /** Oldest first; empty where nothing was said. */
  input: ResponsesItem[];
}

const SHAPE = "openai-responses";

/** Shapes paired, well-formed messages, without the instructions. */
export function responsesItems(): Stage<Message, ResponsesItem> {
  const writer = WRITER as unknown as PieceWriter<ResponsesItem>;
  return restored(writer, () => usualMessages(writer, spokenTurns(), withoutReasoning));
}

/** Reads items; what the model gave without a word in between is one response. */
export function responsesPieces(items: unknown, at: string): Piece[] {
  const pieces: Piece[] = [];
  let parts: Part[] = [];
  const close = (): void => {
    const kept = { shape: SHAPE };
    if (parts.length > 0) pieces.push({ role: "assistant", content: listed(parts, SHAPE), kept });
    parts = [];
  };
  for (const [index, value] of listAt(items, at).entries()) {
    const place = `${at}[${index}]`;
    const item = objectAt(value, place);
    const piece = otherPiece(item, place);
    if (piece === undefined) {
      parts.push(modelPart(item, place));
      checkCalls(parts, place);
      continue;
    }
    close();
    Object.assign(piece.kept, amendment(usualItem(piece), item));
    pieces.push(piece);
  }
  close();
  return pieces;
}

/** The piece of an item that is not the model's. */
function otherPiece(item: Members, at: string): Piece | undefined {
  const kept: KeptData = { shape: SHAPE };
  if (item.type === "function_call_output") {
    const call_id = textAt(item, "call_id", at);
    const output = readContent(item.output, `${at}.output`) as Output;
    return { role: "tool", call_id, status: "ok", output, kept };
  }
  if (item.type !== undefined && item.type !== "message") return undefined;
  switch (item.role) {
    case "user":
      return { role: "user", content: readContent(item.content, `${at}.content`), kept };
    case "system":
    case "developer":
      return { role: "system", content: readContent(item.content, `${at}.content`), kept };
    case "assistant":
      return undefined;
    default:
      throw refusal(`${at}.role`, "is none of user, system, developer, assistant");
  }
}

function readContent(content: unknown, at: string): Content {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) throw refusal(at, "is neither a string nor an array");
  return listed(
    content.map((value, index) => {
      const block = objectAt(value, `${at}[${index}]`);
      return keptPart(contentPart(block, `${at}[${index}]`), undefined, usualBlock, block);
    }),
    SHAPE,
  );
}

function contentPart(block: Members, at: string): Part {
  const { type, image_url, file_data } = block;
  if (type === "input_text") return { type: "text", text: textAt(block, "text", at) };
  if (type === "input_image" && typeof image_url === "string") {
    const part = attachmentFromUrl(
      image_url,
      image_url.startsWith("data:") ? undefined : "image/*",
    );
    return { ...part, type: "image" };
  }
  if (type === "input_file" && typeof file_data === "string" && file_data.startsWith("data:")) {
    return { ...attachmentFromUrl(file_data), type: "file" };
  }
  textAt(block, "type", at);
  return UNKNOWN;
}

/** Stands for what is of no type of ours: only its provider gets it. */
const UNKNOWN: Part = { type: "text", text: "", audience: "model" };

/** The part of an item that is the model's. */
function modelPart(item: Members, at: string): Part {
  if (item.type === "function_call") {
    const call: ToolCallPart = {
      type: "tool_call",
      call_id: textAt(item, "call_id", at),
      name: nameAt(item, "name", at),
      ...callInput(textAt(item, "arguments", at)),
    };
    return keptPart(call, undefined, usualModelItem, item);
  }
  if (item.type === "reasoning") {
    const text = textsIn(item.summary, "summary_text").join("\n\n");
    return keptPart({ type: "reasoning", text }, undefined, usualModelItem, item);
  }
  if (item.role !== "assistant") {
    textAt(item, "type", at);
    return keptPart(UNKNOWN, undefined, usualModelItem, item);
  }
  const { content } = item;
  if (typeof content === "string") {
    return keptPart({ type: "text", text: content }, undefined, usualModelItem, item);
  }
  const [first] = listAt(content, `${at}.content`);
  const text = textsIn(content, "output_text").join("\n\n");
  const form = typeof first === "object" && first !== null && "logprobs" in first
    ? "output_logprobs"
    : "output";
  return keptPart({ type: "text", text }, form, usualModelItem, item);
}

function textsIn(list: unknown, type: string): string[] {
  return (Array.isArray(list) ? list : []).flatMap((value) =>
    value?.type === type && typeof value.text === "string" ? [value.text] : []
  );
}

type Usual = (part: Part | OutputPart, form: string | undefined) => Members;

function keptPart(part: Part, form: string | undefined, usual: Usual, value: Members): Part {
  const change = amendment(usual(part, form), value);
  if (form === undefined && Object.keys(change).length === 0) return part;
  const named = form === undefined ? {} : { form };
  return { ...part, provider_data: { shape: SHAPE, ...named, ...change } satisfies KeptData };
}

function written(part: Part | OutputPart, usual: Usual): Members {
  const kept = keptOf(part.provider_data, SHAPE);
  return amended(usual(part, kept?.form), kept ?? {});
}

/** The item that a part of a response usually is. */
function usualModelItem(part: Part | OutputPart, form: string | undefined): Members {
  if (part.type === "tool_call") {
    const { call_id, name, input } = part;
    const text = typeof input === "string" && part.input_text === undefined
      ? input
      : callInputText(part);
    return { type: "function_call", call_id, name, arguments: text };
  }
  if (part.type === "reasoning") {
    const { text } = part;
    return { type: "reasoning", summary: text === "" ? [] : [{ type: "summary_text", text }] };
  }
  const text = part.type === "text" ? part.text : "";
  if (form === undefined) return { role: "assistant", content: text };
  const more = form === "output_logprobs" ? { logprobs: [] } : {};
  const content = [{ type: "output_text", text, annotations: [], ...more }];
  return { type: "message", role: "assistant", content };
}

/** The block that a part of a message or an output usually is. */
function usualBlock(part: Part | OutputPart): Members {
  if (part.type === "text") return { type: "input_text", text: part.text };
  if (part.type === "json") return { type: "input_text", text: JSON.stringify(part.value) };
  if (part.type === "image") {
    return { type: "input_image", image_url: urlOf(part), detail: "auto" };
  }
  if (part.type !== "file") return { type: "input_text", text: "" };
  return { type: "input_file", filename: part.path ?? "attachment", file_data: urlOf(part) };
}

function urlOf({ media_type, data, path }: AttachmentPart): string {
  return data === undefined ? path ?? "" : `data:${media_type};base64,${data}`;
}

function writtenContent(content: Content | Output): string | Members[] {
  if (typeof content === "string") return content;
  return content.map((part) => written(part, usualBlock));
}

/** The item that a piece usually is, which is not the model's. */
function usualItem(piece: Piece): Members {
  if (piece.role !== "tool") return { role: piece.role, content: writtenContent(piece.content) };
  const { call_id, output } = piece;
  return { type: "function_call_output", call_id, output: writtenContent(output) };
}

/** Writes items: of a response one for each of its parts. */
const WRITER: PieceWriter<Record<string, unknown>> = {
  shape: SHAPE,
  begin(piece): Record<string, unknown>[] {
    if (piece.role !== "assistant") return [amended(usualItem(piece), piece.kept)];
    const { content } = piece;
    const parts: Part[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
    return parts.map((part) => written(part, usualModelItem));
  },
  join: () => false,
  copy: (item) => item,
  sideOf: ({ role, type }): Side =>
    role === "user" || type === "function_call_output"
      ? "user"
      : role === "system"
      ? "system"
      : "assistant",
};
