/** Reads and writes blocks of OpenAI's Agents SDK, in messages and in outputs of calls. */
import { present } from "../../../core/event/present.ts";
import {
  attachmentFromBase64,
  attachmentFromReference,
  attachmentFromUrl,
  attachmentUrl,
} from "../../../core/event/attachment.ts";
import { isObject } from "../../../core/event/guard.ts";
import type {
  AttachmentPart,
  Content,
  Output,
  OutputPart,
  Part,
} from "../../../core/event/message.ts";
import { type Members, refusal, textAt } from "../kept/incoming.ts";
import {
  blockOf,
  keptContent,
  keptOutput,
  keptPart,
  type PartRules,
  type SpelledPart,
  textOrBlocksOf,
} from "../kept/part.ts";
import type { ResultPiece } from "../kept/piece.ts";

export const AGENTS = "openai-agents";

/** Rules for the blocks in a message, and in an output that is a list. */
const BLOCKS: PartRules = { shape: AGENTS, part: readBlock, block: usualBlock };
/** Rules for a call's output that is a single object. */
const OUTPUT: PartRules = { shape: AGENTS, part: readOutputPart, block: usualOutputPart };

export function readContent(content: unknown, at: string): Content {
  return keptContent(BLOCKS, content, at);
}

export function readOutput(
  value: unknown,
  at: string,
): { output: Output; form?: string | undefined } {
  if (typeof value === "string") return { output: value, form: "string" };
  if (Array.isArray(value)) {
    const form = value.length === 0 ? "list" : undefined;
    return { output: keptOutput(BLOCKS, value, at), form };
  }
  if (!isObject(value)) throw refusal(at, "is neither a string nor an object nor an array");
  if (value.type === "text") return { output: textAt(value, "text", at) };
  return { output: [keptPart(OUTPUT, value, at) as OutputPart], form: "one" };
}

export function usualOutput({ output, kept: { form } }: ResultPiece): unknown {
  if (typeof output === "string") {
    if (form === "list") return [];
    return form === "string" ? output : { type: "text", text: output };
  }
  const [only] = output;
  if (form === "one" && only !== undefined) return blockOf(OUTPUT, only);
  return textOrBlocksOf(BLOCKS, output);
}

export function agentsContent(content: Content): unknown {
  const [only] = content;
  const plain = content.length === 1 && typeof only === "object" && only.type === "text" &&
    only.provider_data === undefined;
  if (plain) return only.text;
  return textOrBlocksOf(BLOCKS, content);
}

function readBlock(block: Members, at: string): SpelledPart | undefined {
  switch (textAt(block, "type", at)) {
    case "input_text":
      return { part: { type: "text", text: textAt(block, "text", at) } };
    case "input_image":
      return attachment(block.image, "image");
    case "input_file":
      return attachment(block.file, "file");
    default:
      return undefined;
  }
}

function readOutputPart({ type, image, file }: Members): SpelledPart | undefined {
  if (type === "image") return attachment(image, "image");
  return type === "file" ? attachment(file, "file") : undefined;
}

/** Reads a file: a URL, base64, or an object with either. Undefined for other values. */
function attachment(value: unknown, type: "image" | "file"): SpelledPart | undefined {
  const media_type = type === "image" ? "image/*" : "application/octet-stream";
  if (typeof value === "string") {
    if (!/^[a-z][a-z0-9+.-]*:/i.test(value)) {
      return { part: { ...attachmentFromBase64(value, media_type), type }, form: "base64" };
    }
    const part = attachmentFromUrl(value, value.startsWith("data:") ? undefined : media_type);
    return { part: { ...part, type } };
  }
  if (!isObject(value)) return undefined;
  const { url, data, mediaType = media_type } = value;
  if (typeof url === "string") {
    return { part: { ...attachmentFromReference(url, media_type), type }, form: "url" };
  }
  if (typeof data !== "string" || typeof mediaType !== "string") return undefined;
  return { part: { ...attachmentFromBase64(data, mediaType), type }, form: "data" };
}

function contentOf(part: AttachmentPart, form: string | undefined): unknown {
  const { media_type, data } = part;
  if (form === "data") return { data, mediaType: media_type };
  if (form === "base64") return data;
  const url = attachmentUrl(part);
  return form === "url" ? { url } : url;
}

function usualBlock(part: Part | OutputPart, form: string | undefined): Members {
  switch (part.type) {
    case "json":
      return { type: "input_text", text: JSON.stringify(part.value) };
    case "image":
      return { type: "input_image", image: contentOf(part, form) };
    case "file": {
      const { data, path } = part;
      const filename = data === undefined ? undefined : path;
      return present({ type: "input_file", file: contentOf(part, form), filename });
    }
    default:
      return { type: "input_text", text: part.type === "text" ? part.text : "" };
  }
}

function usualOutputPart(part: Part | OutputPart, form: string | undefined): Members {
  if (part.type === "image") return { type: "image", image: contentOf(part, form) };
  if (part.type === "file") return { type: "file", file: contentOf(part, form) };
  return { type: "text", text: part.type === "text" ? part.text : "" };
}
