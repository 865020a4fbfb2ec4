/**
 * What a call printed: whole, with its lines kept.
 *
 * @module
 */
import { NOTHING, safe, type SafeHtml } from "./safe_html.ts";
import type { HtmlView } from "./view.ts";

/** HTML of an output under its label; nothing of an empty one. */
export function outputHtml(
  label: string,
  text: string | undefined,
  view: HtmlView,
  language?: string,
): SafeHtml {
  const shown = trimLineEnds(text ?? "");
  if (shown === "") return NOTHING;
  return safe`<p class="label">${label}</p><pre><code>${
    view.highlight(shown, language)
  }</code></pre>`;
}

/** Data of any form, as JSON. */
export function dataHtml(label: string, data: unknown, view: HtmlView): SafeHtml {
  const json: string | undefined = JSON.stringify(data, undefined, 2);
  return outputHtml(label, json, view, "json");
}

// A pattern would take the square of the line feeds that a text ends in.
function trimLineEnds(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === "\n" || text[end - 1] === "\r")) end--;
  return text.slice(0, end);
}
