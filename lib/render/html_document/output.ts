/**
 * Renders the whole output of a call with its line breaks.
 *
 * @module
 */
import type { Output } from "../../event/message.ts";
import { attachmentHtml } from "./attachment.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "./safe_html.ts";
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

/** HTML of what a call gave; images where they stand. */
export function outputPartsHtml(
  output: Output | undefined,
  view: HtmlView,
  language?: string,
): SafeHtml {
  if (output === undefined || typeof output === "string") {
    return outputHtml("Output", output, view, language);
  }
  return joinHtml(output.map((part) => {
    if (part.type === "text") return outputHtml("Output", part.text, view, language);
    return part.type === "json" ? dataHtml("Output", part.value, view) : attachmentHtml(part);
  }));
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
