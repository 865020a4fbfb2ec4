/** Converts the content blocks of pi's messages to parts of Reprise. */
import { asList, asObject, asText, type Json } from "../engine/json.ts";
import { attachmentFromBase64 } from "../../core/event/attachment.ts";
import type { AttachmentPart, ReasoningPart, TextPart } from "../../core/event/message.ts";
import type { DiffLine } from "../../core/event/payload.ts";

/** The parts of a message's content. `unknown` has blocks for which Reprise has no part type. */
interface TakenContent {
  parts: (TextPart | AttachmentPart)[];
  unknown: unknown[];
}

export function takeContent(content: unknown): TakenContent {
  if (typeof content === "string") return { parts: [{ type: "text", text: content }], unknown: [] };
  const taken: TakenContent = { parts: [], unknown: [] };
  for (const value of asList(content)) {
    const { type, text, data, mimeType } = asObject(value);
    if (type === "text" && typeof text === "string") taken.parts.push({ type, text });
    else if (type === "image" && typeof data === "string") {
      taken.parts.push(attachmentFromBase64(data, asText(mimeType) ?? "image/png"));
    } else taken.unknown.push(value);
  }
  return taken;
}

export function textOf(parts: TakenContent["parts"]): string {
  return parts.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n");
}

/** Fields of chat completions that hold reasoning. pi stores the field's name as a signature. */
const REASONING_FIELDS = ["reasoning_content", "reasoning", "reasoning_text"];

/**
 * Returns a thought with its provider's data. The meaning of pi's signature depends on the
 * provider's API.
 */
export function toReasoning(block: Json, api: unknown): ReasoningPart {
  const text = asText(block.thinking) ?? "";
  const signature = asText(block.thinkingSignature);
  if (signature === undefined || signature === "") return { type: "reasoning", text };
  return { type: "reasoning", text, provider_data: providerData(signature, block, api) };
}

function providerData(signature: string, { redacted }: Json, api: unknown): unknown {
  const anthropic = /anthropic|bedrock/.test(asText(api) ?? "anthropic");
  if (REASONING_FIELDS.includes(signature)) return { type: "reasoning_content" };
  if (!anthropic) return { api, thinking_signature: signature };
  return redacted === true ? { type: "redacted_thinking", data: signature } : { signature };
}

const NUMBERED = /^([+\- ])( *\d+) ?(.*)$/s;

export function parseShownDiff(diff: string): DiffLine[] {
  return diff.split("\n").map(toLine);
}

function toLine(line: string): DiffLine {
  const match = NUMBERED.exec(line);
  if (match === null) return unnumbered(line);
  const [, sign, number, content = ""] = match;
  const at = Number(number);
  if (sign === "+") return { kind: "added", new: at, content };
  if (sign === "-") return { kind: "removed", old: at, content };
  return { kind: "context", old: at, content };
}

function unnumbered(line: string): DiffLine {
  if (line.trim() === "...") return { kind: "hunk", content: "..." };
  if (line.startsWith("+")) return { kind: "added", content: line.slice(1) };
  if (line.startsWith("-")) return { kind: "removed", content: line.slice(1) };
  return { kind: "context", content: line.startsWith(" ") ? line.slice(1) : line };
}
