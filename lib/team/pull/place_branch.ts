/** Puts a downloaded branch in its place: a new session, the session's log, or the mirror. */
import { dirname, join } from "node:path";
import type { LockHolder } from "../../event/session_error.ts";
import { toSessionError } from "../../log/io_error.ts";
import { removeSync, renameSync } from "../../platform/files.ts";
import { draftName } from "../../session/copy/log_draft.ts";
import {
  makeDirectory,
  makeNamespace,
  plannedDirectory,
  syncDirectories,
} from "../../session/create_log.ts";
import { readLogEdges } from "../../session/read_summary.ts";
import type { MirroredBranch } from "../../session/remote_mirror.ts";
import { LOG_FILE } from "../../session/session_folder.ts";
import { namespaceOf } from "../../workspace/namespace.ts";
import type { IncomingPlace } from "./incoming_file.ts";
import { moveIntoMirror, writeMirrorNote } from "./mirror.ts";
import type { PullStep } from "./plan_pull.ts";

/** The place of a pulled branch. */
export type Placed =
  /** The session itself is in the store of this machine. */
  | { kind: "adopted"; path: string; cwd: string; created_at: string }
  /** Its log got what followed. */
  | { kind: "extended"; path: string }
  /** It lies in the mirror. */
  | { kind: "mirrored"; path: string };

/** Puts a branch in its place, once its bytes are on the disk. */
export async function placeBranch(
  root: string,
  mirror: MirroredBranch,
  { branch, into }: PullStep,
  { kind, path, holder }: IncomingPlace,
): Promise<Placed> {
  if (into === "log") return { kind: "extended", path };
  if (kind === "mirror") {
    writeMirrorNote(root, mirror, branch);
    return { kind: "mirrored", path };
  }
  const head = into === "session" ? headOf(path, branch.session) : undefined;
  // A log that does not say where it belongs can be read, but not continued.
  if (head !== undefined) return await adopt(root, path, branch.session, head, holder);
  return { kind: "mirrored", path: moveIntoMirror(root, mirror, path, branch) };
}

interface Head {
  cwd: string;
  created_at: string;
}

function headOf(path: string, id: string): Head | undefined {
  const { started } = readLogEdges(path).state;
  if (started?.session_id !== id || Number.isNaN(Date.parse(started.created_at))) return undefined;
  return { cwd: started.cwd, created_at: started.created_at };
}

/** Moves a draft into the folder that its session has on its own machine. */
async function adopt(
  root: string,
  draft: string,
  id: string,
  head: Head,
  holder: LockHolder,
): Promise<Placed> {
  const [namespace, created] = [namespaceOf(head.cwd), new Date(head.created_at)];
  const plan = { root, namespace, created, id, newId: () => id, holder };
  const directory = plannedDirectory(plan);
  const above = makeNamespace(plan);
  const folder = draftName(directory);
  try {
    // A pull that was killed here left an empty one.
    makeDirectory(folder);
    renameSync(draft, join(folder, LOG_FILE));
    await syncDirectories([folder]);
    renameSync(folder, directory);
  } catch (error) {
    discard(folder);
    throw toSessionError(error, "create session", directory);
  }
  await syncDirectories([...above, dirname(directory), directory]);
  return { kind: "adopted", path: join(directory, LOG_FILE), ...head };
}

function discard(folder: string): void {
  try {
    removeSync(folder, { recursive: true });
  } catch {
    // It has its name by now, or another pull was faster.
  }
}
