/** Reads and writes the messages of OpenAI's chat completions. */
import { outputText } from "../../../core/event/audience.ts";
import { callInput } from "../../../core/event/call_input.ts";
import { partsOf } from "../../../core/projection/said_parts.ts";
import { isObject } from "../../../core/event/guard.ts";
import {
  attachmentFromBase64,
  attachmentFromUrl,
  attachmentUrl,
} from "../../../core/event/attachment.ts";
import type {
  AttachmentPart,
  Content,
  Output,
  OutputPart,
  Part,
} from "../../../core/event/message.ts";
import { present } from "../../../core/event/present.ts";
import { checkCalls } from "../kept/block_messages.ts";
import { listAt, type Members, nameAt, objectAt, refusal, textAt } from "../kept/incoming.ts";
import { amended, amendment, type KeptData } from "../kept/kept.ts";
import {
  keptContent,
  keptPart,
  type PartRules,
  type SpelledPart,
  textOrBlocksOf,
} from "../kept/part.ts";
import { callText, listed, type Piece } from "../kept/piece.ts";
import type { PieceWriter, Side } from "../kept/restored.ts";
import { inlineFile } from "../usual/attachment.ts";
import { joined } from "../usual/blank_text.ts";
import { SEE_ATTACHED } from "../usual/settled_call.ts";

const SHAPE = "openai";

const PARTS: PartRules = { shape: SHAPE, part: readPart, block: usualPart };
const CALLS: PartRules = { ...PARTS, part: readCall };

export function openAiPieces(messages: unknown, at: string): Piece[] {
  return listAt(messages, at).map((message, index) =>
    readMessage(objectAt(message, `${at}[${index}]`), `${at}[${index}]`)
  );
}

function readMessage(message: Members, at: string): Piece {
  const piece = readPiece(message, at);
  Object.assign(piece.kept, amendment(usualMessage(piece), message));
  return piece;
}

function readPiece(message: Members, at: string): Piece {
  const kept: KeptData = { shape: SHAPE };
  switch (message.role) {
    case "system":
    case "developer":
      return { role: "system", content: readContent(message, at), kept };
    case "user":
      return { role: "user", content: readContent(message, at), kept };
    case "assistant":
      return { role: "assistant", content: readAnswer(message, at), kept };
    case "tool": {
      const call_id = textAt(message, "tool_call_id", at);
      return { role: "tool", call_id, status: "ok", output: readContent(message, at), kept };
    }
    default:
      throw refusal(`${at}.role`, "is not one of system, developer, user, assistant, tool");
  }
}

function readContent({ content }: Members, at: string): Content & Output {
  return keptContent(PARTS, content, `${at}.content`);
}

function readPart(value: Members, at: string): SpelledPart | undefined {
  const part = partOf(value, at);
  return part && { part };
}

function partOf(value: Members, at: string): Part | undefined {
  switch (value.type) {
    case "text":
      return { type: "text", text: textAt(value, "text", at) };
    case "refusal":
      return { type: "text", text: textAt(value, "refusal", at) };
    case "image_url": {
      const { url } = objectAt(value.image_url, `${at}.image_url`);
      if (typeof url !== "string") throw refusal(`${at}.image_url.url`, "is not a string");
      const part = attachmentFromUrl(url, url.startsWith("data:") ? undefined : "image/*");
      return isDataUrl(part, url) ? { ...part, type: "image" } : undefined;
    }
    case "file": {
      const { file_data } = objectAt(value.file, `${at}.file`);
      if (typeof file_data !== "string") return undefined;
      const part = file_data.startsWith("data:")
        ? attachmentFromUrl(file_data)
        : attachmentFromBase64(file_data, "application/octet-stream");
      return isDataUrl(part, file_data) ? { ...part, type: "file" } : undefined;
    }
    default:
      textAt(value, "type", at);
      return undefined;
  }
}

/** True if `part` can be turned back into `url`. Otherwise the data URL is stored unchanged. */
function isDataUrl(part: AttachmentPart, url: string): boolean {
  return part.data === undefined || attachmentUrl(part) === url;
}

