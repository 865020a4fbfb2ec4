/**
 * The arguments of a tool call: on one line, and in full.
 *
 * @module
 */
import { sanitizeLine, sanitizeText } from "../sanitize.ts";
import { expandTabs, wrapCells } from "../wrap.ts";
import { narrowView, type View } from "./view.ts";

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

/** The arguments on one line, of bounded length. Long values are cut, nested ones named. */
export function summarizeInput(input: unknown): string {
  if (!isRecord(input)) return input === undefined ? "" : summarizeValue(input);
  const entries = Object.entries(input);
  const telling = TELLING.find((key) => typeof input[key] === "string");
  const rest = entries.filter(([key]) => key !== telling);
  const words = rest.slice(0, ENTRY_LIMIT).map(([key, value]) =>
    `${summarizeText(key)}=${summarizeValue(value)}`
  );
  if (telling !== undefined) words.unshift(summarizeText(String(input[telling])));
  if (rest.length > ENTRY_LIMIT) words.push("…");
  return words.join(" ");
}

function summarizeValue(value: unknown): string {
  if (typeof value === "string") {
    return /^[^\s"=]+$/.test(value.slice(0, VALUE_LIMIT))
      ? summarizeText(value)
      : `"${summarizeText(value)}"`;
  }
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[${value.length}]`;
  if (isRecord(value)) return Object.keys(value).length === 0 ? "{}" : "{…}";
  return String(value);
}

function summarizeText(text: string): string {
  const trimmed = text.trim();
  const cut = trimmed.slice(0, VALUE_LIMIT).toWellFormed();
  return sanitizeLine(cut) + (trimmed.length > VALUE_LIMIT ? "…" : "");
}

/** The arguments in full, one after another; texts keep their lines. */
export function renderInput(input: unknown, view: View): string[] {
  if (input === undefined) return [];
  if (!isRecord(input)) return renderValue("input", input, view);
  return Object.entries(input).flatMap(([key, value]) => renderValue(key, value, view));
}

function renderValue(key: string, value: unknown, view: View): string[] {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const lines = sanitizeText(text).split("\n").map((line) => expandTabs(line, 4));
  const label = sanitizeLine(key) + ":";
  if (lines.length === 1) return wrapCells(`${label} ${lines[0]}`, view.width);
  const inner = narrowView(view, 2);
  const rows = lines.flatMap((line) => wrapCells(line, inner.width));
  return [...wrapCells(label, view.width), ...rows.map((row) => (row === "" ? "" : `  ${row}`))];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
