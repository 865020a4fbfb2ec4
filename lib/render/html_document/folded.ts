/**
 * Renders a line that opens to more detail.
 *
 * @module
 */
import { safe, type SafeHtml } from "./safe_html.ts";

/** A name, what it is about on one line, and what is inside. */
export function foldedHtml(name: string, short: string | SafeHtml, inside: SafeHtml): SafeHtml {
  const line = safe`<span class="name">${name}</span> <span class="short">${short}</span>`;
  return safe`<details class="call thought"><summary>${line}</summary>${
    insideHtml(inside)
  }</details>`;
}

/** What a line opens. */
export function insideHtml(inside: SafeHtml): SafeHtml {
  return safe`<div class="inside">${inside}</div>`;
}
