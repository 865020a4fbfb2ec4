/** Reads the pages of the project as a reader does: by sentence and by table cell. */
import { ROOT } from "./source_code.ts";

/** A text of a page, with the heading that it is below. */
export interface PageText {
  text: string;
  where: string;
}

/** Returns the pages that people read: the README and those in `.github`. */
export function projectPages(): ReadonlyMap<string, string> {
  const names = [...Deno.readDirSync(new URL(".github/", ROOT))].map(({ name }) => name)
    .filter((name) => /^[A-Z_]+\.md$/.test(name)).sort().map((name) => `.github/${name}`);
  return new Map(
    ["README.md", ...names].map((name) => [name, Deno.readTextFileSync(new URL(name, ROOT))]),
  );
}

const FENCE = /^( *)```.*?^\1```$/gms;
const PICTURE = /!\[[^\]]*\]\([^)]*\)/g;
const RULE = /^\|(?: *:?-+:? *\|)+$/;
/** The end of a sentence: its mark, what closes around it, and the beginning of the next one. */
const END = /(?<=[.!?][)*_`"]*)(?<!\b(?:e\.g|i\.e|cf|vs)\.) +(?=[(*_`"[]*\p{Lu}|[`*_]|\d+\. )/u;

/** Three words, not only numbers and their units. */
const SAYING = /(?:\p{L}{2,}\P{L}+){2,}\p{L}{2,}/u;

/** Returns the cells of a row with their heads: its name, and the others behind this name. */
function rowTexts([row = "", ...cells]: readonly string[], heads: readonly string[]): string[] {
  const [head = ""] = heads;
  const texts = cells.map((cell, at) => [cell, heads[at + 1] ?? ""] as const)
    .filter(([cell]) => SAYING.test(cell))
    .map(([cell, head]) => `${row} | ${head === "" ? "" : `${head}: `}${cell}`);
  return row === "" ? texts : [head === "" ? row : `${head}: ${row}`, ...texts];
}

/** Returns the cells of a line of a table, without the spaces that align them. */
export function tableCells(line: string): string[] {
  if (!line.startsWith("|") || RULE.test(line)) return [];
  return line.trim().slice(1, -1).split(/(?<!\\)\|/).map((cell) => cell.trim());
}

/**
 * Returns the sentences of a page. Code, headings and pictures have none. A cell of a table stands
 * behind the name of its row and the head of its column; numbers alone are left out.
 */
export function sentencesOf(page: string, name: string): PageText[] {
  const texts: PageText[] = [];
  let where = name;
  let block: string[] = [];
  let rows = 0;
  let heads: string[] = [];
  const end = (): void => {
    texts.push(...block.join(" ").split(END).map((text) => ({ text: text.trim(), where })));
    block = [];
  };
  for (const line of page.replaceAll(FENCE, "").replaceAll(PICTURE, "").split("\n")) {
    const heading = /^#+ (.*)/.exec(line)?.[1];
    const item = /^ *(?:[-*]|\d+\.) +(.*)/.exec(line)?.[1];
    rows = line.startsWith("|") ? rows + 1 : 0;
    if (rows > 0) {
      end();
      // The line after the heads is the rule below them.
      if (rows === 1) heads = tableCells(line);
      else texts.push(...rowTexts(tableCells(line), heads).map((text) => ({ text, where })));
    } else if (heading !== undefined || line.trim() === "") {
      end();
      if (heading !== undefined) where = `${name}, ${heading}`;
    } else {
      if (item !== undefined) end();
      block.push(item ?? line.trim());
    }
  }
  end();
  return texts.filter(({ text }) => text !== "");
}
