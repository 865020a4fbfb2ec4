/**
 * Calls, commands and diffs in Markdown.
 *
 * @module
 */
import { statusText } from "../status_text.ts";
import type { Output } from "../../event/message.ts";
import type { BashItem, DiffItem, ToolItem } from "../../projection/transcript/transcript_item.ts";
import { formatDuration } from "../duration.ts";
import { inputText, summarizeInput } from "../input_summary.ts";
import { outputText } from "../output_text.ts";
import { codeSpan, fence, plainText } from "./fence.ts";

const MARKS: Record<DiffItem["lines"][number]["kind"], string> = {
  context: " ",
  added: "+",
  removed: "-",
  hunk: "",
};

/** A tool call with what it gave. */
export function toolMarkdown(item: ToolItem, full: boolean): string {
  const input = summarizeInput(item.input);
  const head = `**${plainText(item.name)}** ${codeSpan(inputText(input))}`;
  const whole = full && !input.is_whole
    ? fence(JSON.stringify(item.input, undefined, 2), "json")
    : "";
  return `${head.trim()} — ${outcomeText(item)}\n\n${blocks(whole, item.output, item.error)}`;
}

/** A command with what it printed. */
export function bashMarkdown(item: BashItem): string {
  const exit = item.exit_code === undefined ? "" : `, exit code ${item.exit_code}`;
  const who = item.origin === "user" ? "**bash** (run by the user)" : "**bash**";
  const what = item.summary === undefined ? "" : ` ${plainText(item.summary)}`;
  const head = `${who}${what} — ${outcomeText(item)}${exit}\n\n`;
  return head + blocks(fence(item.command, "sh"), item.output, item.error);
}

/** The lines of a change; only its path where they are left out. */
export function diffMarkdown({ path, lines }: DiffItem): string {
  const head = `**diff** ${codeSpan(path ?? "")}`.trim();
  if (lines.length === 0) return `${head}\n`;
  const text = lines.map(({ kind, content }) => MARKS[kind] + content).join("\n");
  return `${head}\n\n${fence(text, "diff")}`;
}

function outcomeText({ status, duration_ns, truncated, orphan }: ToolItem | BashItem): string {
  const words: string[] = [statusText(status)];
  if (duration_ns !== undefined) words.push(formatDuration(duration_ns));
  if (truncated) words.push("output truncated");
  if (orphan) words.push("settled without a start");
  return words.join(", ");
}

function blocks(first: string, output: Output | undefined, error: string | undefined): string {
  const parts = [first];
  const text = outputText(output);
  if (text !== "") parts.push(fence(text));
  if (error !== undefined && error !== "") parts.push(`Error:\n\n${fence(error)}`);
  return parts.filter((part) => part !== "").join("\n");
}
