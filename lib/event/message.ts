/**
 * A message as a model gets it, and the parts it is made of.
 *
 * @module
 */

/** Text. */
export interface TextPart {
  type: "text";
  text: string;
}

/** What the model thought. `provider_data` (a signature, encrypted content) goes back as it came. */
export interface ReasoningPart {
  type: "reasoning";
  text: string;
  provider_data?: unknown;
}

/** A call that the model made. */
export interface ToolCallPart {
  type: "tool_call";
  call_id: string;
  name: string;
  input: unknown;
}

/** How a started call ended. */
export type CallStatus = "ok" | "error" | "interrupted" | "skipped";

/** What a call gave back; `call_id` names the call. */
export interface ToolResultPart {
  type: "tool_result";
  call_id: string;
  name: string;
  status: CallStatus;
  output: string;
}

/** An image or a file: inline (`data`, base64) or by `path`, always with its hash and its size. */
export interface AttachmentPart {
  type: "image" | "file";
  media_type: string;
  /** Base64. */
  data?: string;
  path?: string;
  /** Lower-case hex, or empty where the source has only a reference. */
  sha256: string;
  /** Size of the decoded content. */
  bytes: number;
}

/** One piece of a message's content. */
export type Part = TextPart | ReasoningPart | ToolCallPart | ToolResultPart | AttachmentPart;

/** Who speaks in a message. */
export type Role = "system" | "user" | "assistant" | "tool";

/** A text, or a list of parts. */
export type Content = string | Part[];

/** One message of a conversation. */
export interface Message {
  role: Role;
  content: Content;
}

/**
 * The text of a content: its text parts joined by an empty line.
 *
 * @param content A text or parts.
 * @returns The text, which may be empty.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { contentText } from "./mod.ts";
 *
 * assert.equal(contentText([{ type: "text", text: "a" }, { type: "text", text: "b" }]), "a\n\nb");
 * ```
 */
export function contentText(content: Content): string {
  if (typeof content === "string") return content;
  const texts: string[] = [];
  for (const part of content) if (part.type === "text") texts.push(part.text);
  return texts.join("\n\n");
}
