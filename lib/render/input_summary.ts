/**
 * The arguments of a tool call on one line.
 *
 * @module
 */
import { ExactNumber } from "../event/exact_number.ts";
import { isObject } from "../event/guard.ts";
import { sanitizeLine } from "./sanitize.ts";

/** Arguments that say by themselves what a call is about, the most telling first. */
const TELLING = [
  "command",
  "cmd",
  "file_path",
  "filePath",
  "path",
  "pattern",
  "query",
  "url",
  "description",
];

const VALUE_LIMIT = 200;
const ENTRY_LIMIT = 8;

/** The arguments on one line. */
export interface InputSummary {
  text: string;
  /** Nothing is cut or left out. */
  is_whole: boolean;
}

/** The arguments on one line, of bounded length. Long values are cut, nested ones named. */
export function summarizeInput(input: unknown): InputSummary {
  if (input === undefined) return { text: "", is_whole: true };
  if (!isObject(input)) return summarizeValue(input);
  const telling = TELLING.find((key) => typeof input[key] === "string");
  const rest = Object.entries(input).filter(([key]) => key !== telling);
  const words = rest.slice(0, ENTRY_LIMIT).map(([key, value]) => summarizeEntry(key, value));
  if (telling !== undefined) words.unshift(summarizeText(String(input[telling])));
  if (rest.length > ENTRY_LIMIT) words.push({ text: "…", is_whole: false });
  return {
    text: words.map((word) => word.text).join(" "),
    is_whole: words.every((word) => word.is_whole),
  };
}

function summarizeEntry(key: string, value: unknown): InputSummary {
  const name = summarizeText(key);
  const summary = summarizeValue(value);
  return {
    text: `${name.text}=${summary.text}`,
    is_whole: name.is_whole && summary.is_whole,
  };
}

function summarizeValue(value: unknown): InputSummary {
  if (typeof value === "string") {
    const summary = summarizeText(value);
    return /^[^\s"=␊]+$/.test(summary.text) ? summary : { ...summary, text: `"${summary.text}"` };
  }
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) {
    return { text: String(value), is_whole: true };
  }
  const size = Object.keys(value).length;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return { text: `${open}${size === 0 ? "" : "…"}${close}`, is_whole: size === 0 };
}

function summarizeText(text: string): InputSummary {
  const is_whole = text.length <= VALUE_LIMIT && !text.includes("\n");
  const cut = text.length <= VALUE_LIMIT ? text : text.slice(0, VALUE_LIMIT).toWellFormed() + "…";
  return { text: sanitizeLine(cut), is_whole };
}
