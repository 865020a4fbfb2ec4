/** Makes blocks of messages, and of the texts and files that an agent attached to them. */
import { notice } from "./notice_block.ts";
import { present } from "../../../core/event/present.ts";
import { type Content, contentText, type Part } from "../../../core/event/message.ts";
import { toParts } from "../../../core/projection/said_parts.ts";
import type { AttachedItem, MessageItem } from "../../../core/projection/transcript/item.ts";
import { FOLDS } from "../fold.ts";
import { summarizeInput } from "../input_summary.ts";
import { languageOf, relativePath } from "../path_text.ts";
import type {
  AttachedBlock,
  Block,
  BlockBase,
  MessageBlock,
  NoticeBlock,
  ProseBlock,
} from "./block.ts";
import { codeBlock, outputBlocks, statusWord } from "./call_block.ts";
import type { BlockContext } from "./reminders.ts";
import { splitReminders } from "../../../core/projection/reminder_pieces.ts";

/** Returns undefined for an answer without text, such as an answer of only calls. */
export function messageBlock(
  item: MessageItem,
  base: BlockBase,
  context: BlockContext,
): MessageBlock | undefined {
  const { role, time, model } = item;
  // What was cut off says why even where it said nothing else. The mark is the first block's.
  const inner: BlockBase = { seq: base.seq };
  const content = contentBlocks(item.content, role, inner, context);
  if (item.interrupted) content.push(interruption(item, inner));
  if (role === "assistant" && content.length === 0 && base.doubt === undefined) return undefined;
  return present({ type: "message" as const, ...base, role, time, model, content });
}

function interruption({ reason }: MessageItem, base: BlockBase): NoticeBlock {
  return notice(base, { ink: "warn", title: "Interrupted", detail: reason });
}

function contentBlocks(
  content: Content,
  role: MessageItem["role"],
  base: BlockBase,
  context: BlockContext,
): Block[] {
  return toParts(content).flatMap((part) => partBlocks(part, role, base, context));
}

function partBlocks(
  part: Part,
  role: MessageItem["role"],
  base: BlockBase,
  context: BlockContext,
): Block[] {
  switch (part.type) {
    case "text":
      return saidBlocks(part.text, role, base, context);
    case "reasoning":
      return part.text.trim() === ""
        ? []
        : [{ type: "thinking", ...base, text: part.text, fold: FOLDS.thinking }];
    case "tool_call": {
      if (context.tools === "none") return [];
      const { name, input } = part;
      const summary = summarizeInput(input, context.cwd);
      const outcome = [{ text: "called" }];
      const full = context.tools === "brief" ? undefined : input;
      const call = { type: "call" as const, ...base, name, summary, outcome, content: [] };
      return [present({ ...call, input: full })];
    }
    case "tool_result": {
      if (context.tools === "none") return [];
      const content = context.tools === "brief" ? [] : outputBlocks(part.output, base, context);
      return [{
        type: "call",
        ...base,
        name: part.name,
        summary: summarizeInput(undefined),
        outcome: [statusWord(part.status)],
        content,
        is_result: true,
      }];
    }
    default:
      return [{ type: "attachment", ...base, part }];
  }
}

function saidBlocks(
  said: string,
  role: MessageItem["role"],
  base: BlockBase,
  { reminders }: BlockContext,
): Block[] {
  if (role === "assistant") {
    return said.trim() === "" ? [] : [{ type: "prose", ...base, text: said, markup: "markdown" }];
  }
  return splitReminders(said).flatMap(({ text, is_reminder }): Block[] => {
    if (is_reminder) return [reminders.block(text, base)];
    const prose: ProseBlock = { type: "prose", ...base, text, markup: "plain", fold: FOLDS.prompt };
    return text.trim() === "" ? [] : [prose];
  });
}

export function attachedBlock(
  { name, content }: AttachedItem,
  base: BlockBase,
  { cwd }: BlockContext,
): AttachedBlock {
  const language = languageOf(name);
  const inner = { seq: base.seq };
  return {
    type: "attached",
    ...base,
    name: relativePath(name, cwd),
    lines: countLines(contentText(content)),
    content: toParts(content).flatMap((part): Block[] => {
      if (part.type === "image" || part.type === "file") {
        return [{ type: "attachment", ...inner, part }];
      }
      if (part.type !== "text") return [];
      const code = codeBlock("Text", part.text, inner, FOLDS.file);
      return [{ ...code, ...(language && { language }) }];
    }),
  };
}

/** Counts the lines of a text, without lines that hold only a tag. */
function countLines(text: string): number {
  return text.trim().split("\n").filter((line) => !/^<[^<>]*>$/.test(line.trim())).length;
}
