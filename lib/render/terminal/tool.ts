/**
 * A tool call: what was asked on one line, below it what came back.
 *
 * @module
 */
import type { ToolItem } from "../../projection/transcript/transcript_item.ts";
import { summarizeInput } from "../input_summary.ts";
import { outputText } from "../output_text.ts";
import { sanitizeLine } from "../sanitize.ts";
import { cutText, textWidth } from "../text_width.ts";
import { renderSegments, SEPARATOR, SEPARATOR_WIDTH } from "./header.ts";
import { indentRows } from "./indent.ts";
import { outcomeSegments, statusSegment } from "./outcome.ts";
import { renderError, renderOutput } from "./output.ts";
import { renderInput } from "./tool_input.ts";
import { narrowView, type View } from "./view.ts";

const INDENT = 4;
const LEAST_INPUT = 16;
const LEAST_NAME = 8;

/** Rows of a tool call. */
export function renderTool(item: ToolItem, view: View): string[] {
  const inner = narrowView(view, 2);
  const outcome = [statusSegment(item.status), ...outcomeSegments(item)];
  const taken = outcome.reduce((sum, { text }) => sum + SEPARATOR_WIDTH + textWidth(text), 0);
  // Name and arguments give way, so that the outcome is always seen.
  const room = inner.width - taken;
  const input = summarizeInput(item.input);
  const least = Math.min(textWidth(input.text) + 1, LEAST_INPUT);
  const name = cutText(sanitizeLine(item.name), Math.max(LEAST_NAME, room - least));
  const shown = cutText(input.text, room - textWidth(name) - 1);
  const is_whole = input.is_whole && shown === input.text;
  const head = view.style.paint("bold", name) + (shown === "" ? "" : ` ${shown}`);
  const tail = renderSegments(outcome, narrowView(inner, textWidth(head) + SEPARATOR_WIDTH));
  const result = [
    ...renderOutput(outputText(item.output), view, { indent: INDENT }),
    ...renderError(item.error ?? "", view, INDENT),
  ];
  const rows = view.full && !is_whole ? renderArguments(item.input, view) : [];
  const gap = rows.length > 0 && result.length > 0 ? [""] : [];
  const mark = view.style.paint("magenta", "→ ");
  return [mark + head + view.style.paint("dim", SEPARATOR) + tail, ...rows, ...gap, ...result];
}

function renderArguments(input: unknown, view: View): string[] {
  return indentRows(renderInput(input, narrowView(view, INDENT)), " ".repeat(INDENT));
}
