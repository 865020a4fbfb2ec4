/**
 * The searchable texts of an event, word for word as in the log. Names of tools are left out, or
 * each call would be a hit. Pure.
 */
import { ExactNumber } from "../event/exact_number.ts";
import type { KnownEvent, LogEvent } from "../event/envelope.ts";
import { isFor } from "../event/audience.ts";
import type { Content, Output } from "../event/message.ts";
import type { DiffLine, EventKind } from "../event/payload.ts";
import {
  type AttachedText,
  attachedTexts,
  replacingTexts,
} from "../projection/transcript/attached_texts.ts";
import { isUnseen } from "../projection/unseen_message.ts";

/** The speakers by which a search can be narrowed. */
export const SEARCH_ROLES = ["user", "assistant", "reasoning", "tool", "context"] as const;

/** One of {@linkcode SEARCH_ROLES}. */
export type SearchRole = typeof SEARCH_ROLES[number];

/** What one role has in one event. A term matches within a piece, never over the border of two. */
export interface SearchableText {
  role: SearchRole;
  pieces: readonly string[];
}

/**
 * Kinds of events that have texts to search. Of a compaction that is its summary, and the messages
 * only where there is none.
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
]);

/** The texts of an event, one a role. */
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
      // The command of a declared call stands in its response.
      if (event.payload.audience === "model" || event.payload.origin === undefined) return;
      tool(event.payload.summary);
      return tool(event.payload.command);
    case "bash_end":
      // The command stands at its start.
      return addOutcome(event.payload, tool);
    case "diff":
      tool(event.payload.path);
      return tool(changedText(event.payload.lines));
    default:
  }
}

/** Without what only the model got, which is made of the same, and wrapped. */
function addOutcome(
  { output, error }: { output?: Output; error?: string },
  tool: (text: string | undefined) => void,
): void {
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

/** Without the hunks' numbers, which are counted anew for some agents. */
function changedText(lines: readonly DiffLine[]): string {
  return lines.filter(({ kind }) => kind !== "hunk").map(({ content }) => content).join("\n");
}

function addAttached(texts: readonly AttachedText[], add: Add): void {
  for (const { content } of texts) addContent("context", content, add);
}

function addContent(role: SearchRole, content: Content, add: Add): void {
  if (typeof content === "string") return add(role, content);
  for (const part of content) {
    // Not joined where texts continue each other: a piece stands in the log word for word.
    if (!isFor(part, "user")) continue;
    if (part.type === "text") add(role, part.text);
    else if (part.type === "reasoning") add("reasoning", part.text);
    else if (part.type === "tool_call") addLeaves(part.input, (text) => add("tool", text));
    else if (part.type === "tool_result") addOutput(part.output, (text) => add("tool", text));
    else add(role, part.path);
  }
}

/** The texts in a value: not its keys, and no numbers, which are written in many ways. */
function addLeaves(value: unknown, add: (text: string) => void): void {
  if (typeof value === "string") add(value);
  else if (typeof value === "object" && value !== null && !(value instanceof ExactNumber)) {
    for (const item of Object.values(value)) addLeaves(item, add);
  }
}
