/**
 * Arguments of a tool that replaces a text by another: shown as a change, not as two texts.
 *
 * @module
 */
import { diffLines } from "npm:diff@9.0.0";
import type { DiffLine } from "../../event/payload.ts";
import { diffTable } from "./diff.ts";
import { NOTHING, safe, type SafeHtml } from "./safe_html.ts";
import type { HtmlView } from "./view.ts";

/** What agents call the text that goes and the one that comes. */
const NAMES = [
  ["old_string", "new_string"],
  ["old_text", "new_text"],
  ["oldText", "newText"],
  ["old_str", "new_str"],
] as const;

/** Longer texts are not compared. In UTF-16 units. */
const LIMIT = 64 * 1024;
const MAX_EDITS = 400;

/** A change, and the arguments that it shows. */
export interface Edit {
  edit: SafeHtml;
  used: ReadonlySet<string>;
}

/** The change that arguments tell of, if they do. */
export function editHtml(input: Record<string, unknown>, view: HtmlView): Edit {
  for (const [before_name, after_name] of NAMES) {
    const [before, after] = [input[before_name], input[after_name]];
    if (typeof before !== "string" || typeof after !== "string") continue;
    const lines = changedLines(before, after);
    if (lines === undefined) continue;
    const table = diffTable(lines, "The change that was asked for", view);
    return {
      edit: safe`<p class="label">Change</p>${table}`,
      used: new Set([before_name, after_name]),
    };
  }
  return { edit: NOTHING, used: new Set() };
}

function changedLines(before: string, after: string): DiffLine[] | undefined {
  if (before.length + after.length > LIMIT) return undefined;
  const changes = diffLines(before, after, { maxEditLength: MAX_EDITS });
  return changes?.flatMap(({ value, added, removed }) => {
    const kind = added ? "added" : removed ? "removed" : "context";
    const lines = value.endsWith("\n") ? value.slice(0, -1) : value;
    return lines.split("\n").map((content) => ({ kind, content } as const));
  });
}
