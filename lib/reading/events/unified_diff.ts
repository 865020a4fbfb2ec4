/** Lines of a unified diff, and of files that were added or deleted. */
import type { DiffLine } from "../../event/payload.ts";

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Lines of a unified diff. Headers before the first hunk say nothing that its path does not. */
export function unifiedDiffLines(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let old = 0;
  let now = 0;
  let inside = false;
  for (const line of textLines(diff)) {
    const [hunk, first_old, first_new] = HUNK.exec(line) ?? [];
    if (hunk !== undefined) {
      inside = true;
      old = Number(first_old);
      now = Number(first_new);
      lines.push({ kind: "hunk", content: line });
    } else if (!inside) continue;
    else if (line.startsWith("+")) {
      lines.push({ kind: "added", new: now++, content: line.slice(1) });
    } else if (line.startsWith("-")) {
      lines.push({ kind: "removed", old: old++, content: line.slice(1) });
    } else if (!line.startsWith("\\")) {
      lines.push({ kind: "context", old: old++, new: now++, content: line.slice(1) });
    }
  }
  return lines;
}

/** Lines of a file that was added or deleted. */
export function wholeFileLines(content: string, kind: "added" | "removed"): DiffLine[] {
  return textLines(content).map((text, index) =>
    kind === "added"
      ? { kind, new: index + 1, content: text }
      : { kind, old: index + 1, content: text }
  );
}

/** Lines of a text; a newline at its end begins none. */
export function textLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines[lines.length - 1] === "") lines.pop();
  return lines;
}
