/** Makes blocks of tool calls and shell commands, of their outputs and of their outcome. */
import { present } from "../../../core/event/present.ts";
import type { Output } from "../../../core/event/message.ts";
import type { BashItem, ItemStatus, ToolItem } from "../../../core/projection/transcript/item.ts";
import { type FoldLimits, FOLDS } from "../fold.ts";
import { inputPath, summarizeInput } from "../input_summary.ts";
import { languageOf } from "../path_text.ts";
import { formatDuration } from "../time_label.ts";
import type {
  Block,
  BlockBase,
  CallBlock,
  CodeBlock,
  CommandBlock,
  Ink,
  ProseBlock,
  Word,
} from "./block.ts";
import type { BlockContext } from "./reminders.ts";
import { isObject } from "../../../core/event/guard.ts";
import { toolVerb } from "./known_tools.ts";
import { spokenArguments } from "./spoken_arguments.ts";
import { splitReminders } from "../../../core/projection/reminder_pieces.ts";

export function callBlock(item: ToolItem, base: BlockBase, context: BlockContext): CallBlock {
  const { input } = item;
  const inner = { seq: base.seq };
  const brief = context.tools === "brief";
  const { blocks, rest } = brief
    ? { blocks: [], rest: input }
    : spokenArguments(item.name, input, inner);
  const call: CallBlock = {
    type: "call",
    ...base,
    name: item.name,
    summary: summarizeInput(questionIn(input) ?? rest, context.cwd),
    outcome: outcomeWords(item),
    content: [],
  };
  if (brief) return call;
  // Another tool answers in words, whatever the file.
  const language = toolVerb(item.name) === "Read" ? languageOf(inputPath(input)) : undefined;
  return present({
    ...call,
    input: rest,
    content: [
      ...captionBlock(item, inner),
      ...blocks,
      ...outputBlocks(item.output, inner, context, language),
      ...errorBlock("Error", item.error, inner),
    ],
  });
}

function questionIn(input: unknown): { query: string } | undefined {
  const questions = isObject(input) ? input["questions"] : undefined;
  const first = Array.isArray(questions) ? questions[0] : undefined;
  return isObject(first) && typeof first["question"] === "string"
    ? { query: first["question"] }
    : undefined;
}

const RUN_BY_USER: Word = { text: "run by the user", ink: "quiet" };

export function commandBlock(item: BashItem, base: BlockBase, context: BlockContext): CommandBlock {
  const { command, summary = "", origin } = item;
  const words = outcomeWords(item);
  const inner = { seq: base.seq };
  return present({
    type: "command" as const,
    ...base,
    command,
    purpose: summary.trim() || undefined,
    outcome: origin === "user" ? [...words, RUN_BY_USER] : words,
    is_brief: context.tools === "brief" ? true as const : undefined,
    content: context.tools === "brief" ? [] : [
      ...captionBlock(item, inner),
      ...outputBlocks(item.output, inner, context, undefined, FOLDS.printed),
      ...errorBlock("Error output", item.error, inner),
    ],
  });
}

/** Returns the last text with which the agent captioned a call. Empty if there is none. */
function captionBlock({ captions }: ToolItem | BashItem, base: BlockBase): ProseBlock[] {
  const text = captions?.at(-1);
  return text === undefined
    ? []
    : [{ type: "prose", ...base, text, markup: "markdown", is_quiet: true }];
}

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

/** Returns a code block with the data as JSON. Returns an empty list if there is no data. */
export function dataBlock(label: string, data: unknown, base: BlockBase): CodeBlock[] {
  const json: string | undefined = JSON.stringify(data, undefined, 2);
  if (json === undefined) return [];
  return [{ ...codeBlock(label, json, base, FOLDS.data), language: "json" }];
}

function errorBlock(label: string, text = "", base: BlockBase): CodeBlock[] {
  return isBlank(text) ? [] : [{ ...codeBlock(label, text, base, FOLDS.error), ink: "fail" }];
}

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

interface Outcome {
  status: ItemStatus;
  exit_code?: number;
  duration_ns?: number;
  truncated?: boolean;
  orphan?: boolean;
}

const STATUS: Readonly<Record<ItemStatus, readonly [text: string, ink: Ink]>> = {
  ok: ["ok", "ok"],
  error: ["failed", "fail"],
  interrupted: ["interrupted", "warn"],
  skipped: ["skipped", "warn"],
  unsettled: ["did not finish", "warn"],
  not_run: ["was not run", "warn"],
};

/** Returns the word of a status, or an unknown status as it is. */
export function statusWord(status: ItemStatus): Word {
  if (!Object.hasOwn(STATUS, status)) return { text: String(status) };
  const [text, ink] = STATUS[status];
  return { text, ink };
}

function outcomeWords(outcome: Outcome): Word[] {
  const { status, exit_code, duration_ns, truncated, orphan } = outcome;
  const words = [statusWord(status)];
  if (exit_code !== undefined) words.push({ text: `exit ${exit_code}` });
  if (duration_ns !== undefined) words.push({ text: formatDuration(duration_ns), ink: "quiet" });
  if (truncated) words.push({ text: "output truncated", ink: "warn" });
  if (orphan) words.push({ text: "the start of this call was not recorded", ink: "warn" });
  return words;
}
