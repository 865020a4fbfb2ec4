/** Renders facts as a list. */
import { sanitizeLine } from "../sanitize.ts";
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
