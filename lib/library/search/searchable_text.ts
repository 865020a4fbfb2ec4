/**
 * Returns the searchable texts of an event, verbatim as in the log. Tool names are left out,
 * because each call would match. Pure.
 */
import { ExactNumber } from "../../core/event/exact_number.ts";
import type { KnownEvent, LogEvent } from "../../core/event/envelope.ts";
import { isFor } from "../../core/event/audience.ts";
import type { Content, Output } from "../../core/event/message.ts";
import type { DiffLine, EventKind } from "../../core/event/payload.ts";
import {
  type AttachedText,
  attachedTexts,
  replacingTexts,
} from "../../core/projection/transcript/attached_texts.ts";
import { isUnseen } from "../../core/projection/unseen_message.ts";

/** The speakers by which a search can be narrowed. */
export const SEARCH_ROLES = ["user", "assistant", "reasoning", "tool", "context"] as const;

/** The speaker of a text: one of {@linkcode SEARCH_ROLES}. */
export type SearchRole = typeof SEARCH_ROLES[number];

/** The texts of one role in one event. A term matches within one piece, never across two. */
interface SearchableText {
  role: SearchRole;
  pieces: readonly string[];
}

/**
 * Kinds of events with searchable texts. A compaction has its summary, or its messages if there is
 * none.
 */
export const SEARCHED_KINDS: ReadonlySet<EventKind> = new Set([
  "user_message",
  "assistant_message",
  "assistant_interrupted",
  "reasoning_message",
  "tool_end",
  "bash_start",
  "bash_end",
  "diff",
  "compaction_applied",
  "notice",
  "turn_failed",
  "session_renamed",
]);

export function searchableTexts(event: LogEvent): SearchableText[] {
  if (event.form !== "known") return [];
  const found = new Map<SearchRole, string[]>();
  const add = (role: SearchRole, text: string | undefined): void => {
    if (text === undefined || text === "") return;
    const pieces = found.get(role);
    if (pieces === undefined) found.set(role, [text]);
    else pieces.push(text);
  };
  addTexts(event, add);
  return [...found].map(([role, pieces]) => ({ role, pieces }));
}

type Add = (role: SearchRole, text: string | undefined) => void;

function addTexts(event: KnownEvent, add: Add): void {
  const tool = (text: string | undefined): void => add("tool", text);
  switch (event.kind) {
    case "user_message":
      if (!isUnseen(event.payload)) addContent("user", event.payload.content, add);
      return addAttached(attachedTexts(event.payload), add);
    case "compaction_applied":
      add("context", event.payload.summary);
      return addAttached(replacingTexts(event.payload), add);
    case "notice":
      return add("context", event.payload.text);
    case "turn_failed":
      return add("context", event.payload.message);
    case "session_renamed":
      return add("context", event.payload.title);
    case "assistant_message":
    case "assistant_interrupted":
      return addContent("assistant", event.payload.content, add);
    case "reasoning_message":
      if (event.payload.audience === "model") return;
      return add("reasoning", event.payload.content);
    case "tool_end":
      addLeaves(event.payload.input, tool);
      return addOutcome(event.payload, tool);
    case "bash_start":
      // The command of a declared call is in its response.
      if (event.payload.audience === "model" || event.payload.origin === undefined) return;
      tool(event.payload.summary);
      return tool(event.payload.command);
    case "bash_end":
      // `bash_start` has the command.
      return addOutcome(event.payload, tool);
    case "diff":
      tool(event.payload.path);
      return tool(changedText(event.payload.lines));
    default:
  }
}

/** Adds the texts of a call's outcome. Omits the model's version, which only wraps these texts. */
function addOutcome(
  { output, error, caption }: { output?: Output; error?: string; caption?: string },
  tool: (text: string | undefined) => void,
): void {
  tool(caption);
  if (output !== undefined) addOutput(output, tool);
  tool(error);
}

function addOutput(output: Output, tool: (text: string | undefined) => void): void {
  if (typeof output === "string") return tool(output);
  for (const part of output) {
    if (!isFor(part, "user")) continue;
    if (part.type === "text") tool(part.text);
    else if (part.type === "json") addLeaves(part.value, tool);
    else tool(part.path);
  }
}

/** Returns changed lines without hunk headers, because some agents change the numbers in them. */
function changedText(lines: readonly DiffLine[]): string {
  return lines.filter(({ kind }) => kind !== "hunk").map(({ content }) => content).join("\n");
}

function addAttached(texts: readonly AttachedText[], add: Add): void {
  for (const { content } of texts) addContent("context", content, add);
}

function addContent(role: SearchRole, content: Content, add: Add): void {
  if (typeof content === "string") return add(role, content);
  for (const part of content) {
    // Texts that continue each other stay apart, so that a piece equals the log verbatim.
    if (!isFor(part, "user")) continue;
    if (part.type === "text") add(role, part.text);
    else if (part.type === "reasoning") add("reasoning", part.text);
    else if (part.type === "tool_call") {
      add("tool", part.caption);
      addLeaves(part.input, (text) => add("tool", text));
    } else if (part.type === "tool_result") addOutput(part.output, (text) => add("tool", text));
    else add(role, part.path);
  }
}

/** Adds the texts in a value, without keys and numbers, because numbers have several spellings. */
function addLeaves(value: unknown, add: (text: string) => void): void {
  if (typeof value === "string") add(value);
  else if (typeof value === "object" && value !== null && !(value instanceof ExactNumber)) {
    for (const item of Object.values(value)) addLeaves(item, add);
  }
}
