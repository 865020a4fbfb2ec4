/** Parses unified diffs, and makes diff lines of added, deleted and changed files. */
import type { DiffLine } from "../../../core/event/payload.ts";

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Returns a unified diff's lines without its file headers. The headers only repeat the path. */
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

export function wholeFileLines(content: string, kind: "added" | "removed"): DiffLine[] {
  return textLines(content).map((text, index) =>
    kind === "added"
      ? { kind, new: index + 1, content: text }
      : { kind, old: index + 1, content: text }
  );
}

const CONTEXT_LINES = 3;

/** Returns diff lines from first to last difference, with context. Empty for equal texts. */
export function changedLines(before: string, after: string): DiffLine[] {
  const [old, now] = [textLines(before), textLines(after)];
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  if (head === old.length && head === now.length) return [];
  const from = Math.max(0, head - CONTEXT_LINES);
  const behind = Math.min(tail, CONTEXT_LINES);
  const counts = [old, now].map(({ length }) => `${from + 1},${length - tail + behind - from}`);
  const hunk = [
    `@@ -${counts[0]} +${counts[1]} @@`,
    ...old.slice(from, head).map((text) => ` ${text}`),
  ];
  for (const text of old.slice(head, old.length - tail)) hunk.push(`-${text}`);
  for (const text of now.slice(head, now.length - tail)) hunk.push(`+${text}`);
  for (const text of now.slice(now.length - tail).slice(0, behind)) hunk.push(` ${text}`);
  return unifiedDiffLines(hunk.join("\n"));
}

export function textLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines[lines.length - 1] === "") lines.pop();
  return lines;
}
