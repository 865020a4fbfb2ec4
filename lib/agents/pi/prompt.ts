/** Recognizes entries in the user's role, and the entries among them that the user wrote. */
import { asObject, asText, type Json } from "../engine/json.ts";
import type { TreeRecord } from "../engine/tree/tree_format.ts";
import type { TreeNode } from "../engine/tree/steps.ts";
import { takeContent } from "./content.ts";
import { bashText } from "./entry_events.ts";

export interface EntryReader {
  record(node: TreeNode): TreeRecord | undefined;
  /** Returns a message's role from its line's first bytes, or undefined if they lack it. */
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

/** Returns the text of an entry in the user's role, or an empty text for other entries. */
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

/** True if the user wrote the entry. */
export function isOwn(node: TreeNode, reader: EntryReader): boolean {
  return node.type === "message" &&
    asObject(reader.record(node)?.value.message).role === "user";
}

/** Number of entries that are searched for the first prompt. */
export const FIRST_ENTRIES = 24;

/** Returns the user's words in the first prompt, if pi added text in or before the prompt. */
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

/** Returns the user's own words in an entry, or undefined for other entries. */
export function writtenText({ value }: TreeRecord): string | undefined {
  const { role, content } = asObject(value.message);
  if (value.type !== "message" || role !== "user") return undefined;
  const { parts } = takeContent(content);
  const texts = parts.flatMap((part) => part.type === "text" ? [part.text] : []);
  return askedIn(texts.join("\n\n").trim());
}

/** Matches the files that `@file` puts before a prompt (pi 0.73, cli/file-processor.ts). */
const FILES = /^(?:<file name="[^"]*">[\s\S]*?<\/file>\n?)+/;
/** Matches what pi makes of `/skill:name` (pi 0.73, core/agent-session.ts, `parseSkillBlock`). */
const SKILL = /^<skill name="([^"]+)" location="[^"]+">\n[\s\S]*?\n<\/skill>(?:\n\n([\s\S]+))?$/;

/** Returns a prompt without the text that pi added. A skill without words is `/skill:name`. */
function askedIn(text: string): string {
  const [, skill, asked = `/skill:${skill}`] = SKILL.exec(text) ?? [];
  if (skill !== undefined) return asked.trim();
  return text.replace(FILES, "").trim() || text;
}
