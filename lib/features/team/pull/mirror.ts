/** The mirror of branches: their logs, and a note beside each. */
import { dirname, join } from "node:path";
import { fields, number, parsedAs, text } from "../../../core/event/guard.ts";
import { present } from "../../../core/event/present.ts";
import { isThere } from "../../../core/file/presence.ts";
import { shortTextIn } from "../../../core/file/short_file.ts";
import { toSessionError } from "../../../core/log/io_error.ts";
import { removeQuietly } from "../../../core/file/remove_quietly.ts";
import { renameSync } from "../../../core/platform/files.ts";
import { makeDirectories } from "../../../core/store/create_log.ts";
import {
  MIRROR_NOTE,
  mirrorDirectory,
  type MirroredBranch,
  mirrorLog,
  remoteDirectory,
} from "../../../core/store/remote_mirror.ts";
import { assertOwnFolder } from "../../../core/store/store_safety.ts";
import { teamRef } from "../../../agents/contract/session_name.ts";
import { replaceRecord, type SyncState } from "../state/sync_state.ts";
import type { SharedBranch } from "../team_store.ts";
import type { PulledBranch } from "./plan_pull.ts";

const NOTE_BYTES = 64 * 1024;

export type MirrorNote = Omit<PulledBranch, "keys">;

/** Reads the note of a mirrored branch; undefined if the branch has no mirror with a note. */
export function readMirrorNote(root: string, branch: MirroredBranch): MirrorNote | undefined {
  const path = join(mirrorDirectory(root, branch), MIRROR_NOTE);
  const json = shortTextIn(path, NOTE_BYTES, { follow: false });
  const note = parsedAs<MirrorNote>(json, fields({ len: number, head: text }));
  return isThere(mirrorLog(root, branch)) ? note : undefined;
}

/** Removes the mirror of a branch that is now in the store of this machine. */
export function removeMirror(root: string, place: MirroredBranch): void {
  removeQuietly(mirrorDirectory(root, place), { recursive: true });
}

export function writeMirrorNote(
  root: string,
  place: MirroredBranch,
  branch: PulledBranch,
): void {
  const { keys: _keys, ...note } = branch;
  replaceRecord(join(mirrorDirectory(root, place), MIRROR_NOTE), note);
}

export function mirrorPlace(
  { owner, session, n }: Pick<SharedBranch, "owner" | "session" | "n">,
  state: Pick<SyncState, "store" | "owner">,
): MirroredBranch {
  return present({
    store: state.store,
    session,
    n,
    owner: owner === state.owner ? undefined : owner,
  });
}

/** Moves a complete draft into the mirror. Returns its path there. */
export function moveIntoMirror(
  root: string,
  place: MirroredBranch,
  draft: string,
  branch: PulledBranch,
): string {
  const path = mirrorLog(root, place);
  try {
    makeDirectories(dirname(path));
    assertOwnFolder(remoteDirectory(root));
    assertOwnFolder(dirname(path));
    renameSync(draft, path);
  } catch (error) {
    throw toSessionError(error, "write mirror", path);
  }
  writeMirrorNote(root, place, branch);
  return path;
}

/** Names a branch as people write it: `team:[owner/]<id>[@n]`; the owner only of others' sessions. */
export function mirrorRef(
  { owner, session, n }: Pick<SharedBranch, "owner" | "session" | "n">,
  me: string,
): string {
  return teamRef({ session, n, owner: owner === me ? undefined : owner });
}
