/** Renders a line that opens to more detail. */
import { safe, type SafeHtml } from "./safe_html.ts";

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
