/**
 * The folders of shared sessions of other members and of other branches, in the data root:
 * `remote/<store>/[<owner>/]<session>[@n]`. All of it comes from a store and can be deleted.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { isThere } from "../file/presence.ts";
import { folderNames, LOG_FILE } from "./session_folder.ts";

/** A branch of a shared session: the names that identify it. */
export interface MirroredBranch {
  /** The store's id. */
  store: string;
  /** The member who shares the session; absent if it is the user. */
  owner?: string;
  /** The shared session's id: of a Reprise log, or `<agent>:<id>`. */
  session: string;
  /** The branch's number, from 1. */
  n: number;
}

export interface MirroredLog extends MirroredBranch {
  /** Absolute path of the log. */
  path: string;
}

export const MIRROR_NOTE = "branch.json";

/** Returns the folder of all sessions that were pulled from a team's store. */
export function remoteDirectory(root: string): string {
  return join(root, "remote");
}

/** Returns the folder of a branch, which is always inside the mirror. */
export function mirrorDirectory(root: string, branch: MirroredBranch): string {
  const { store, owner, session, n } = branch;
  const above = join(remoteDirectory(root), mirrorName(store));
  const folder = n === 1 ? mirrorName(session) : `${mirrorName(session)}@${n}`;
  return owner === undefined ? join(above, folder) : join(above, mirrorName(owner), folder);
}

export function mirrorLog(root: string, branch: MirroredBranch): string {
  return join(mirrorDirectory(root, branch), LOG_FILE);
}

const LONGEST_NAME = 160;

/** Returns an encoded name that every file system accepts, without separators or a leading dot. */
function mirrorName(name: string): string {
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll("*", "%2A")
    .replaceAll(/^\.|\.$/g, "%2E");
  if (encoded.length <= LONGEST_NAME && encoded !== "") return encoded;
  return `%-${createHash("sha256").update(name).digest("hex")}`;
}

export function* mirroredLogs(root: string, store?: string): Generator<MirroredLog> {
  const remote = remoteDirectory(root);
  for (const folder of store === undefined ? folderNames(remote) : [mirrorName(store)]) {
    const found = decoded(folder);
    if (found === undefined) continue;
    for (const name of folderNames(join(remote, folder))) {
      yield* branchIn(join(remote, folder), name, { store: found });
      const owner = decoded(name);
      if (owner === undefined) continue;
      for (const session of folderNames(join(remote, folder, name))) {
        yield* branchIn(join(remote, folder, name), session, { store: found, owner });
      }
    }
  }
}

function* branchIn(
  parent: string,
  name: string,
  place: Pick<MirroredBranch, "store" | "owner">,
): Generator<MirroredLog> {
  const [, folder = name, n = "1"] = /^([^@]*)@(\d{1,9})$/.exec(name) ?? [];
  const session = decoded(folder);
  const path = join(parent, name, LOG_FILE);
  if (session === undefined || !isThere(path)) return;
  yield { ...place, session, n: Number(n), path };
}

/** Returns the name that a folder encodes; undefined if the name was shortened or is invalid. */
function decoded(folder: string): string | undefined {
  try {
    return folder.startsWith("%-") ? undefined : decodeURIComponent(folder);
  } catch {
    // URIError: it is no branch of ours.
    return undefined;
  }
}
