/** Computes the diff of a file's change, for screen and log. */
import { structuredPatch } from "npm:diff@9.0.0";
import type { DiffLine } from "../../../core/pipeline/mod.ts";

const CONTEXT_LINES = 3;
/** Maximum number of changed lines. Larger diffs are slow and unreadable. */
const MAX_EDITS = 4000;
const MAX_LINES = 2000;

/** Returns the diff's lines, or a single hunk with the line counts if too many lines changed. */
export function diffLines(before: string, after: string): DiffLine[] {
  const options = { context: CONTEXT_LINES, maxEditLength: MAX_EDITS };
  const patch = structuredPatch("", "", before, after, undefined, undefined, options);
  const lines = patch?.hunks.flatMap(hunkLines);
  if (lines !== undefined && lines.length <= MAX_LINES) return lines;
  return [{ kind: "hunk", content: `@@ too many changes to show: ${counts(before, after)} @@` }];
}

interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
}

function hunkLines({ oldStart, oldLines, newStart, newLines, lines }: Hunk): DiffLine[] {
  let old = oldStart;
  let now = newStart;
  // An empty side has the number of the line before it.
  const at = (start: number, lines: number): string =>
    `${lines === 0 ? start - 1 : start},${lines}`;
  const content = `@@ -${at(oldStart, oldLines)} +${at(newStart, newLines)} @@`;
  const shown: DiffLine[] = [{ kind: "hunk", content }];
  for (const line of lines) {
    const text = line.slice(1);
    if (line.startsWith("+")) shown.push({ kind: "added", new: now++, content: text });
    else if (line.startsWith("-")) shown.push({ kind: "removed", old: old++, content: text });
    // "\ No newline at end of file" is not a line.
    else if (!line.startsWith("\\")) {
      shown.push({ kind: "context", old: old++, new: now++, content: text });
    }
  }
  return shown;
}

function counts(before: string, after: string): string {
  const count = (text: string): number => text === "" ? 0 : text.split("\n").length;
  return `${count(before)} lines before, ${count(after)} after`;
}
