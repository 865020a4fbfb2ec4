/**
 * The arguments of a tool call in full.
 *
 * @module
 */
import { isObject } from "../../event/guard.ts";
import { sanitizeLine, sanitizeText } from "../sanitize.ts";
import { expandTabs, wrapCells } from "../wrap.ts";
import { narrowView, type View } from "./view.ts";

/** One after another; texts keep their lines. */
export function renderInput(input: unknown, view: View): string[] {
  if (input === undefined) return [];
  if (!isObject(input)) return renderValue("input", input, view);
  return Object.entries(input).flatMap(([key, value]) => renderValue(key, value, view));
}

function renderValue(key: string, value: unknown, view: View): string[] {
  const text = typeof value === "string" && value !== "" ? value : JSON.stringify(value);
  const lines = sanitizeText(text).split("\n").map((line) => expandTabs(line, 4));
  const label = sanitizeLine(key) + ":";
  if (lines.length === 1) return wrapCells(`${label} ${lines[0]}`, view.width);
  const inner = narrowView(view, 2);
  const rows = lines.flatMap((line) => wrapCells(line, inner.width));
  return [...wrapCells(label, view.width), ...rows.map((row) => (row === "" ? "" : `  ${row}`))];
}
