/** Edits of a chat of VS Code (`IChatTextEditGroup`) as lines of a diff. */
import type { DiffLine, DiffPayload } from "../../event/payload.ts";
import { asList, asName, asNumber, asObject, asText, type Json } from "../../reading/json_value.ts";
import type { RoundCall } from "./rounds.ts";

/** Returns the edits of a file, unless a recorded call asked for them. */
export function unaskedEdits(
  { uri, edits }: Json,
  calls: Iterable<RoundCall>,
): DiffPayload | undefined {
  const { fsPath, path: plain } = asObject(uri);
  const path = asName(fsPath) ?? asText(plain) ?? "";
  const named = JSON.stringify(path).slice(1, -1);
  for (const { call } of calls) if (asText(call.arguments)?.includes(named)) return undefined;
  const lines = asList(edits).flatMap(asList).map(asObject).flatMap(editLines);
  return lines.length === 0 ? undefined : { path, lines };
}

/** Returns an edit as lines: what it replaced is not recorded. */
function editLines({ text, range }: Json): DiffLine[] {
  const { startLineNumber, endLineNumber } = asObject(range);
  const start = asNumber(startLineNumber) ?? 1;
  const added = (asName(text) ?? "").replace(/\r?\n$/, "").split(/\r?\n/);
  if (asName(text) === undefined) return [];
  const old = (asNumber(endLineNumber) ?? start) - start + 1;
  return [
    { kind: "hunk", content: `@@ -${start},${old} +${start},${added.length} @@` },
    ...added.map((content, index) => ({ kind: "added" as const, new: start + index, content })),
  ];
}
