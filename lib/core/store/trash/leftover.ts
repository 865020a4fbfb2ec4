/** Finds drafts that killed processes left behind. Lists ignore them. */
import { join } from "node:path";
import type { SessionError } from "../../event/session_error.ts";
import { toSessionError } from "../../log/io_error.ts";
import { mayBeLocked } from "../../log/session_lock.ts";
import { removeSync, renameSync } from "../../platform/files.ts";
import { finalName, goneName, isDraftName } from "../copy/log_draft.ts";
import { folderNames, ownFolderNames, sessionsDirectory } from "../session_folder.ts";
import { parseFolderName } from "../session_id.ts";
import { folderSize } from "./store_size.ts";

/** The remains of a session that was never finished. */
export interface Leftover {
  /** Path of the folder. */
  path: string;
  /** Size of all files in the folder, in bytes. */
  bytes: number;
}

export function findLeftovers(root: string, before: Date): Leftover[] {
  const sessions = sessionsDirectory(root);
  return ownFolderNames(sessions).flatMap((namespace) =>
    folderNames(join(sessions, namespace)).flatMap((name) => {
      const path = join(sessions, namespace, name);
      const draft = isDraftName(name) && parseFolderName(finalName(name)) !== undefined;
      if (!draft || mayBeLocked(path)) return [];
      const { bytes, changed_ms } = folderSize(path);
      return changed_ms < before.getTime() ? [{ path, bytes }] : [];
    })
  );
}

export function removeDraft(path: string): void {
  // Under another name first: a writer that is just done with it then fails, and loses no file.
  const gone = goneName(path);
  if (gone !== path) renameSync(path, gone);
  removeSync(gone, { recursive: true });
}

export function removeLeftovers(
  leftovers: readonly Leftover[],
  onError: (error: SessionError) => void,
): Leftover[] {
  return leftovers.filter(({ path }) => {
    try {
      removeDraft(path);
      return true;
    } catch (error) {
      onError(toSessionError(error, "remove leftover", path));
      return false;
    }
  });
}
