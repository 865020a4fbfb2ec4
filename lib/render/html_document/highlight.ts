/** Code in colours, as HTML. */
import { createHighlight as createRuns } from "../highlight.ts";
import { sanitizeText } from "../sanitize.ts";
import { joinHtml, safe, type SafeHtml } from "./safe_html.ts";

/** Code as HTML: in colours where its language is known, else as plain text. */
export type Highlight = (code: string, language: string | undefined) => SafeHtml;

/** Makes a highlighter for one document. */
export function createHighlight(): Highlight {
  const runsOf = createRuns();
  return (code, language) => {
    const runs = runsOf(sanitizeText(code), language);
    if (runs === undefined) return safe`${code}`;
    return joinHtml(
      runs.map(({ text, ink }) =>
        ink === undefined ? safe`${text}` : safe`<span class="c-${ink}">${text}</span>`
      ),
    );
  };
}
