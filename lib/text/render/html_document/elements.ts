/** Writes the small elements of a page: facts, times, paths, words, and folded content. */
import type { Word } from "../block/block.ts";
import { sanitizeLine } from "../sanitize.ts";
import { type TimeFormat, timeLabel } from "../time_label.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "./html.ts";

/** A fact's name and value. Rows without a value are left out. */
export type FactRow = readonly [string, SafeHtml | string | undefined];

export function factsHtml(facts: readonly FactRow[]): SafeHtml {
  const known = facts.flatMap(([name, value]) => {
    const shown = typeof value === "string" ? safe`${sanitizeLine(value)}` : value;
    return shown === undefined || shown.markup === ""
      ? []
      : [safe`<div><dt>${name}</dt><dd>${shown}</dd></div>`];
  });
  return known.length === 0 ? NOTHING : safe`<dl class="facts">${joinHtml(known)}</dl>`;
}

export function foldedHtml(name: string, short: string | SafeHtml, inside: SafeHtml): SafeHtml {
  const line = safe`<span class="name">${name}</span> <span class="short">${short}</span>`;
  return detailsHtml("call thought", line, inside);
}

/** Renders a foldable line above `inside`. Renders only the line if `inside` is empty. */
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

export function timeHtml(iso: string | undefined, format: TimeFormat | undefined): SafeHtml {
  if (iso === undefined || iso === "") return NOTHING;
  const label = timeLabel(iso, format);
  return ISO_TIME.test(iso) ? safe`<time datetime="${iso}">${label}</time>` : safe`${label}`;
}

/** Lines may break after the path's separators. */
export function pathHtml(path: string): SafeHtml {
  const steps = sanitizeLine(path).split(/(?=[^/\\])(?<=[^/\\][/\\]+)/);
  return joinHtml(steps.map((step, at) => at === 0 ? safe`${step}` : safe`<wbr>${step}`));
}

/** Dots separate the words. Each word has to be clear without its colour. */
export function wordsHtml(words: readonly Word[]): SafeHtml {
  const shown = words.map(({ text, ink }) => {
    const clean = sanitizeLine(text);
    return ink === undefined || ink === "quiet"
      ? safe`${clean}`
      : safe`<b class="${ink}">${clean}</b>`;
  });
  return joinHtml(shown, " · ");
}
