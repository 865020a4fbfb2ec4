/** Recognizes entries in the user's role, and the entries among them that the user wrote. */
import { asObject, asText, type Json } from "../engine/json.ts";
import type { TreeRecord } from "../engine/tree/tree_format.ts";
import type { TreeNode } from "../engine/tree/steps.ts";
import { takeContent } from "./content.ts";
import { bashText } from "./entry_events.ts";

export interface EntryReader {
  record(node: TreeNode): TreeRecord | undefined;
  /** Returns a message's role, or undefined if the line's first bytes do not contain it. */
  role(node: TreeNode): string | undefined;
}

const SPOKEN = new Set([
  "user",
  "custom",
  "hookMessage",
  "bashExecution",
  "branchSummary",
  "compactionSummary",
]);

/** Returns the text of an entry that pi sends as the user's. Empty for other entries. */
export function spokenText(node: TreeNode, reader: EntryReader): string {
  if (!["message", "custom_message", "branch_summary"].includes(node.type)) return "";
  const role = reader.role(node);
  if (role !== undefined && !SPOKEN.has(role)) return "";
  const value = reader.record(node)?.value ?? {};
  const message = node.type === "message" ? asObject(value.message) : value;
  if (node.type === "message" && !SPOKEN.has(asText(message.role) ?? "")) return "";
  if (message.role === "bashExecution") return bashSpoken(message);
  const { parts } = takeContent(message.content ?? message.summary);
  return parts.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n\n").trim();
}

function bashSpoken(message: Json): string {
  const command = asText(message.command);
  if (command === undefined || message.excludeFromContext === true) return "";
  return bashText(command, message);
}

export function isOwn(node: TreeNode, reader: EntryReader): boolean {
  return node.type === "message" &&
    asObject(reader.record(node)?.value.message).role === "user";
}

/** Maximum number of entries in which the first prompt is searched. */
export const FIRST_ENTRIES = 24;

/** Returns the user's words in the first prompt. Undefined if pi added no text in or before it. */
export function firstRealPrompt(
  nodes: readonly TreeNode[],
  reader: EntryReader,
): string | undefined {
  let disguised = false;
  for (const node of nodes.slice(0, FIRST_ENTRIES)) {
    const text = spokenText(node, reader);
    if (text === "") continue;
    if (!isOwn(node, reader)) {
      disguised = true;
      continue;
    }
    const asked = askedIn(text);
    return disguised || asked !== text ? asked : undefined;
  }
  return undefined;
}

export function writtenText({ value }: TreeRecord): string | undefined {
  const { role, content } = asObject(value.message);
  if (value.type !== "message" || role !== "user") return undefined;
  const { parts } = takeContent(content);
  const texts = parts.flatMap((part) => part.type === "text" ? [part.text] : []);
  return askedIn(texts.join("\n\n").trim());
}

/** Matches the files that pi puts before a prompt with `@file` (pi 0.73, cli/file-processor.ts). */
const FILES = /^(?:<file name="[^"]*">[\s\S]*?<\/file>\n?)+/;
/** Matches pi's text for `/skill:name` (pi 0.73, core/agent-session.ts, `parseSkillBlock`). */
const SKILL = /^<skill name="([^"]+)" location="[^"]+">\n[\s\S]*?\n<\/skill>(?:\n\n([\s\S]+))?$/;

/** Returns a prompt without the text that pi added. Becomes `/skill:name` if nothing is left. */
function askedIn(text: string): string {
  const [, skill, asked = `/skill:${skill}`] = SKILL.exec(text) ?? [];
  if (skill !== undefined) return asked.trim();
  return text.replace(FILES, "").trim() || text;
}
