/**
 * A shell command, as it would stand in a terminal, and how it ended.
 *
 * @module
 */
import type { BashItem } from "../../projection/transcript/transcript_item.ts";
import { outputText } from "../output_text.ts";
import { renderSegments, type Segment } from "./header.ts";
import { outcomeSegments, statusSegment } from "./outcome.ts";
import { renderError, renderOutput } from "./output.ts";
import { renderProse } from "./prose.ts";
import { narrowView, type View } from "./view.ts";

const INDENT = 4;
const COMMAND = { format: "bold", limits: { head: 8, tail: 2 } } as const;
const SUMMARY = { format: "dim", limits: { head: 4, tail: 0 } } as const;

/** Rows of a command. */
export function renderBash(item: BashItem, view: View): string[] {
  const inner = narrowView(view, 2);
  const summary = renderProse(item.summary ?? "", inner, SUMMARY);
  return [
    ...summary.map((row) => view.style.paint("dim", "# ") + row),
    ...renderCommand(item.command, view),
    ...renderOutput(outputText(item.output), view, { indent: INDENT }),
    ...renderError(item.error ?? "", view, INDENT),
    `  ${renderSegments(endSegments(item), inner)}`,
  ];
}

function renderCommand(command: string, view: View): string[] {
  const rows = renderProse(command, narrowView(view, 2), COMMAND);
  const mark = view.style.paint("magenta", "$ ");
  if (rows.length === 0) return [mark.trimEnd()];
  return rows.map((row, index) => (index === 0 ? mark : "  ") + row);
}

function endSegments(item: BashItem): Segment[] {
  const segments: Segment[] = [];
  // An exit code says by itself whether all went well.
  const is_told = item.exit_code !== undefined && (item.status === "ok" || item.status === "error");
  if (!is_told) segments.push(statusSegment(item.status));
  if (item.exit_code !== undefined) {
    segments.push({
      text: `exit ${item.exit_code}`,
      format: item.exit_code === 0 ? "green" : "red",
    });
  }
  segments.push(...outcomeSegments(item));
  if (item.origin === "user") segments.push({ text: "run by the user", format: "dim" });
  return segments;
}
