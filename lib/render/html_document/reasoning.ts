/**
 * Renders the model's reasoning, folded.
 *
 * @module
 */
import { firstLine } from "../first_line.ts";
import { foldedHtml } from "./folded.ts";
import { plainHtml } from "./markdown.ts";
import type { SafeHtml } from "./safe_html.ts";

const BEGINNING = 120;

/** HTML of a thought. */
export function thoughtHtml(text: string): SafeHtml {
  return foldedHtml("Reasoning", firstLine(text, BEGINNING), plainHtml(text.trim()));
}
