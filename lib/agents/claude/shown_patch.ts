/**
 * The change of a file that Claude Code keeps beside a tool's result, as the lines of a diff.
 */
import type { DiffLine } from "../../event/payload.ts";
import { asList, asNumber, asObject, asText } from "../../reading/json_value.ts";
import type { Fields } from "./content.ts";

/** The lines of a `structuredPatch`: hunks with the numbers of their first lines. */
export function parsePatch(patch: unknown): DiffLine[] {
  return asList(patch).map(asObject).flatMap(toLines);
}

function toLines(hunk: Fields): DiffLine[] {
  let old = asNumber(hunk.oldStart) ?? 1;
  let now = asNumber(hunk.newStart) ?? 1;
  const { oldLines, newLines } = hunk;
  const head = `@@ -${old},${asNumber(oldLines) ?? 0} +${now},${asNumber(newLines) ?? 0} @@`;
  const lines: DiffLine[] = [{ kind: "hunk", content: head }];
  for (const value of asList(hunk.lines)) {
    const line = asText(value) ?? "";
    const content = line.slice(1);
    if (line.startsWith("+")) lines.push({ kind: "added", new: now++, content });
    else if (line.startsWith("-")) lines.push({ kind: "removed", old: old++, content });
    // `\ No newline at end of file`
    else if (line.startsWith("\\")) lines.push({ kind: "hunk", content: line });
    else lines.push({ kind: "context", old: old++, new: now++, content });
  }
  return lines;
}
