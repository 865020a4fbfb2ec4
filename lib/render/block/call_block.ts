/** Makes blocks of tool calls and shell commands, and of what they gave. */
import type { Output } from "../../event/message.ts";
import type { BashItem, ToolItem } from "../../projection/transcript/transcript_item.ts";
import { languageOf } from "../code_language.ts";
import type { FoldLimits } from "../fold.ts";
import { inputPath, summarizeInput } from "../input_summary.ts";
import type { Block, BlockBase, CallBlock, CodeBlock, CommandBlock } from "./block.ts";
import type { BlockContext } from "./block_context.ts";
import { FOLDS } from "./folds.ts";
import { outcomeWords } from "./outcome.ts";
import { splitReminders } from "./reminders.ts";
import { spokenArguments } from "./spoken_arguments.ts";

/** The block of a tool call. */
export function callBlock(item: ToolItem, base: BlockBase, context: BlockContext): CallBlock {
  const { input } = item;
  const inner = { seq: base.seq };
  const brief = context.tools === "brief";
  const { blocks, rest } = brief ? { blocks: [], rest: input } : spokenArguments(input, inner);
  const call: CallBlock = {
    type: "call",
    ...base,
    name: item.name,
    summary: summarizeInput(rest, context.cwd),
    outcome: outcomeWords(item),
    content: [],
  };
  if (brief) return call;
  const language = languageOf(inputPath(input));
  return {
    ...call,
    ...(rest === undefined ? {} : { input: rest }),
    content: [
      ...blocks,
      ...outputBlocks(item.output, inner, context, language),
      ...errorBlock("Error", item.error, inner),
    ],
  };
}

/** The block of a shell command. */
export function commandBlock(item: BashItem, base: BlockBase, context: BlockContext): CommandBlock {
  const { command, summary = "", origin } = item;
  const words = outcomeWords(item);
  const inner = { seq: base.seq };
  return {
    type: "command",
    ...base,
    command,
    ...(summary.trim() === "" ? {} : { purpose: summary.trim() }),
    outcome: origin === "user" ? [...words, { text: "run by the user", ink: "quiet" }] : words,
    ...(context.tools === "brief" ? { is_brief: true } : {}),
    content: context.tools === "brief" ? [] : [
      ...outputBlocks(item.output, inner, context, undefined, FOLDS.printed),
      ...errorBlock("Error output", item.error, inner),
    ],
  };
}

/** What a call gave: texts, data, images where they stand, reminders by themselves. */
export function outputBlocks(
  output: Output | undefined,
  base: BlockBase,
  { reminders }: BlockContext,
  language?: string,
  fold: FoldLimits = language === undefined ? FOLDS.output : FOLDS.file,
): Block[] {
  const parts = typeof output === "string" ? [{ type: "text", text: output } as const] : output;
  return (parts ?? []).flatMap((part): Block[] => {
    if (part.type === "json") return dataBlock("Output", part.value, base);
    if (part.type !== "text") return [{ type: "attachment", ...base, part }];
    return splitReminders(part.text).flatMap(({ text, is_reminder }): Block[] => {
      if (is_reminder) return [reminders.block(text, base)];
      return isBlank(text)
        ? []
        : [{ ...codeBlock("Output", text, base, fold), ...(language && { language }) }];
    });
  });
}

/** Data of any form as JSON; nothing where there is none. */
export function dataBlock(label: string, data: unknown, base: BlockBase): CodeBlock[] {
  const json: string | undefined = JSON.stringify(data, undefined, 2);
  if (json === undefined) return [];
  return [{ ...codeBlock(label, json, base, FOLDS.data), language: "json" }];
}

function errorBlock(label: string, text = "", base: BlockBase): CodeBlock[] {
  return isBlank(text) ? [] : [{ ...codeBlock(label, text, base, FOLDS.error), ink: "fail" }];
}

/** A text whose lines are kept. */
export function codeBlock(
  label: string,
  text: string,
  base: BlockBase,
  fold: FoldLimits,
): CodeBlock {
  return { type: "code", ...base, label, text: trimLineEnds(text), fold };
}

function isBlank(text: string): boolean {
  return trimLineEnds(text) === "";
}

// A pattern would take the square of the line feeds that a text ends in.
function trimLineEnds(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === "\n" || text[end - 1] === "\r")) end--;
  return text.slice(0, end);
}
