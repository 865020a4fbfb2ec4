/**
 * The arguments of a tool call: on one line, and in full.
 *
 * @module
 */
import { ExactNumber } from "../../event/exact_number.ts";
import { isObject } from "../../event/guard.ts";
import { inputText, summarizeInput } from "../input_summary.ts";
import { sanitizeLine } from "../sanitize.ts";
import { cutText } from "../text_width.ts";
import { editHtml } from "./edit.ts";
import { languageOf } from "../code_language.ts";
import { dataHtml, outputHtml } from "./output.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "./safe_html.ts";
import type { HtmlView } from "./view.ts";

const LINE = 160;
const SHORT = 200;

/** The arguments on one line, of bounded length. */
export function inputLine(input: unknown): string {
  return cutText(inputText(summarizeInput(input)), LINE);
}

/** The path that the arguments name. */
export function inputPath(input: unknown): unknown {
  return isObject(input) ? input["file_path"] ?? input["filePath"] ?? input["path"] : undefined;
}

/** The arguments in full: short ones in a list, then the long ones, each under its name. */
export function inputHtml(input: unknown, view: HtmlView): SafeHtml {
  if (input === undefined) return NOTHING;
  if (typeof input === "string") return outputHtml("Input", input, view);
  if (!isObject(input)) return dataHtml("Input", input, view);
  const { edit, used } = editHtml(input, view);
  const entries = Object.entries(input).filter(([key]) => !used.has(key));
  const short = entries.filter(([, value]) => isShort(value));
  const long = entries.filter(([, value]) => !isShort(value));
  const language = languageOf(inputPath(input));
  return joinHtml([
    shortHtml(short),
    ...long.map(([key, value]) =>
      typeof value === "string"
        ? outputHtml(sanitizeLine(key), value, view, language)
        : dataHtml(sanitizeLine(key), value, view)
    ),
    edit,
  ]);
}

function shortHtml(entries: readonly [string, unknown][]): SafeHtml {
  if (entries.length === 0) return NOTHING;
  const rows = entries.map(([key, value]) =>
    safe`<dt>${sanitizeLine(key)}</dt><dd><code>${sanitizeLine(String(value))}</code></dd>`
  );
  return safe`<dl class="input">${joinHtml(rows)}</dl>`;
}

function isShort(value: unknown): boolean {
  if (typeof value === "string") return value.length <= SHORT && !value.includes("\n");
  return typeof value !== "object" || value === null || value instanceof ExactNumber;
}
