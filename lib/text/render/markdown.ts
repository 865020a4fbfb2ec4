/** Renders Markdown as rows of a terminal. */
import { renderInline } from "./markdown/inline.ts";
import { lexMarkdown, MARKDOWN_LIMIT, MAX_DEPTH } from "./markdown/lex.ts";
import { sanitizeLine, sanitizeText } from "./sanitize.ts";
import type { Style } from "./style.ts";
import { codeRows } from "./terminal/text.ts";
import type { BlockView } from "./terminal/view.ts";
import { type Alignment, cutText, padText, textWidth } from "./text_width.ts";
import { expandTabs, ruleText, wrapWords } from "./wrap.ts";
import type { Token, Tokens } from "npm:marked@18.2.1";

type MarkdownOptions = Pick<BlockView, "width" | "style" | "highlight">;

interface BlockContext extends MarkdownOptions {
  /** True to leave out empty rows between blocks. */
  tight: boolean;
  depth: number;
}

/** Minimum columns of a nested block. A block that would be narrower is not indented further. */
const MIN_WIDTH = 12;

const TAB = 4;

/** Accepts Markdown of any origin, because it is sanitized before it is parsed. */
export function renderMarkdown(text: string, options: MarkdownOptions): string[] {
  const clean = sanitizeText(text).trimEnd();
  if (clean.length > MARKDOWN_LIMIT) return renderPlain(clean, options);
  try {
    return renderBlocks(lexMarkdown(clean), { ...options, tight: false, depth: 0 });
  } catch (error) {
    // Nested too deep for the stack.
    if (error instanceof RangeError) return renderPlain(clean, options);
    throw error;
  }
}

function renderPlain(text: string, { width }: MarkdownOptions): string[] {
  return sanitizeText(text).split("\n").flatMap((line) => wrapWords(expandTabs(line, TAB), width));
}

function renderBlocks(tokens: readonly Token[], context: BlockContext): string[] {
  const rows: string[] = [];
  for (const token of tokens) {
    const block = renderBlock(token as Tokens.Generic, context);
    if (block.length === 0) continue;
    if (rows.length > 0 && !context.tight) rows.push("");
    for (const row of block) rows.push(row);
  }
  return rows;
}

function renderBlock(token: Tokens.Generic, context: BlockContext): string[] {
  const { width, style } = context;
  if (context.depth > MAX_DEPTH) return renderPlain(token.raw.trimEnd(), context);
  switch (token.type) {
    case "space":
    case "checkbox":
      return [];
    case "heading":
      return renderHeading(token, context);
    case "paragraph":
    case "text":
      return wrapWords(renderInline(token.tokens ?? [token], style), width);
    case "code":
      return renderCode(token, context);
    case "blockquote":
      return renderQuote(token, context);
    case "list":
      return renderList(token as Tokens.List, context);
    case "table":
      return renderTable(token as Tokens.Table, context);
    case "hr":
      return [style.paint("dim", ruleText(width))];
    default:
      return renderPlain(token.raw.trimEnd(), context);
  }
}

function renderHeading(token: Tokens.Generic, { width, style }: BlockContext): string[] {
  const mark = "#".repeat(token["depth"]) + " ";
  const text = renderInline(token.tokens, style, ["bold", "blue"]);
  return wrapWords(style.paint(["bold", "blue"], mark) + text, width);
}

