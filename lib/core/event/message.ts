/**
 * A message as a model gets it, and the parts it is made of.
 *
 * @module
 */

/** The only one who gets a part: `user` sees it on the screen, `model` gets it in its messages. */
export type Audience = "user" | "model";

/** The fields that every part may have. */
export interface PartBase {
  /** The only audience of the part; absent where user and model both get it. */
  audience?: Audience;
  /** Data that goes back to the same provider unchanged; absent where it gave nothing. */
  provider_data?: unknown;
}

/** Text. */
export interface TextPart extends PartBase {
  /** Tells text from the other parts. */
  type: "text";
  /** The text as it was said or shown; may be empty. */
  text: string;
  /** Another piece of the text that the part before it is or continues. @default {false} */
  continues?: boolean;
  /** The name of an attached text, for people: the path of its file, or its type. Not sent. */
  name?: string;
}

/**
 * The reasoning of a model. `provider_data` (a signature, encrypted content) goes back as it came.
 */
export interface ReasoningPart extends PartBase {
  /** Tells reasoning from the other parts. */
  type: "reasoning";
  /** The part of the reasoning that the provider shows; empty where it hides all. */
  text: string;
}

/** A call that the model made. */
export interface ToolCallPart extends PartBase {
  /** Tells a call from the other parts. */
  type: "tool_call";
  /** Ties the call to its result. The provider's: it may come again later in a session. */
  call_id: string;
  /** The tool's name, as the model was told of it; `bash` for a shell command. */
  name: string;
  /** The arguments as JSON, an object for nearly all tools; odd numbers are `ExactNumber`s. */
  input: unknown;
  /** The JSON text of `input` as the model wrote it; absent where `JSON.stringify` gives it. */
  input_text?: string;
  /** The line by which the agent showed the call. Not sent. */
  caption?: string;
}

/** The outcome of a started call. */
export type CallStatus = "ok" | "error" | "interrupted" | "skipped";

/** The result of a call; `call_id` names the call. */
export interface ToolResultPart extends PartBase {
  /** Discriminant. */
  type: "tool_result";
  /** The `call_id` of the call that it settles. */
  call_id: string;
  /** The tool's name, as in the call. */
  name: string;
  /** The outcome of the call; a provider is told at most whether that was `ok`. */
  status: CallStatus;
  /** All that the model gets of it, error and exit code included; may be empty. */
  output: Output;
}

/** A value that a tool gave; only in what a call gave. */
export interface JsonPart extends PartBase {
  /** Tells a value from the other parts. */
  type: "json";
  /** Any JSON value; odd numbers are `ExactNumber`s. */
  value: unknown;
}

/** An image or a file: inline (`data`, base64) or by `path`, always with its hash and its size. */
export interface AttachmentPart extends PartBase {
  /** `image` for what is to be looked at, `file` for all else. */
  type: "image" | "file";
  /** Such as `image/png`. */
  media_type: string;
  /** Base64 of the whole content; absent where only its place is kept. */
  data?: string;
  /** The path of the original content, which may be gone; absent where only `data` is kept. */
  path?: string;
  /** Lower-case hex, or empty where the source has only a reference. */
  sha256: string;
  /** Size of the decoded content. */
  bytes: number;
}

/** One piece of a message's content. */
export type Part = TextPart | ReasoningPart | ToolCallPart | ToolResultPart | AttachmentPart;

/** One piece of what a call gave. */
export type OutputPart = TextPart | JsonPart | AttachmentPart;

/** The output of a call: a text, or a list of parts. */
export type Output = string | OutputPart[];

/** The speaker of a message. */
export type Role = "system" | "user" | "assistant" | "tool";

/** A text, or a list of parts. */
export type Content = string | Part[];

/** One message of a conversation. */
export interface Message {
  /** Says who speaks; `tool` is for messages of results alone. */
  role: Role;
  /** A plain text where it is nothing but one text, else its parts in order. */
  content: Content;
  /** Data that goes back to the same provider with the message; absent where it gave nothing. */
  provider_data?: unknown;
}

/**
 * Returns the text of a content: its text parts joined by an empty line.
 *
 * @param content A text or parts, as `contentFor` gives them for one audience.
 * @returns The text, which may be empty.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { contentText } from "@reprise/reprise";
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
