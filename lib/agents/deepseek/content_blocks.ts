/** Converts content blocks of DeepSeek Harness to parts (dsh-llm, types.ts `ContentBlockMap`). */
import {
  attachmentFromBase64,
  attachmentFromReference,
  imageFromUrl,
} from "../../core/event/attachment.ts";
import type { AttachmentPart, Part } from "../../core/event/message.ts";
import { textCall } from "../engine/events/response_draft.ts";
import { asList, asName, asObject, asText, type Json, present } from "../engine/json.ts";

/** Converts content blocks to parts. Appends blocks of unknown types to `others`. */
export function partsOf(content: unknown, others: unknown[] = []): Part[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return asList(content).map(asObject).flatMap((block): Part[] => {
    const { type } = block;
    if (type === "text") return [{ type, text: asText(block.text) ?? "" }];
    if (type === "reasoning") {
      const { type: _, text, ...sealed } = block;
      const provider_data = Object.keys(sealed).length > 0 ? sealed : undefined;
      return [present({ type, text: asText(text) ?? "", provider_data })];
    }
    if (type === "tool-call") return [{ type: "tool_call", ...textCall(block) }];
    const attachment = type === "image" || type === "file" ? attachmentOf(block) : undefined;
    if (attachment !== undefined) return [attachment];
    others.push(block);
    return [];
  });
}

function attachmentOf(block: Json): AttachmentPart | undefined {
  const known = { ...block, ...asObject(block.source), ...asObject(block.attachment) };
  const media = asName(known.mediaType) ?? asName(known.mimeType) ?? asName(known.media_type) ??
    "image/*";
  const data = asName(known.data) ?? asName(known.base64);
  if (data !== undefined) return attachmentFromBase64(data, media);
  const url = asName(known.url) ?? asName(known.uri);
  if (url !== undefined) return imageFromUrl(url, media);
  const place = asName(known.path) ?? asName(known.name) ?? asName(known.id) ??
    asName(known.sha256);
  return place === undefined ? undefined : attachmentFromReference(place, media);
}

/** The blocks of an answer that is being streamed, by their index. */
export type StreamedBlocks = Record<
  string,
  { type: string; text: string; id?: string; name?: string }
>;

/** Adds a streamed chunk of an answer, or a packed run of chunks, to its block. */
export function addPiece(blocks: StreamedBlocks, piece: Json): void {
  const { type, index, texts, args, text, argumentsDelta, id, name, block } = piece;
  const key = String(index ?? 0);
  if (type === "block-end") {
    const whole = asObject(block);
    if (whole.type === undefined) return;
    const said = asText(whole.text) ?? asText(whole.arguments) ?? "";
    blocks[key] = present({
      ...{ type: String(whole.type), text: said, id: asName(whole.id), name: asName(whole.name) },
    });
    return;
  }
  const kind = PIECES.get(type);
  if (kind === undefined) return;
  const added = [...asList(texts), ...asList(args), text, argumentsDelta].flatMap((one) =>
    asText(one) ?? []
  ).join("");
  const before = blocks[key];
  blocks[key] = present({
    ...{ type: kind, text: (before?.text ?? "") + added },
    ...{ id: asName(id) ?? before?.id, name: asName(name) ?? before?.name },
  });
}

/** Block types by chunk type. `-delta` is a single chunk, `-chunks` a run of several chunks. */
const PIECES: ReadonlyMap<unknown, string> = new Map([
  ["text-delta", "text"],
  ["text-chunks", "text"],
  ["reasoning-delta", "reasoning"],
  ["reasoning-chunks", "reasoning"],
  ["tool-call-delta", "tool-call"],
  ["tool-call-chunks", "tool-call"],
]);

export function streamedContent(blocks: StreamedBlocks): Json[] {
  return Object.entries(blocks).sort(([one], [other]) => Number(one) - Number(other)).map((
    [, { type, text, id, name }],
  ) => type === "tool-call" ? { type, id, name, arguments: text } : { type, text });
}

/** Returns the content blocks of a recorded stream, which format 3 of the log has in an answer. */
export function streamContent(stream: unknown): Json[] {
  const blocks: StreamedBlocks = {};
  for (const record of asList(stream).map(asObject)) {
    addPiece(blocks, record.type === "chunk" ? asObject(record.chunk) : record);
  }
  return streamedContent(blocks);
}
