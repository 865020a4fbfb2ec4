/**
 * Reads the unified diff of one file. The tools `edit`, `patch` and `apply_patch` keep it in their
 * metadata (OpenCode 1.18.34, src/tool/edit.ts: `createTwoFilesPatch` of the package `diff`).
 */
import type { DiffLine } from "../../event/payload.ts";

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;
/** Lines before the first hunk that tell which file it is. */
const HEADER = /^(Index: |===|--- |\+\+\+ |diff |index |new file|deleted file|similarity|rename )/;

/** The lines of a unified diff, with their numbers where hunks tell them. */
export function parseUnifiedDiff(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let at: { old: number; new: number } | undefined;
  for (const line of diff.replace(/\r?\n$/, "").split(/\r?\n/)) {
    const hunk = HUNK.exec(line);
    if (hunk !== null) {
      at = { old: Number(hunk[1]), new: Number(hunk[2]) };
      lines.push({ kind: "hunk", content: line });
    } else if (at !== undefined) {
      lines.push(numbered(line, at));
    } else if (!HEADER.test(line) && line !== "") {
      lines.push({ kind: "context", content: line });
    }
  }
  return lines;
}

function numbered(line: string, at: { old: number; new: number }): DiffLine {
  const content = line.slice(1);
  if (line.startsWith("+")) return { kind: "added", new: at.new++, content };
  if (line.startsWith("-")) return { kind: "removed", old: at.old++, content };
  // `\ No newline at end of file` is no line of either file.
  if (line.startsWith("\\")) return { kind: "context", content: line };
  return { kind: "context", old: at.old++, new: at.new++, content };
}
