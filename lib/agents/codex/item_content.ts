/**
 * Converts the content of Codex's items to parts of an event (codex-rs/protocol/src/models.rs:
 * ContentItem, FunctionCallOutputContentItem).
 */
import { textFor, toContent } from "../../core/event/audience.ts";
import { attachmentFromUrl } from "../../core/event/attachment.ts";
import type { Content, OutputPart, Part } from "../../core/event/message.ts";
import { asList, asObject, asText } from "../engine/json.ts";

function toPart(value: unknown): Part | undefined {
  const { type, text, image_url, audio_url } = asObject(value);
  if (typeof text === "string") return { type: "text", text };
  if (type === "input_image" && typeof image_url === "string") return attachmentFromUrl(image_url);
  if (type === "input_audio" && typeof audio_url === "string") return attachmentFromUrl(audio_url);
  return undefined;
}

export function toParts(content: unknown): Part[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return asList(content).flatMap((item) => toPart(item) ?? []);
}

/** Returns a message's content. The model gets texts unchanged, and people see `shownOf(text)`. */
export function partsFor(parts: readonly Part[], shownOf: (text: string) => string): Content {
  const both = parts.flatMap((part): Part[] => {
    if (part.type !== "text") return [part];
    const content = textFor(shownOf(part.text), part.text);
    return typeof content === "string" ? [part] : content;
  });
  return toContent(both);
}

/** Joins the texts of a content as Codex does (`content_items_to_text`, compact.rs). */
export function contentTexts(content: unknown): string {
  if (typeof content === "string") return content;
  return asList(content).flatMap((item) => asText(asObject(item).text) || []).join("\n");
}

/** The output of a call. `parts` is undefined for an output without attachments. */
export interface OutputContent {
  text: string;
  parts: OutputPart[] | undefined;
}

/** Parses a call's output: content items or a text. Very old rollouts wrap a text in `content`. */
export function toOutput(output: unknown): OutputContent {
  const wrapped = asObject(output).content;
  if (typeof wrapped === "string") return { text: wrapped, parts: undefined };
  if (typeof output === "string") return { text: output, parts: undefined };
  if (!Array.isArray(output)) {
    return { text: output === undefined ? "" : JSON.stringify(output), parts: undefined };
  }
  const parts = toParts(output).flatMap((part): OutputPart[] =>
    part.type === "text" || part.type === "image" || part.type === "file" ? [part] : []
  );
  const attached = parts.some(({ type }) => type !== "text");
  return { text: contentTexts(output), parts: attached ? parts : undefined };
}

// Tells what people see of messages in the user's place. Some are Codex's own: it tells them by their
// tags and shows none of them (codex-rs/core/src/context/contextual_user_message.rs,
// codex-rs/core/src/event_mapping.rs). A rollback does not count them as turns.

/** Tags of Codex's own texts, in lower case. As in Codex, a text must also have the closing tag. */
const TAGS: readonly (readonly [open: string, close: string])[] = [
  ["# agents.md instructions", "</instructions>"],
  ["<user_instructions>", "</user_instructions>"],
  ["<environment_context>", "</environment_context>"],
  ["<additional_context", ""],
  ["<skill>", "</skill>"],
  ["<user_shell_command>", "</user_shell_command>"],
  ["<turn_aborted>", "</turn_aborted>"],
  ["<subagent_notification>", "</subagent_notification>"],
  ["<goal_context>", "</goal_context>"],
  ["<codex_internal_context", ""],
  ["<recommended_plugins>", "</recommended_plugins>"],
  ["<hook_prompt", "</hook_prompt>"],
];

const OPENED = /^\s*[#<]/;

function isTagged(text: string): boolean {
  if (!OPENED.test(text)) return false;
  const trimmed = text.trim();
  // Long enough for the longest opening and closing tag: not all of a large prompt in lower case.
  const start = trimmed.slice(0, 40).toLowerCase();
  const end = trimmed.slice(-40).toLowerCase();
  return TAGS.some(([open, close]) => start.startsWith(open) && end.endsWith(close));
}

/** True if Codex wrote a message that has the role `user`. */
export function isContextual(content: unknown): boolean {
  if (typeof content === "string") return isTagged(content);
  return asList(content).some((item) => isTagged(asText(asObject(item).text) ?? ""));
}

/** Matches Codex's own messages that people see: results of other agents, and texts of hooks. */
const SHOWN = /^\s*<(?:subagent_notification>|hook_prompt)/i;

export function isShown(text: string): boolean {
  return SHOWN.test(text);
}

/** Matches the message that tells the model about a shell command of the user. */
const USER_COMMAND =
  /^\s*<user_shell_command>\s*<command>\n?([\s\S]*?)\n?<\/command>\s*<result>\s*(?:Exit code: (-?\d+)\s*\n)?(?:Duration: ([\d.]+) seconds\s*\n)?Output:\n?([\s\S]*?)\n?<\/result>\s*<\/user_shell_command>\s*$/;

export interface UserCommand {
  command: string;
  exit_code: number | undefined;
  duration_ns: number | undefined;
  output: string;
}

/** Parses a shell command that the user ran (codex-rs/core/src/context/user_shell_command.rs). */
export function readUserCommand(text: string): UserCommand | undefined {
  const [found, command = "", exit_code, seconds, output = ""] = USER_COMMAND.exec(text) ?? [];
  if (found === undefined) return undefined;
  return {
    command,
    exit_code: exit_code === undefined ? undefined : Number(exit_code),
    duration_ns: seconds === undefined ? undefined : Math.round(Number(seconds) * 1e9),
    output,
  };
}

/**
 * Heading of the user's request (codex-rs/protocol, `USER_MESSAGE_BEGIN`). Before the request,
 * editors describe the open files. Codex's own titles omit the description
 * (`strip_user_message_prefix`).
 */
// Verbatim: Codex.
const REQUEST = "## My request for Codex:";
/** Heading before the request: `# Context from my IDE setup:`, `# Files mentioned by the user:`. */
const PREAMBLE = /^\s*# \S/;
/** Matches a review's findings. They are a prompt for the model, but people saw a review. */
const REVIEW = /^\s*<user_action>[\s\S]*<\/user_action>\s*$/;

/** Returns the part of a prompt that the user wrote. Empty for the findings of a review. */
export function shownPrompt(text: string): string {
  if (REVIEW.test(text)) return "";
  const start = PREAMBLE.test(text) ? text.indexOf(`\n${REQUEST}`) : -1;
  const request = start < 0 ? "" : text.slice(start + 1 + REQUEST.length).trim();
  return request === "" ? text : request;
}
