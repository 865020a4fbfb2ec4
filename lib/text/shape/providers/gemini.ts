/**
 * The shape of Gemini's contents.
 *
 * @module
 */
import { present } from "../../../core/event/present.ts";
import { isObject } from "../../../core/event/guard.ts";
import { attachmentFromBase64, attachmentFromReference } from "../../../core/event/attachment.ts";
import type {
  AttachmentPart,
  Content,
  Message,
  Output,
  OutputPart,
  Part,
} from "../../../core/event/message.ts";
import {
  type BlockMessage,
  blockPieces,
  type BlockRules,
  blockWriter,
  type ReadResult,
} from "../kept/block_messages.ts";
import { type Members, nameAt, objectAt, textAt } from "../kept/incoming.ts";
import type { SpelledPart } from "../kept/part.ts";
import { callsIn, type Piece, type ResultPiece } from "../kept/piece.ts";
import { restored } from "../kept/restored.ts";
import { chained, type Stage } from "../stage.ts";
import { opened, spokenWithFilesBehind } from "../usual/turn.ts";
import { usualMessages, withoutReasoning } from "../usual/usual_messages.ts";

/** One part of a Gemini content. It has one of these kinds of data. Unknown members are kept. */
export interface GeminiPart {
  /** Text of the user or the model, or a thought. */
  text?: string;
  /** True if the text is a thought, which is converted to a reasoning part. */
  thought?: boolean;
  /** Signature of the preceding thoughts, in base64. It must be sent back in the same part. */
  thoughtSignature?: string;
  /** A file with its data in base64. */
  inlineData?: { mimeType: string; data: string };
  /** A file outside the message, by its URI. */
  fileData?: { mimeType?: string; fileUri: string };
  /** A call of a tool by the model. `args` is the input of the tool. */
  functionCall?: { id?: string; name: string; args?: Record<string, unknown> };
  /** The result of the call with this id, or with this name if the call has no id. */
  functionResponse?: { id?: string; name: string; response: Record<string, unknown> };
}

/** One message, which Gemini calls a content. */
export interface GeminiContent {
  /** The speaker. `user` also for results of calls. */
  role?: "user" | "model" | "function";
  /** The parts in order: texts, thoughts, files, calls, and results of calls. */
  parts?: GeminiPart[];
}

const SHAPE = "gemini";

export const GEMINI: BlockRules = {
  shape: SHAPE,
  list: "parts",
  texts: false,
  roles: { system: "system", user: "user", assistant: "model", tool: "user" },
  sides: { user: "user", function: "user", model: "assistant", system: "system" },
  block,
  part: readPart,
  result: resultBlock,
  readResult,
};

/** Returns a converter for messages in which each call has its result. Drops instructions. */
export function geminiContents(): Stage<Message, GeminiContent> {
  const writer = blockWriter<GeminiContent & BlockMessage>(GEMINI, true);
  return restored(
    writer,
    (begun) =>
      usualMessages(writer, chained(spokenWithFilesBehind(), opened(begun)), withoutReasoning),
  );
}

/** Returns the pieces of contents. A call or result without an id gets one from the tool's name. */
export function geminiPieces(contents: unknown, at: string): Piece[] {
  const pieces = blockPieces(GEMINI, contents, at);
  let results = new Map<string, number>();
  return pieces.map((piece) => {
    if (piece.role === "assistant") {
      results = new Map();
      return { ...piece, content: withIds(piece.content) };
    }
    if (piece.role !== "tool" || piece.call_id !== "") return piece;
    return { ...piece, call_id: madeId(piece.name ?? "", results) };
  });
}

function withIds(content: Content): Content {
  if (typeof content === "string" || callsIn(content).length === 0) return content;
  const names = new Map<string, number>();
  return content.map((part) =>
    part.type === "tool_call" && part.call_id === ""
      ? { ...part, call_id: madeId(part.name, names) }
      : part
  );
}

/** Returns an id made of a tool's name: `name`, and `name_2` for its second call in a response. */
function madeId(name: string, counts: Map<string, number>): string {
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  return count === 1 ? name : `${name}_${count}`;
}

