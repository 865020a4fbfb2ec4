/** Converts blocks to plain text for copying, and names their events. */
import type { AttachmentPart } from "../../../core/event/message.ts";
import { isObject } from "../../../core/event/guard.ts";
import { formatBytes } from "../byte_size.ts";
import { inputText } from "../input_summary.ts";
import { sanitizeLine } from "../sanitize.ts";
import { counted } from "../../../core/event/counted.ts";
import type { AttachedBlock, Block, BlockBase, DiffBlock, Word } from "./block.ts";

const SIGNS = { context: " ", added: "+", removed: "-", hunk: "" } as const;

/** Returns a block's text, not sanitized yet. */
export function blockText(block: Block): string {
  switch (block.type) {
    case "head":
      return lines([block.title, ...block.facts.map(({ name, value }) => `${name}: ${value}`)]);
    case "prose":
    case "thinking":
    case "reminder":
    case "code":
      return block.text;
    case "message":
      return block.content.map(blockText).filter(hasText).join("\n\n");
    case "call":
      return lines([
        `${block.name} ${inputText(block.summary)}`.trim(),
        contentText(block.content),
      ]);
    case "command":
      return lines([block.command, contentText(block.content)]);
    case "diff":
      return lines([block.path ?? "", diffText(block)]);
    case "attachment":
      return attachmentText(block.part);
    case "attached":
      return lines([attachedLine(block), contentText(block.content)]);
    case "notice": {
      const { title, detail } = block;
      const line = [{ text: detail === undefined ? title : `${title}: ${detail}` }, ...block.words];
      return lines([wordsText(line), contentText(block.content)]);
    }
    case "turn":
      return wordsText(block.words);
  }
}

/** Returns the command or code of a block. Empty if it has neither. */
export function blockCode(block: Block): string {
  switch (block.type) {
    case "command":
      return block.command;
    case "code":
      return block.text;
    case "diff":
      return block.lines.filter(({ kind }) => kind === "added" || kind === "context")
        .map(({ content }) => content).join("\n");
    case "prose":
      return [...block.text.matchAll(FENCED)].map(([, , code = ""]) => code.trimEnd())
        .join("\n\n");
    case "call":
    case "message":
    case "attached":
    case "notice": {
      const { command, content, code } = block.type === "call" && isObject(block.input)
        ? block.input
        : {};
      return [command, content, code].find((value) => typeof value === "string") ??
        block.content.map(blockCode).filter(hasText).join("\n\n");
    }
    default:
      return "";
  }
}

/** Matches fenced code in Markdown. An unclosed fence extends to the end of the text. */
const FENCED = /^[ \t]*(`{3,}|~{3,})[^\n]*\n([^]*?)(?:^[ \t]*\1|(?![^]))/gm;

export function diffText({ lines }: DiffBlock): string {
  return lines.map(({ kind, content }) => SIGNS[kind] + content).join("\n");
}

export function wordsText(words: readonly Word[]): string {
  return words.map(({ text }) => text).join(" · ");
}

function contentText(content: readonly Block[]): string {
  return lines(content.map(blockText));
}

function lines(texts: readonly string[]): string {
  return texts.filter(hasText).join("\n");
}

function hasText(text: string): boolean {
  return text !== "";
}

const UUID = /^([0-9a-f]{8})-[0-9a-f]{4}-/;

/** Returns ` #12`, or ` @3f2a91c0` if only the record is known. Empty if neither is. */
export function blockName({ seq, id }: BlockBase): string {
  if (id === undefined) return seq === 0 ? "" : ` #${seq}`;
  return id === "" ? "" : ` @${UUID.exec(id)?.[1] ?? id}`;
}

/** Returns words such as `image`, `image/png`, `12.3 KB`, `shot.png`. */
export function attachmentWords({ type, media_type, bytes, path }: AttachmentPart): string[] {
  const words = [type, media_type, formatBytes(bytes), ...path === undefined ? [] : [path]];
  return words.map(sanitizeLine);
}

/** Returns a text such as `[image image/png 12.3 KB]`. */
export function attachmentText(part: AttachmentPart): string {
  return `[${attachmentWords(part).join(" ")}]`;
}

export function attachedLine({ name, lines }: AttachedBlock): string {
  return lines === 0 ? name : `${name}, ${counted(lines, "line")}`;
}
