/** Shows what a session did to a file, as a unified diff. Pure. */
import { structuredPatch } from "npm:diff@9.0.0";
import { linesOf } from "../../../library/touches/file_lines.ts";
import type { FileChange } from "../../../library/touches/edit.ts";
import type { SessionFile } from "./session_files.ts";

/** Maximum number of changed lines that are compared. More would take long. */
const MOST_CHANGES = 20_000;

export interface LineCounts {
  added: number;
  removed: number;
}

/** A file's diff without its `---` and `+++` lines, and the counts of changed lines. */
export interface FileDiff extends LineCounts {
  lines: string[];
}

/**
 * Compares a file at the requested event with the file before the session. If one of the contents
 * is unknown, lists the recorded changes one after the other.
 */
export function fileDiff({ first, state, made }: SessionFile): FileDiff {
  const [before, after] = [first.content, state.content];
  const lines = contentDiff(before, after) ?? made.flatMap(changeLines);
  const starting = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  return { lines, added: starting("+"), removed: starting("-") };
}

/** Compares two contents; undefined if one is unknown or if too much differs. */
export function contentDiff(before: Content, after: Content): string[] | undefined {
  if (isBytes(before) || isBytes(after)) return ["Binary files differ"];
  return isText(before) && isText(after) ? textDiff(before ?? "", after ?? "") : undefined;
}

type Content = SessionFile["state"]["content"];

function isText(content: Content): content is string | null {
  return content === null || typeof content === "string";
}

function isBytes(content: Content): boolean {
  return content instanceof Uint8Array;
}

function textDiff(before: string, after: string): string[] | undefined {
  const options = { context: 3, maxEditLength: MOST_CHANGES };
  // An empty side has the number of the line before it.
  const side = (start: number, count: number): string =>
    `${count === 0 ? start - 1 : start},${count}`;
  return structuredPatch("", "", before, after, undefined, undefined, options)?.hunks.flatMap(
    ({ oldStart, oldLines, newStart, newLines, lines }) => [
      `@@ -${side(oldStart, oldLines)} +${side(newStart, newLines)} @@`,
      ...lines,
    ],
  );
}

function changeLines(change: FileChange): string[] {
  const parts = change.kind === "write"
    ? [{ removed: [], added: linesOf(change.content) }]
    : change.kind === "blocks"
    ? change.blocks
    : change.replacements.map(({ old_text, new_text }) => ({
      removed: linesOf(old_text),
      added: linesOf(new_text),
    }));
  return parts.flatMap((part) => {
    const { before = [], after = [] } = "before" in part ? part : {};
    return [
      "@@ recorded change @@",
      ...before.map((line) => ` ${line}`),
      ...part.removed.map((line) => `-${line}`),
      ...part.added.map((line) => `+${line}`),
      ...after.map((line) => ` ${line}`),
    ];
  });
}
