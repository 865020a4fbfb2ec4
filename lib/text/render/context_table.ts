/** Renders the model's context, and what was dropped from it, as tables. */
import type { DroppedContext, SessionContext } from "../../core/projection/context.ts";
import type { ContextKind } from "../../core/projection/context_part.ts";
import { counted } from "../../core/event/counted.ts";
import { createStyle } from "./style.ts";
import { renderTable } from "./table.ts";
import { type TimeFormat, timeLabel } from "./time_label.ts";
import { formatTokens } from "./usage_text.ts";

interface ContextTableOptions {
  color: boolean;
  width: number;
  ref: string;
  format_time: TimeFormat;
}

const NAMES: Readonly<Record<ContextKind, string>> = {
  system: "instructions",
  summary: "summary",
  prompt: "prompts",
  attachment: "attached files",
  reminder: "reminders",
  answer: "answers",
  reasoning: "reasoning",
  call: "tool calls",
  result: "tool results",
};

export function shareName(kind: string): string {
  return NAMES[kind as ContextKind] ?? kind;
}

export function renderContext(context: SessionContext, options: ContextTableOptions): string {
  const { messages, tokens, dropped } = context;
  const style = createStyle(options.color);
  const lines = [
    style.paint(
      "bold",
      `The model's context has ${counted(messages, "message")}, about ${
        formatTokens(tokens)
      } tokens`,
    ),
    ...sharesTable(context, options),
  ];
  const recorded = recordedText(context);
  if (recorded !== undefined) lines.push(recorded);
  lines.push("");
  if (dropped.length === 0) lines.push("Nothing was dropped");
  else for (const one of droppedLines(dropped, options)) lines.push(one);
  lines.push("", style.paint("dim", "~ estimated, with 4 characters per token"));
  return lines.join("\n") + "\n";
}

export function recordedText(
  { recorded_tokens, recorded_as, window_tokens }: SessionContext,
): string | undefined {
  if (recorded_tokens === undefined) return undefined;
  const tokens = `${formatTokens(recorded_tokens)} tokens`;
  if (recorded_as === "turn") return `The requests of the last turn used ${tokens} in total`;
  const window = window_tokens === undefined ? "" : ` of ${formatTokens(window_tokens)}`;
  if (recorded_as === "compaction") {
    return `After the last compaction, the conversation had ${tokens}${window}`;
  }
  return `The last request used ${tokens}${window}, ` +
    "including instructions and tools that the session does not record";
}

function sharesTable({ shares }: SessionContext, { color, width }: ContextTableOptions): string[] {
  return renderTable([
    { name: "part", cells: shares.map(({ kind }) => `  ${shareName(kind)}`) },
    { name: "count", cells: shares.map(({ count }) => String(count)), align: "right" },
    {
      name: "tokens",
      cells: shares.map(({ tokens }) => `~${formatTokens(tokens)}`),
      align: "right",
    },
  ], { width, style: createStyle(color), with_names: false });
}

function droppedLines(
  dropped: readonly DroppedContext[],
  { color, width, ref, format_time }: ContextTableOptions,
): string[] {
  const style = createStyle(color);
  const column = (
    name: string,
    cell: (one: DroppedContext) => string,
    align: "left" | "right" = "left",
  ): { name: string; cells: string[]; align: "left" | "right" } => ({
    name,
    cells: dropped.map(cell),
    align,
  });
  const last = dropped.at(-1)?.number ?? 1;
  return [
    style.paint("bold", "Dropped"),
    ...renderTable([
      column("no.", ({ number }) => String(number), "right"),
      column("at", ({ seq }) => `#${seq}`),
      column("time", ({ time }) => time === undefined ? "" : timeLabel(time, format_time)),
      column(
        "by",
        ({ reason, trigger }) => trigger === undefined ? reason : `${reason}, ${trigger}`,
      ),
      column("messages", ({ messages }) => String(messages), "right"),
      column("tokens", ({ tokens }) => `~${formatTokens(tokens)}`, "right"),
      column("recorded", recordedSizes, "right"),
    ], { width, style }),
    "",
    `To print the messages that compaction ${last} dropped: reprise context ${ref} ` +
    `--dropped ${last}`,
    `To print these messages as text for a model: reprise context ${ref} ` +
    `--give ${last}`,
  ];
}

function recordedSizes({ tokens_before, tokens_after }: DroppedContext): string {
  const sizes = [tokens_before, tokens_after].filter((size) => size !== undefined);
  return sizes.map(formatTokens).join(" to ");
}
