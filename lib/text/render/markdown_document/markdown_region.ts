/**
 * Splits Markdown into prose, quotes and blocks of code that every parser reads alike.
 *
 * Parsers disagree on fences that are indented, nested or unclosed. Such text is not split.
 */

/** Adjacent lines of one type. The lines of a quote are without their `>`. */
interface MarkdownRegion {
  type: "prose" | "code" | "quote";
  lines: string[];
}

/** Pattern source for what precedes a block: blanks, and the markers of quotes and lists. */
export const CONTAINERS = String.raw`(?:[\s>]|(?:[-*+]|\d{1,9}[.)])(?=\s))*`;
const LOOKS_LIKE_FENCE = new RegExp(`^${CONTAINERS}(?:\`{3,}|~{3,})`);
const FENCE = /^( *)(`{3,}(?=[^`]*$)|~{3,})/;
const LIST_ITEM = /^( *)(?:[-*+]|(\d{1,9})[.)]) {1,4}(?=\S)/;
const QUOTE = /^> ?/;
/** Maximum number of spaces before prose. A line with more spaces is code. */
const MOST_INDENT = 3;

/** Splits lines into regions. `undefined` if parsers may disagree on what is code. */
export function markdownRegions(lines: readonly string[]): MarkdownRegion[] | undefined {
  const regions: MarkdownRegion[] = [];
  const lists = new OpenLists();
  for (let index = 0; index < lines.length;) {
    const line = lines[index] ?? "";
    if (line.startsWith(">")) {
      lists.close();
      const start = index;
      while (lines[index]?.startsWith(">") === true) index++;
      const quoted = lines.slice(start, index).map((one) => one.replace(QUOTE, ""));
      regions.push({ type: "quote", lines: quoted });
    } else if (LOOKS_LIKE_FENCE.test(line)) {
      const code = codeAt(lines, index, lists);
      if (code === undefined) return undefined;
      regions.push({ type: "code", lines: code });
      index += code.length;
    } else {
      lists.read(line, lines[index - 1]);
      const last = regions.at(-1);
      if (last?.type === "prose") last.lines.push(line);
      else regions.push({ type: "prose", lines: [line] });
      index++;
    }
  }
  return regions;
}

/** Returns a code block with a closing fence. `undefined` if parsers may disagree on its extent. */
function codeAt(lines: readonly string[], from: number, lists: OpenLists): string[] | undefined {
  const [, blanks = "", mark = ""] = FENCE.exec(lines[from] ?? "") ?? [];
  const indent = blanks.length;
  if (mark === "" || !lists.mayHold(indent)) return undefined;
  const close = new RegExp(`^\\s*${mark}${mark.charAt(0)}*\\s*$`);
  const code = [lines[from] ?? ""];
  for (let at = from + 1; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const blank = line.trim() === "";
    if (!blank && indentOf(line) < indent) return undefined;
    code.push(line);
    if (!close.test(line)) continue;
    // Deeper ones close for some parsers only.
    return indentOf(line) === indent && /^[ `~]*$/.test(line) ? code : undefined;
  }
  return [...code, blanks + mark];
}

function indentOf(line: string): number {
  return /^ */.exec(line)?.[0].length ?? 0;
}

/** Tracker of open Markdown lists: the columns in which the text of their items begins. */
class OpenLists {
  #columns: number[] = [];

  /** Updates the open lists for a line of prose. `before` is the previous line. */
  read(line: string, before: string | undefined): void {
    if (line.trim() === "") return;
    const indent = indentOf(line);
    const open = this.#columns.length;
    this.#columns = this.#columns.filter((column) => column <= indent);
    const [item, , number] = LIST_ITEM.exec(line) ?? [];
    if (item === undefined || indent - (this.#columns.at(-1) ?? 0) > MOST_INDENT) return;
    // A number other than one begins no list within a paragraph.
    const interrupts = number !== undefined && Number(number) !== 1;
    const alone = before === undefined || before.trim() === "" || this.#columns.length < open;
    if (alone || !interrupts) this.#columns.push(item.length);
  }

  close(): void {
    this.#columns = [];
  }

  /** True if all parsers take a fence with this indent as a fence. */
  mayHold(indent: number): boolean {
    return indent <= MOST_INDENT ||
      this.#columns.some((column) => column <= indent && indent <= column + MOST_INDENT);
  }
}
