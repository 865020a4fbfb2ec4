/** Writes the small elements of a page: facts, times, paths, words, and lines that open. */
import type { Word } from "../block/block.ts";
import { sanitizeLine } from "../sanitize.ts";
import { type TimeFormat, timeLabel } from "../time_label.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "./safe_html.ts";

/** A fact and its name, as a page shows it. */
export type FactRow = readonly [string, SafeHtml | string | undefined];

/** Facts as a list; those that are not known are left out. */
export function factsHtml(facts: readonly FactRow[]): SafeHtml {
  const known = facts.flatMap(([name, value]) => {
    const shown = typeof value === "string" ? safe`${sanitizeLine(value)}` : value;
    return shown === undefined || shown.markup === ""
      ? []
      : [safe`<div><dt>${name}</dt><dd>${shown}</dd></div>`];
  });
  return known.length === 0 ? NOTHING : safe`<dl class="facts">${joinHtml(known)}</dl>`;
}

/** A name, what it is about on one line, and what is inside. */
export function foldedHtml(name: string, short: string | SafeHtml, inside: SafeHtml): SafeHtml {
  const line = safe`<span class="name">${name}</span> <span class="short">${short}</span>`;
  return detailsHtml("call thought", line, inside);
}

/** A line, and what it opens: nothing where there is nothing inside. */
export function detailsHtml(
  kind: string,
  line: SafeHtml,
  inside: SafeHtml,
  is_open = false,
): SafeHtml {
  if (inside.markup === "") return safe`<p class="${kind} bare">${line}</p>`;
  const folded = safe`<summary>${line}</summary><div class="inside">${inside}</div></details>`;
  return is_open
    ? safe`<details class="${kind}" open>${folded}`
    : safe`<details class="${kind}">${folded}`;
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/;

/** A moment as the reader wants it, and as machines do. */
export function timeHtml(iso: string | undefined, format: TimeFormat | undefined): SafeHtml {
  if (iso === undefined || iso === "") return NOTHING;
  const label = timeLabel(iso, format);
  return ISO_TIME.test(iso) ? safe`<time datetime="${iso}">${label}</time>` : safe`${label}`;
}

/** A path that breaks behind its separators, where it is longer than a line. */
export function pathHtml(path: string): SafeHtml {
  const steps = sanitizeLine(path).split(/(?=[^/\\])(?<=[^/\\][/\\]+)/);
  return joinHtml(steps.map((step, at) => at === 0 ? safe`${step}` : safe`<wbr>${step}`));
}

/** HTML of words. What colour one has, it says by itself too. */
export function wordsHtml(words: readonly Word[]): SafeHtml {
  const shown = words.map(({ text, ink }) => {
    const clean = sanitizeLine(text);
    return ink === undefined || ink === "quiet"
      ? safe`${clean}`
      : safe`<b class="${ink}">${clean}</b>`;
  });
  return joinHtml(shown, " · ");
}
