/**
 * The diff that pi shows of an edit: `+12 text`, `-12 text`, ` 12 text`, and `    ...` between.
 */
import type { DiffLine } from "../../event/payload.ts";

const NUMBERED = /^([+\- ])( *\d+) ?(.*)$/s;

/** The lines of a diff as pi shows it. */
export function parseShownDiff(diff: string): DiffLine[] {
  return diff.split("\n").map(toLine);
}

function toLine(line: string): DiffLine {
  const match = NUMBERED.exec(line);
  if (match === null) return unnumbered(line);
  const [, sign, number, content = ""] = match;
  const at = Number(number);
  if (sign === "+") return { kind: "added", new: at, content };
  if (sign === "-") return { kind: "removed", old: at, content };
  return { kind: "context", old: at, content };
}

function unnumbered(line: string): DiffLine {
  if (line.trim() === "...") return { kind: "hunk", content: "..." };
  if (line.startsWith("+")) return { kind: "added", content: line.slice(1) };
  if (line.startsWith("-")) return { kind: "removed", content: line.slice(1) };
  return { kind: "context", content: line.startsWith(" ") ? line.slice(1) : line };
}
