/**
 * Makes hostile Markdown by a grammar: quotes, tabs, lists, code, HTML, references, autolinks and
 * entities, nested and broken off at random.
 */

import { readJson } from "./_data.ts";

const GRAMMAR = readJson<Record<string, readonly string[]>>("markdown_grammar.json");
const { schemes, safe, headings, html, prefixes, fences, broken } = GRAMMAR;

/** Returns one document; the same for the same numbers. */
export function hostileMarkdown(random: () => number): string {
  const lines = Array.from({ length: 1 + below(random, 7) }, () => line(random));
  return lines.join(pick(random, ["\n", "\n", "\n", "\n\n", "\r\n", "\n \n"]));
}

function line(random: () => number): string {
  const prefix = pick(random, prefixes) + (random() < 0.2 ? pick(random, prefixes) : "");
  const chance = random();
  if (chance < 0.12) return prefix + pick(random, fences);
  if (chance < 0.27) return prefix + pick(random, headings);
  if (chance < 0.35) return `${prefix}[x]:${gap(random)}${target(random)}${gap(random)}`;
  const pieces = Array.from({ length: 1 + below(random, 4) }, () => inline(random));
  return prefix + pieces.join(pick(random, ["", "", " "]));
}

function inline(random: () => number, depth = 0): string {
  switch (below(random, depth > 2 ? 5 : 9)) {
    case 0:
      return pick(random, broken);
    case 1:
      return pick(random, html);
    case 2:
      return `<${target(random)}>`;
    case 3:
      return pick(random, ["a", "word", "1", "é"]);
    case 4:
      return pick(random, broken) + pick(random, broken);
    case 5: {
      const mark = pick(random, ["`", "``", "*", "**", "_", "~~"]);
      return mark + inline(random, depth + 1) + pick(random, [mark, mark, "`", ""]);
    }
    case 6:
      return `${pick(random, ["", "!"])}[${inline(random, depth + 1)}][${pick(random, ["x", ""])}]`;
    default: {
      const bracket = pick(random, ["[", "[", "![", "\\[", "[["]);
      const title = pick(random, ["", "", ' "t"', "\t't'", "\n(t)"]);
      const close = pick(random, [")", ")", ")", "", " )"]);
      return `${bracket}${inline(random, depth + 1)}](${gap(random)}${
        target(random)
      }${title}${close}`;
    }
  }
}

function target(random: () => number): string {
  const url = random() < 0.7 ? pick(random, schemes) : pick(random, safe);
  const chance = random();
  if (chance < 0.2) return `<${url}>`;
  return chance < 0.25 ? `${url.slice(0, 4)}${pick(random, broken)}${url.slice(4)}` : url;
}

function gap(random: () => number): string {
  return pick(random, ["", "", " ", "\t", "\n", "\n\t", "\n> ", "\n  ", "  "]);
}

function below(random: () => number, limit: number): number {
  return Math.floor(random() * limit);
}

function pick(random: () => number, items: readonly string[] = []): string {
  return items[below(random, items.length)] ?? "";
}