/** Renders code between horizontal lines. Long lines of code are wrapped, not cut off. */
function renderCode(token: Tokens.Generic, context: BlockContext): string[] {
  const { width, style } = context;
  const full = ruleText(width);
  const language = cutText(sanitizeLine(token["lang"] ?? ""), full.length - 8);
  const label = language === "" ? "" : `── ${language} `;
  const [name = ""] = /^[\w+#.-]+/.exec(language) ?? [];
  const inner = { ...context, width: Math.max(1, width - 2), full: true };
  const rows = codeRows(token["text"], { format: [], tab: TAB, language: name }, inner);
  return [
    style.paint("dim", label + full.slice(textWidth(label))),
    ...rows.map((row) => (row === "" ? "" : `  ${row}`)),
    style.paint("dim", full),
  ];
}

function renderQuote(token: Tokens.Generic, context: BlockContext): string[] {
  return setIn(context, "│ ", "│ ", (inner) => renderBlocks(token.tokens ?? [], inner));
}

function renderList(list: Tokens.List, context: BlockContext): string[] {
  const inner: BlockContext = { ...context, tight: !list.loose };
  const rows: string[] = [];
  for (const [index, item] of list.items.entries()) {
    const mark = itemMark(list, index);
    const margin = " ".repeat(mark.length);
    if (list.loose && index > 0) rows.push("");
    const block = setIn(inner, mark, margin, (set_in) => renderBlocks(item.tokens, set_in));
    for (const row of block) rows.push(row);
  }
  return rows;
}

/** Returns a list item's marker: a task box, a number as wide as the last number, or a bullet. */
function itemMark(list: Tokens.List, index: number): string {
  const item = list.items[index];
  if (item?.task) return item.checked ? "[x] " : "[ ] ";
  if (!list.ordered) return "• ";
  const first = list.start === "" ? 1 : list.start;
  const last = String(first + list.items.length - 1).length;
  return `${String(first + index).padStart(last)}. `;
}

/** Renders a block after a mark such as `• `. A block that would be too narrow goes below it. */
function setIn(
  context: BlockContext,
  mark: string,
  margin: string,
  render: (context: BlockContext) => string[],
): string[] {
  const { paint } = context.style;
  const width = context.width - mark.length;
  const inner = { ...context, depth: context.depth + 1 };
  if (width < MIN_WIDTH) return [paint("dim", mark.trimEnd()), ...render(inner)];
  const rows = render({ ...inner, width });
  if (rows.length === 0) return [paint("dim", mark.trimEnd())];
  return rows.map((row, index) => {
    const before = index === 0 ? mark : margin;
    return row === "" ? paint("dim", before.trimEnd()) : paint("dim", before) + row;
  });
}

const GAP = 3;
const MIN_COLUMN = 10;

interface TableView {
  width: number;
  style: Style;
}

function renderTable(table: Tokens.Table, options: TableView): string[] {
  const { style } = options;
  const header = table.header.map((cell) => renderInline(cell.tokens, style, ["bold"]));
  const body = table.rows.map((row) => row.map((cell) => renderInline(cell.tokens, style)));
  const natural = columnWidths([header, ...body]);
  const widths = shrinkColumns(natural, options.width - GAP * (header.length - 1));
  if (widths === undefined) return renderRecords(header, body, options);
  const align = table.align.map((alignment) => alignment ?? "left");
  const rule = widths.map((width) => "─".repeat(width)).join("─┼─");
  return [
    ...renderRow(header, widths, align, style),
    style.paint("dim", rule),
    ...body.flatMap((row) => renderRow(row, widths, align, style)),
  ];
}

function columnWidths(rows: readonly string[][]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      const width = greatest(cell.split("\n").map(textWidth));
      widths[column] = Math.max(widths[column] ?? 0, width);
    }
  }
  return widths;
}

/** Narrows the widest columns to fit `room`. `undefined` if columns would get too narrow. */
function shrinkColumns(natural: readonly number[], room: number): number[] | undefined {
  const least = natural.map((width) => Math.min(width, MIN_COLUMN));
  if (total(least) > room) return undefined;
  const widths = [...natural];
  for (let excess = total(widths) - room; excess > 0; excess--) {
    const widest = widths.indexOf(greatest(widths));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function greatest(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), 0);
}

function renderRow(
  cells: readonly string[],
  widths: readonly number[],
  align: readonly Alignment[],
  style: Style,
): string[] {
  const wrapped = widths.map((width, column) => wrapWords(cells[column] ?? "", width));
  const height = greatest(wrapped.map((rows) => rows.length));
  const separator = style.paint("dim", " │ ");
  return Array.from({ length: height }, (_, line) =>
    widths
      .map((width, column) => padText(wrapped[column]?.[line] ?? "", width, align[column]))
      .join(separator)
      .trimEnd());
}

function renderRecords(
  header: readonly string[],
  body: readonly string[][],
  { width, style }: TableView,
): string[] {
  const records = body.map((row) =>
    row.flatMap((cell, column) => wrapWords(`${header[column] ?? ""}: ${cell}`, width))
  );
  const rule = style.paint("dim", "─".repeat(Math.min(width, MIN_COLUMN)));
  return records.flatMap((rows, index) => (index === 0 ? rows : [rule, ...rows]));
}
