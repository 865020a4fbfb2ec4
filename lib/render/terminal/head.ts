/** The head of a session. */
import type { Fact, HeadBlock } from "../block/block.ts";
import { sanitizeLine } from "../sanitize.ts";
import { timeLabel } from "../time_label.ts";
import { ruleText, wrapCells, wrapWords } from "../wrap.ts";
import type { BlockView } from "./view.ts";

const LABEL_WIDTH = 11;

/** Rows of the head: the title, then what is known of where the session comes from. */
export function printHead({ title, facts }: HeadBlock, view: BlockView): string[] {
  const { width, style } = view;
  const rows = title === ""
    ? []
    : wrapWords(sanitizeLine(title), width).map((row) => style.paint("bold", row));
  for (const fact of facts) for (const row of printFact(fact, view)) rows.push(row);
  return [...rows, style.paint("dim", ruleText(width))];
}

function printFact(
  { name, value, form }: Fact,
  { width, style, format_time }: BlockView,
): string[] {
  const text = form === "time" ? timeLabel(value, format_time) : value;
  const rows = wrapCells(sanitizeLine(text), Math.max(1, width - LABEL_WIDTH));
  return rows.map((row, index) => {
    const margin = (index === 0 ? name.toLowerCase() : "").padEnd(LABEL_WIDTH);
    return style.paint("dim", margin) + row;
  });
}
