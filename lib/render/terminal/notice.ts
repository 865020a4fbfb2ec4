/** Lines that say where the session stands: a rule across the page, or a line with a mark. */
import type { Ink, NoticeBlock, Word } from "../block/block.ts";
import { FOLDS } from "../block/folds.ts";
import { sanitizeText } from "../sanitize.ts";
import { textWidth } from "../text_width.ts";
import type { PrintBlock } from "./message.ts";
import { printProse } from "./prose.ts";
import { hangRows, setIn } from "./rows.ts";
import { type BlockView, narrowView } from "./view.ts";
import { INKS, printWords, wordsWidth } from "./words.ts";

const RULE = 80;
const FOLD = FOLDS.summary;
const MARKS: Readonly<Record<Ink, string>> = { ok: "■", fail: "✗", warn: "!", quiet: "" };

/** Rows of a notice. */
export function printNotice(block: NoticeBlock, view: BlockView, print: PrintBlock): string[] {
  const rows = block.form === "rule" ? ruleRows(block, view) : lineRows(block, view);
  const inside = block.content.flatMap((one) =>
    one.type === "notice"
      ? print(one, view)
      : setIn(view, one.type === "code" ? 4 : 2, (inner) => print(one, inner))
  );
  return [...rows, ...inside];
}

/** A title that does not fit on the rule stands below it. */
function ruleRows(block: NoticeBlock, view: BlockView): string[] {
  const { title, short_title = title, ink = "warn", words } = block;
  const { style } = view;
  const width = Math.min(view.width, RULE);
  const fits = !title.includes("\n") &&
    textWidth(sanitizeText(title)) + wordsWidth(words) <= width - 6;
  const line: Word[] = [{ text: fits ? title : short_title, ink }, ...words];
  const shown = printWords(line, { ...view, width: Math.max(1, width - 6) });
  const rest = "─".repeat(Math.max(0, width - 4 - textWidth(shown)));
  const rule = `${style.paint(INKS[ink], "──")} ${shown} ${style.paint(INKS[ink], rest)}`;
  const below = fits ? [] : setIn(view, 2, (inner) => printProse(title, inner, { fold: FOLD }));
  return [rule.trimEnd(), ...below];
}

function lineRows({ title, detail, ink, words }: NoticeBlock, view: BlockView): string[] {
  const mark = ink === undefined ? "" : MARKS[ink];
  const format = ink === undefined ? [] : INKS[ink];
  const said = [title, ...words.map(({ text }) => text)].join(" · ");
  const text = detail === undefined ? said : `${said}: ${detail}`;
  if (mark === "") return printProse(text, view, { format, fold: FOLD });
  const rows = printProse(text, narrowView(view, 2), { format, fold: FOLD });
  return hangRows(rows, `${view.style.paint(format, mark)} `, 2);
}
