/** Sums up the arguments of a tool call on one line. */
import { ExactNumber } from "../../core/event/exact_number.ts";
import { isObject } from "../../core/event/guard.ts";
import { relativePath } from "./path_text.ts";
import { sanitizeLine } from "./sanitize.ts";
import { cutMiddle, cutText, textWidth } from "./text_width.ts";

const PATHS: readonly string[] = [
  ...["file_path", "filePath", "path"],
  // Antigravity's.
  ...["TargetFile", "AbsolutePath", "DirectoryPath"],
];

/** Names of arguments that describe a call. The first one that is present is used. */
const TELLING = ["command", "cmd", ...PATHS, "pattern", "query", "url", "description"];

const VALUE_LIMIT = 200;
const ENTRY_LIMIT = 8;

/** Arguments on one bounded line. Long values are cut, nested values become `{…}` or `[…]`. */
export interface InputSummary {
  /** The argument that describes the call best. Empty if none does. */
  subject: string;
  /** True if the subject is a path. Then its middle is cut. */
  is_path: boolean;
  rest: string;
  is_whole: boolean;
}

interface Piece {
  text: string;
  is_whole: boolean;
}

/** Paths inside `cwd` become relative to it. */
export function summarizeInput(input: unknown, cwd?: string): InputSummary {
  const none = { subject: "", is_path: false };
  if (input === undefined) return { ...none, rest: "", is_whole: true };
  if (!isObject(input)) {
    const { text, is_whole } = summarizeValue(input);
    return { ...none, rest: text, is_whole };
  }
  const telling = TELLING.find((key) => typeof input[key] === "string");
  const others = Object.entries(input).filter(([key]) => key !== telling);
  const words = others.slice(0, ENTRY_LIMIT).map(([key, value]) => summarizeEntry(key, value, cwd));
  if (others.length > ENTRY_LIMIT) words.push({ text: "…", is_whole: false });
  const subject = telling === undefined
    ? { text: "", is_whole: true }
    : summarizeText(shownValue(telling, String(input[telling]), cwd));
  return {
    subject: subject.text,
    is_path: telling !== undefined && PATHS.includes(telling),
    rest: words.map(({ text }) => text).join(" "),
    is_whole: [subject, ...words].every(({ is_whole }) => is_whole),
  };
}

export function inputText({ subject, rest }: InputSummary): string {
  return subject === "" || rest === "" ? subject + rest : `${subject} ${rest}`;
}

/** Fits a summary into `width` columns. A path is cut in its middle, other text at its end. */
export function fitInput(summary: InputSummary, width: number): string {
  const text = inputText(summary);
  if (!summary.is_path || textWidth(text) <= width) return cutText(text, width);
  const path = cutMiddle(summary.subject, width);
  const room = width - textWidth(path) - 1;
  return room < 4 || summary.rest === "" ? path : `${path} ${cutText(summary.rest, room)}`;
}

export function inputPath(input: unknown): unknown {
  return isObject(input) ? input["file_path"] ?? input["filePath"] ?? input["path"] : undefined;
}

function shownValue(key: string, value: string, cwd: string | undefined): string {
  return PATHS.includes(key) ? relativePath(value, cwd) : value;
}

function summarizeEntry(key: string, value: unknown, cwd: string | undefined): Piece {
  const name = summarizeText(key);
  const summary = summarizeValue(typeof value === "string" ? shownValue(key, value, cwd) : value);
  return {
    text: `${name.text}=${summary.text}`,
    is_whole: name.is_whole && summary.is_whole,
  };
}

function summarizeValue(value: unknown): Piece {
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

function summarizeText(text: string): Piece {
  const is_whole = text.length <= VALUE_LIMIT && !text.includes("\n");
  const cut = text.length <= VALUE_LIMIT ? text : text.slice(0, VALUE_LIMIT).toWellFormed() + "…";
  return { text: sanitizeLine(cut), is_whole };
}
