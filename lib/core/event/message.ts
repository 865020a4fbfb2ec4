/**
 * A message as a model gets it, and the parts it is made of.
 *
 * @module
 */

/** The receiver of a part: the user sees it on the screen, or the model gets it in its messages. */
export type Audience = "user" | "model";

/** The fields that every part may have. */
export interface PartBase {
  /** The only audience of the part. Absent if both user and model get it. */
  audience?: Audience;
  /** Data that the provider gave and gets back unchanged. Absent if it gave none. */
  provider_data?: unknown;
}

/** A text, for example what a user or a model said. */
export interface TextPart extends PartBase {
  /** Discriminant of the unions `Part` and `OutputPart`: a text. */
  type: "text";
  /** The text itself. May be empty. */
  text: string;
  /** True if the text continues the previous part without a break. @default {false} */
  continues?: boolean;
  /** Name of an attached text, for people: its file's path or its type. Not sent to the model. */
  name?: string;
}

/** A model's reasoning. `provider_data` (a signature, encrypted content) goes back unchanged. */
export interface ReasoningPart extends PartBase {
  /**
   * Discriminant of the union `Part`: reasoning, which only a message can contain, not an output.
   */
  type: "reasoning";
  /** The part of the reasoning that the provider shows. Empty if it hides everything. */
  text: string;
}

/** A call that the model made in an answer. A {@linkcode ToolResultPart} has the result. */
export interface ToolCallPart extends PartBase {
  /** Discriminant of the union `Part`: a call, which a later `tool_result` part settles. */
  type: "tool_call";
  /** Id that the provider gave the call and its result. It may occur again later in the session. */
  call_id: string;
  /** Name of the tool, as the model knows it. `bash` for a shell command. */
  name: string;
  /** Parsed arguments, mostly an object. Numbers that JavaScript alters are `ExactNumber`s. */
  input: unknown;
  /** The JSON text of `input` as the model wrote it. Absent if `JSON.stringify` gives it. */
  input_text?: string;
  /** The line by which the agent showed the call to the user. Not sent to the model. */
  caption?: string;
}

/** The outcome of a started call. */
export type CallStatus = "ok" | "error" | "interrupted" | "skipped";

/** The result of a call. `call_id` names the call. */
export interface ToolResultPart extends PartBase {
  /** Discriminant of the union `Part`: the result of an earlier `tool_call` part. */
  type: "tool_result";
  /** The `call_id` of the call that this result settles. */
  call_id: string;
  /** The tool's name, as in the call. */
  name: string;
  /** The outcome of the call. A provider learns at most if it was `ok`. */
  status: CallStatus;
  /**
   * Everything that the model gets as result of the call, with error and exit code. May be empty.
   */
  output: Output;
}

/** A JSON value in the output of a tool. Messages have no such part. */
export interface JsonPart extends PartBase {
  /** Discriminant of the union `OutputPart`: a JSON value, which only outputs can contain. */
  type: "json";
  /** Any JSON value. A number that JavaScript would change is an `ExactNumber`. */
  value: unknown;
}

/** An image or a file, with hash and size. Its content is `data` (in base64) or at `path`. */
export interface AttachmentPart extends PartBase {
  /** `image` for a picture to look at, `file` for everything else. */
  type: "image" | "file";
  /** Media type of the content, such as `image/png`. */
  media_type: string;
  /** The whole content in base64. Absent if only the path is kept. */
  data?: string;
  /** Path of the original content, which may be gone. Absent if only `data` is kept. */
  path?: string;
  /** SHA-256 of the content in lower-case hexadecimal. Empty if the source had only a reference. */
  sha256: string;
  /** Size of the decoded content in bytes. */
  bytes: number;
}

/** One piece of a message's content. */
export type Part = TextPart | ReasoningPart | ToolCallPart | ToolResultPart | AttachmentPart;

/** One piece of the output of a call. */
export type OutputPart = TextPart | JsonPart | AttachmentPart;

/** The output of a call: a text, or a list of parts. */
export type Output = string | OutputPart[];

/** The role of a message's author. `tool` is for messages that have only results. */
export type Role = "system" | "user" | "assistant" | "tool";

/** The content of a message. A string is short for a single text part without other fields. */
export type Content = string | Part[];

/**
 * A message in the form that all agents and providers share. `toMessages` converts messages to the
 * form of a provider.
 */
export interface Message {
  /** The speaker. `tool` is for messages that have only results. */
  role: Role;
  /** A string if the content is a single text, else its parts in order. */
  content: Content;
  /** Provider data that goes back unchanged with the message. Absent if there is none. */
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
