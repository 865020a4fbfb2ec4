/**
 * Renders a compaction: a rule across the page.
 *
 * @module
 */
import type { CompactionItem } from "../../projection/transcript/transcript_item.ts";
import { sanitizeText } from "../sanitize.ts";
import { textWidth } from "../text_width.ts";
import { formatTokens } from "../token_count.ts";
import { renderSegments, type Segment } from "./header.ts";
import { indentRows } from "./indent.ts";
import { renderProse } from "./prose.ts";
import { narrowView, type View } from "./view.ts";

const STATUS = { limits: { head: 8, tail: 4 } };
const SUMMARY = { format: "dim", limits: { head: 8, tail: 4 } } as const;
const RULE = 80;

/** Rows of a compaction. A status that does not fit on the rule stands below it. */
export function renderCompaction(item: CompactionItem, view: View): string[] {
  const inner = narrowView(view, 2);
  const status = sanitizeText(item.status.trim());
  const tokens = tokenSegments(item);
  const width = Math.min(view.width, RULE) - 6;
  const taken = tokens.reduce((sum, { text }) => sum + 3 + textWidth(text), textWidth(status));
  const on_rule = status !== "" && !status.includes("\n") && taken <= width;
  const title: Segment = { text: on_rule ? status : "conversation compacted", format: "yellow" };
  const below = on_rule ? [] : renderProse(status, inner, STATUS);
  return [
    renderRule([title, ...tokens], view),
    ...indentRows([...below, ...renderProse(item.summary ?? "", inner, SUMMARY)], "  "),
  ];
}

function renderRule(segments: readonly Segment[], view: View): string {
  const width = Math.min(view.width, RULE);
  const shown = renderSegments(segments, { ...view, width: Math.max(1, width - 6) });
  const rest = "─".repeat(Math.max(0, width - 4 - textWidth(shown)));
  return `${view.style.paint("yellow", "──")} ${shown} ${view.style.paint("yellow", rest)}`;
}

function tokenSegments(item: CompactionItem): Segment[] {
  const segments: Segment[] = [];
  const { tokens_before: before, tokens_after: after } = item;
  if (before !== undefined && after !== undefined) {
    segments.push({ text: `${formatTokens(before)} → ${formatTokens(after)} tokens` });
  } else if (before !== undefined) {
    segments.push({ text: `${formatTokens(before)} tokens before` });
  } else if (after !== undefined) segments.push({ text: `${formatTokens(after)} tokens after` });
  if (item.trigger !== undefined) segments.push({ text: item.trigger, format: "dim" });
  return segments;
}
