/** Tells which files of a project a session changed, and if they changed since. */
import { isNotFound } from "../../core/platform/system_error.ts";
import { lstatSync } from "../../core/platform/files.ts";
import type { TranscriptItem } from "../../core/projection/transcript/item.ts";
import { sessionDirectory } from "../../core/workspace/session_directory.ts";

interface ChangedSince {
  /** The file's path relative to the session's directory. */
  name: string;
  since: "unchanged since" | "changed since" | "deleted since";
}

/** Maximum milliseconds from an agent's record of a change to the write of the file. */
const WRITTEN_WITHIN_MS = 2000;

/** Returns names of changed files, the last change first. Skips files outside `cwd`. */
export function changedNames(
  items: readonly TranscriptItem[],
  cwd: string | undefined,
): string[] {
  const directory = sessionDirectory(cwd);
  const names = items.flatMap((item) =>
    item.type === "diff" && item.path ? directory?.nameOf(item.path) ?? [] : []
  );
  return [...new Set(names.reverse())].filter((name) => !name.split("/").includes(".."));
}

/** Compares files' mtime with `updated_at`. So a checkout, which sets mtime, counts as a change. */
export function changedSince(
  names: readonly string[],
  { cwd, updated_at = "" }: { cwd?: string; updated_at?: string },
): ChangedSince[] {
  const last = Date.parse(updated_at) + WRITTEN_WITHIN_MS;
  return names.flatMap((name) => {
    const path = sessionDirectory(cwd)?.pathOf(name) ?? name;
    try {
      const { mtime } = lstatSync(path);
      return { name, since: (mtime?.getTime() ?? 0) > last ? "changed since" : "unchanged since" };
    } catch (error) {
      return isNotFound(error) ? { name, since: "deleted since" } : [];
    }
  });
}
