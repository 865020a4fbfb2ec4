/**
 * A tool call: what was asked on one line, below it what came back.
 *
 * @module
 */
import type { ToolItem } from "../../projection/transcript_item.ts";
import { sanitizeLine } from "../sanitize.ts";
import { cutText, textWidth } from "../text_width.ts";
import { renderSegments } from "./header.ts";
import { indentRows } from "./indent.ts";
import { outcomeSegments, statusSegment } from "./outcome.ts";
import { renderError, renderOutput } from "./output.ts";
import { renderInput, summarizeInput } from "./tool_input.ts";
import { narrowView, type View } from "./view.ts";

const INDENT = 4;

/** Rows of a tool call. */
export function renderTool(item: ToolItem, view: View): string[] {
  const rows = [renderHeader(item, view)];
  if (view.full) {
    const input = renderInput(item.input, narrowView(view, INDENT));
    rows.push(...indentRows(input, " ".repeat(INDENT)));
  }
  if (item.output !== undefined) rows.push(...renderOutput(item.output, view, { indent: INDENT }));
  if (item.error !== undefined) rows.push(...renderError(item.error, view, INDENT));
  return rows;
}

/** The arguments give way, so that the outcome is always seen. */
function renderHeader(item: ToolItem, view: View): string {
  const mark = view.style.paint("magenta", "→ ");
  const inner = narrowView(view, 2);
  const name = cutText(sanitizeLine(item.name), Math.floor(inner.width / 2));
  const outcome = [statusSegment(item.status), ...outcomeSegments(item)];
  const taken = outcome.reduce((sum, { text }) => sum + 3 + textWidth(text), textWidth(name) + 1);
  const room = inner.width - taken;
  const input = room < 4 ? "" : cutText(summarizeInput(item.input), room);
  const head = view.style.paint("bold", name) + (input === "" ? "" : ` ${input}`);
  const rest = narrowView(inner, textWidth(name) + (input === "" ? 0 : 1 + textWidth(input)) + 3);
  return mark + head + view.style.paint("dim", " · ") + renderSegments(outcome, rest);
}