/** Reads an answer: reasoning first, then texts, then calls. */
function readAnswer(message: Members, at: string): Content {
  const { content, tool_calls, reasoning_content } = message;
  const own = content === null || content === undefined ? [] : readContent(message, at);
  if (typeof own === "string" && tool_calls === undefined && reasoning_content === undefined) {
    return own;
  }
  const parts: Part[] = typeof reasoning_content === "string"
    ? [{
      type: "reasoning",
      text: reasoning_content,
      provider_data: { type: "reasoning_content" },
    }]
    : [];
  for (const one of partsOf(own)) parts.push(one);
  if (tool_calls === null || tool_calls === undefined) return listed(parts, SHAPE);
  for (const [index, value] of listAt(tool_calls, `${at}.tool_calls`).entries()) {
    const place = `${at}.tool_calls[${index}]`;
    parts.push(keptPart(CALLS, objectAt(value, place), place) as Part);
    checkCalls(parts, place);
  }
  return listed(parts, SHAPE);
}

function readCall(value: Members, at: string): SpelledPart {
  const call_id = textAt(value, "id", at);
  const custom = value.type === "custom";
  const place = `${at}.${custom ? "custom" : "function"}`;
  const told = objectAt(custom ? value.custom : value.function, place);
  const name = nameAt(told, "name", place);
  const input = custom
    ? { input: textAt(told, "input", place) }
    : callInput(textAt(told, "arguments", place));
  return { part: { type: "tool_call", call_id, name, ...input } };
}

function usualPart(part: Part | OutputPart): Members {
  if (part.type === "text" || part.type === "reasoning") return { type: "text", text: part.text };
  if (part.type === "json") return { type: "text", text: JSON.stringify(part.value) };
  if (part.type === "image") return { type: "image_url", image_url: { url: attachmentUrl(part) } };
  if (part.type === "tool_call") {
    const { call_id: id, name } = part;
    return { id, type: "function", function: { name, arguments: callText(part) } };
  }
  if (part.type !== "file") return { type: "text", text: "" };
  return { type: "file", file: { file_data: attachmentUrl(part) } };
}

function usualMessage(piece: Piece): Members {
  if (piece.role === "tool") {
    const { call_id, output, kept } = piece;
    // Most servers take a string. Only a list that came from this shape goes back as one.
    const content = kept.joins ? textBefore(output) : textOrBlocksOf(PARTS, output);
    return { role: "tool", tool_call_id: call_id, content };
  }
  const { role, content } = piece;
  if (role !== "assistant" || typeof content === "string") {
    return { role, content: textOrBlocksOf(PARTS, content) };
  }
  const said = content.filter(({ type }) => type !== "reasoning" && type !== "tool_call");
  const calls = content.filter((part) => part.type === "tool_call");
  const thought = joined(content.flatMap((part) => part.type === "reasoning" ? [part.text] : []));
  return present({
    role,
    content: saidContent(said),
    tool_calls: calls.length === 0 ? undefined : textOrBlocksOf(CALLS, calls),
    reasoning_content: thought,
  });
}

/** Returns the text of a result. The result's files follow in a separate message. */
function textBefore(output: Output): string {
  const files = new Set<OutputPart>(filesOf(output));
  if (typeof output === "string" || files.size === 0) return outputText(output);
  const rest = output.filter((part) => !files.has(part));
  return rest.length === 0 ? SEE_ATTACHED : outputText(rest);
}

/** Returns a result's sendable files. The API takes files only in a user's message. */
function filesOf(output: Output): AttachmentPart[] {
  if (typeof output === "string") return [];
  return output.flatMap((part) => {
    if (part.type !== "image" && part.type !== "file") return [];
    return inlineFile(part) === undefined ? [] : [part];
  });
}

/**
 * Returns the content of an answer, or null if there is none. A single text without `provider_data`
 * becomes a string, because most servers take strings.
 */
function saidContent(said: Part[]): string | null | Members[] {
  const [only] = said;
  if (only === undefined) return null;
  if (said.length === 1 && only.type === "text" && !isObject(only.provider_data)) return only.text;
  return textOrBlocksOf(PARTS, said) as Members[];
}

export const OPENAI_WRITER: PieceWriter<Record<string, unknown>> = {
  shape: SHAPE,
  results_first: true,
  filesOf,
  begin: (piece) => [amended(usualMessage(piece), piece.kept)],
  join: () => false,
  copy: (native) => native,
  sideOf: ({ role }): Side => role === "assistant" || role === "system" ? role : "user",
};
