/** Counts the lines that a session changed in each file, from the diffs in its transcript. Pure. */
import type { DiffItem, TranscriptItem } from "./transcript/item.ts";

export interface ChangedFile {
  /** Path, absolute or relative to the working directory; empty if it was not recorded. */
  path: string;
  added: number;
  removed: number;
}

export type ChangedFiles = Map<string, ChangedFile>;

export function sortedFiles(files: ChangedFiles): ChangedFile[] {
  return [...files.values()].sort((a, b) => a.path < b.path ? -1 : 1);
}

export function changeOf({ path = "", lines }: DiffItem): ChangedFile {
  const change = { path, added: 0, removed: 0 };
  for (const { kind } of lines) {
    if (kind === "added") change.added++;
    else if (kind === "removed") change.removed++;
  }
  return change;
}

export function noteChange(files: ChangedFiles, item: TranscriptItem): void {
  if (item.type !== "diff") return;
  const change = changeOf(item);
  const file = files.get(change.path);
  if (file === undefined) files.set(change.path, change);
  else {
    file.added += change.added;
    file.removed += change.removed;
  }
}
