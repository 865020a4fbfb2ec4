/**
 * A call: one line that says what was done and how it ended; the rest is folded.
 *
 * @module
 */
import { insideHtml } from "./folded.ts";
import { outcomeHtml, type OutcomeWord } from "./outcome.ts";
import { NOTHING, safe, type SafeHtml } from "./safe_html.ts";
import type { HtmlView } from "./view.ts";

/** What is shown of a call. */
export interface Call {
  /** One line. */
  name: string;
  /** What it was about, on one line. */
  short: string;
  end: readonly OutcomeWord[];
  /** What is folded; only made where it is shown. */
  body: () => SafeHtml;
}

/** HTML of a call, as much as the document shows of calls. */
export function callHtml(call: Call, view: HtmlView): SafeHtml {
  if (view.tools === "none") return NOTHING;
  const short = call.short === "" ? NOTHING : safe`<code class="short">${call.short}</code> `;
  const line = safe`<span class="name">${call.name || "(no name)"}</span> ${short}${
    outcomeHtml(call.end)
  }`;
  const body = view.tools === "full" ? call.body() : NOTHING;
  if (body.markup === "") return safe`<p class="call bare">${line}</p>`;
  return safe`<details class="call"><summary>${line}</summary>${insideHtml(body)}</details>`;
}
