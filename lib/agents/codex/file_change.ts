/**
 * The changes of files, from what Codex recorded of a patch. By file it is
 * `{type: "add", content}`, `{type: "delete", content}` or
 * `{type: "update", unified_diff, move_path}` (codex-rs/protocol, FileChange). Older versions name
 * the type as the key. Where there is no such record, the patch itself is read
 * (codex-rs/apply-patch: `*** Begin Patch`).
 */
import type { DiffLine, DiffPayload } from "../../event/payload.ts";
import { asName, asObject, asText, present } from "../../reading/json_value.ts";
import { textLines, unifiedDiffLines, wholeFileLines } from "../../reading/events/unified_diff.ts";

/** One diff a file, from recorded changes. */
export function recordedDiffs(changes: unknown, call_id: string | undefined): DiffPayload[] {
  return Object.entries(asObject(changes)).map(([path, change]) => {
    const lines = changedLines(asObject(change));
    return present({ call_id, path: movedTo(asObject(change)) ?? path, lines });
  });
}

function movedTo(change: Readonly<Record<string, unknown>>): string | undefined {
  return asName(change.move_path) ?? asName(asObject(change.update).move_path);
}

function changedLines(change: Readonly<Record<string, unknown>>): DiffLine[] {
  const { type = Object.keys(change)[0] } = change;
  const inner = change.type === undefined ? asObject(change[String(type)]) : change;
  if (type === "add") return wholeFileLines(asText(inner.content) ?? "", "added");
  if (type === "delete") return wholeFileLines(asText(inner.content) ?? "", "removed");
  return unifiedDiffLines(asText(inner.unified_diff) ?? "");
}

const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;

/** One diff a file, from a patch. Its hunks carry no line numbers. */
export function patchDiffs(patch: string, call_id: string): DiffPayload[] {
  const diffs: (DiffPayload & { path: string })[] = [];
  for (const line of textLines(patch)) {
    const path = FILE.exec(line)?.[2];
    const diff = diffs[diffs.length - 1];
    const moved = MOVE.exec(line)?.[1];
    if (path !== undefined) diffs.push({ call_id, path, lines: [] });
    else if (diff === undefined || line.startsWith("*** ")) {
      if (moved !== undefined && diff !== undefined) diff.path = moved;
    } else diff.lines.push(patchLine(line));
  }
  return diffs;
}

function patchLine(line: string): DiffLine {
  if (line.startsWith("@@")) return { kind: "hunk", content: line };
  const content = line.slice(1);
  if (line.startsWith("+")) return { kind: "added", content };
  return line.startsWith("-") ? { kind: "removed", content } : { kind: "context", content };
}
