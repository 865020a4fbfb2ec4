/**
 * Converts a transcript item to a text by which items are compared. Ignores numbers, ids, times and
 * models. Pure.
 */
import {
  type Content,
  contentText,
  type Output,
  type OutputPart,
  type Part,
} from "../event/message.ts";
import type { TranscriptItem } from "./transcript/item.ts";

const NOT_COMPARED: ReadonlySet<string> = new Set<TranscriptItem["type"]>([
  "session",
  "context",
  "attached",
  "notice",
  "reasoning",
  "closed",
  "extension",
  "replaced",
  "branched",
]);

export function isCompared({ type }: TranscriptItem): boolean {
  return !NOT_COMPARED.has(type);
}

export function itemKey(item: TranscriptItem): string {
  return JSON.stringify([item.type, ...facts(item)]);
}

function facts(item: TranscriptItem): unknown[] {
  switch (item.type) {
    case "message":
      return [item.role, item.interrupted ?? false, contentKey(item.content)];
    case "tool":
      return [item.name, item.input, item.status, outputKey(item.output), item.error];
    case "bash":
      return [item.command, item.status, outputKey(item.output), item.error, item.exit_code];
    case "diff":
      return [item.path, item.lines.map(({ kind, content }) => [kind, content])];
    case "compaction":
      return [item.status, item.summary];
    case "failure":
      return [item.reason, item.message];
    case "unreadable":
      return [item.kind, item.payload];
    default:
      return [];
  }
}

/** Returns a key of a content. A string and a text part with the same text have the same key. */
function contentKey(content: Content): unknown {
  if (typeof content === "string") return content;
  return content.every(({ type }) => type === "text")
    ? contentText(content)
    : content.filter(({ type }) => type !== "reasoning").map(partKey);
}

function outputKey(output: Output | undefined): unknown {
  return output === undefined || typeof output === "string" ? output : output.map(partKey);
}

function partKey(part: Part | OutputPart): unknown {
  switch (part.type) {
    case "tool_call":
      return [part.name, part.input];
    case "tool_result":
      return [part.name, part.status, outputKey(part.output)];
    case "image":
    case "file":
      return [part.media_type, part.sha256 || part.data || part.path];
    case "json":
      return [part.value];
    default:
      return part.text;
  }
}