function readPart(value: Members, at: string): SpelledPart | undefined {
  const { functionCall, inlineData, fileData } = value;
  if (typeof value.text === "string") {
    const { text } = value;
    return { part: value.thought === true ? { type: "reasoning", text } : { type: "text", text } };
  }
  if (functionCall !== undefined) {
    const place = `${at}.functionCall`;
    const call = objectAt(functionCall, place);
    const name = nameAt(call, "name", place);
    const call_id = call.id === undefined ? "" : textAt(call, "id", place);
    const part: Part = { type: "tool_call", call_id, name, input: call.args ?? {} };
    return call_id === "" ? { part, form: "nameless" } : { part };
  }
  if (isObject(inlineData) && typeof inlineData.data === "string") {
    const { data, mimeType } = inlineData;
    return { part: attachmentFromBase64(data, typeOf(mimeType)) };
  }
  if (isObject(fileData) && typeof fileData.fileUri === "string") {
    return { part: attachmentFromReference(fileData.fileUri, typeOf(fileData.mimeType)) };
  }
  return undefined;
}

function typeOf(mimeType: unknown): string {
  return typeof mimeType === "string" ? mimeType : "application/octet-stream";
}

function block(part: Part | OutputPart, form: string | undefined): Members {
  switch (part.type) {
    case "text":
      return { text: part.text };
    case "json":
      return { text: JSON.stringify(part.value) };
    case "reasoning":
      return { text: part.text, thought: true };
    case "tool_call": {
      const { call_id, name, input } = part;
      const args = isObject(input) ? input : { input };
      return { functionCall: form === undefined ? { id: call_id, name, args } : { name, args } };
    }
    case "tool_result":
      return resultBlock({ role: "tool", ...part, kept: { shape: SHAPE } });
    default:
      return fileOf(part);
  }
}

function fileOf({ data, path, media_type }: AttachmentPart): Members {
  return data === undefined
    ? { fileData: { fileUri: path ?? "", mimeType: media_type } }
    : { inlineData: { mimeType: media_type, data } };
}

function readResult(value: Members, at: string): ReadResult | undefined {
  if (value.functionResponse === undefined) return undefined;
  const place = `${at}.functionResponse`;
  const result = objectAt(value.functionResponse, place);
  const name = nameAt(result, "name", place);
  const call_id = result.id === undefined ? "" : textAt(result, "id", place);
  const response = isObject(result.response) ? result.response : {};
  const form = call_id === "" ? "nameless" : undefined;
  return { call_id, name, ...outputOf(response), form };
}

/**
 * Returns the status and output of a response. A text in `{ output }` or `{ error }` is the output.
 * Any other response is the output as a whole. `{ error }` means that the call failed.
 */
function outputOf(response: Members): { status: ResultPiece["status"]; output: Output } {
  const names = Object.keys(response);
  const [name = ""] = names;
  if (names.length !== 1 || (name !== "output" && name !== "error")) {
    return { status: "ok", output: [{ type: "json", value: response }] };
  }
  const value = response[name];
  const output: Output = typeof value === "string" ? value : [{ type: "json", value: response }];
  return { status: name === "error" ? "error" : "ok", output };
}

function resultBlock({ call_id, name = "tool", status, output, kept }: ResultPiece): Members {
  const id = kept.form === "nameless" ? undefined : call_id;
  return { functionResponse: present({ id, name, response: responseOf(output, status) }) };
}

function responseOf(output: Output, status: ResultPiece["status"]): Members {
  const name = status === "ok" ? "output" : "error";
  if (typeof output === "string") return { [name]: output };
  const [only] = output;
  if (output.length === 1 && only?.type === "json") {
    return isObject(only.value) ? only.value : { [name]: only.value };
  }
  const texts = output.map((part) => {
    if (part.type === "json") return JSON.stringify(part.value);
    return part.type === "text" ? part.text : `[${part.type}: ${part.media_type}]`;
  });
  return { [name]: texts.join("\n") };
}
