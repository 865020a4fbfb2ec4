/**
 * Finds what an agent attached to a prompt for the model only: mentioned files, selections,
 * reminders. Pure.
 */
import { stripVTControlCharacters } from "node:util";
import { contentFor, isFor } from "../../event/audience.ts";
import {
  type AttachmentPart,
  type Content,
  contentText,
  type Message,
  type Part,
  type TextPart,
} from "../../event/message.ts";
import type { UserMessagePayload } from "../../event/payload.ts";
import { toParts } from "../said_parts.ts";

/** A text or a file that only the model got, with its name. */
export interface AttachedText {
  /** The path of the file, or a short description of the text. */
  name: string;
  content: Content;
}

type Hidden = TextPart | AttachmentPart;

/**
 * Returns the attachments of a message: the parts that only the model gets. Leaves out three kinds:
 * - unnamed texts if other parts have names, because an unnamed text only introduces other parts
 * - texts with an empty name, because other events show these texts
 * - texts that repeat the text that the user saw, if no part has a name
 */
export function attachedTexts(message: UserMessagePayload): AttachedText[] {
  const hidden = hiddenParts(message);
  if (hidden.length === 0) return [];
  const named = hidden.filter((part) => part.type !== "text" || part.name !== undefined);
  const seen = message.role === undefined ? contentText(contentFor(message.content, "user")) : "";
  const own = named.length > 0
    ? named.filter((part) => part.type !== "text" || part.name !== "")
    : hidden.filter((part) => !repeats(part, seen));
  return own.map(toAttached);
}

/** Joins the messages with which a compaction replaced older ones. Empty if `summary` is given. */
export function replacingTexts(
  { messages = [], summary }: { messages?: Message[]; summary?: string },
): AttachedText[] {
  if (summary !== undefined) return [];
  const texts = messages.map(({ content }) => contentText(content)).filter((text) => text !== "");
  const name = "messages that replace the earlier conversation in the model's context";
  return texts.length === 0 ? [] : [{ name, content: texts.join("\n\n") }];
}

function hiddenParts({ content, role }: UserMessagePayload): Hidden[] {
  return toParts(content).filter((part): part is Hidden =>
    (part.type === "text" || part.type === "image" || part.type === "file") &&
    // The user saw no part of a message that was sent in the system's name.
    isFor(part, "model") && (role !== undefined || !isFor(part, "user"))
  );
}

function toAttached(part: Hidden): AttachedText {
  const name = hiddenName(part);
  if (part.type === "text") return { name, content: part.text };
  const { audience: _, ...own } = part;
  return { name, content: [own] };
}

export function hiddenName(part: Part): string {
  if (part.type === "text") return part.name ?? nameOf(part.text);
  return "path" in part && part.path !== undefined ? part.path : part.type;
}

const TAG = /<\/?[A-Za-z][^<>]*>/g;
const FIRST_TAG = /^\s*<([A-Za-z][\w:.-]*)/;
const LONGEST_NAME = 60;

export function nameOf(text: string): string {
  const [, tag] = FIRST_TAG.exec(text) ?? [];
  if (tag !== undefined) return tag.replaceAll(/[-_]/g, " ");
  const line = /\S.*/.exec(text)?.[0] ?? "";
  return line.replace(/^#+ /, "").slice(0, LONGEST_NAME).toWellFormed().trim();
}

/** Maximum number of characters that tags and a command's name add to a text that the user saw. */
const WRAPPING = 400;

function repeats(part: Hidden, seen: string): boolean {
  if (part.type !== "text" || part.text.length > 2 * seen.length + WRAPPING) return false;
  const lines = stripVTControlCharacters(part.text).replaceAll(TAG, "\n").split("\n");
  return lines.every((line) => seen.includes(line.trim()));
}
