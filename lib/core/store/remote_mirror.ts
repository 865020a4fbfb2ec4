/**
 * The folders of sessions that a team shares, in the data root: `remote/<store>/[<owner>/]<session>`.
 * All of it comes from a store and can be deleted.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { isThere } from "../file/presence.ts";
import { folderNames, LOG_FILE } from "./session_folder.ts";

export interface MirroredSession {
  /** The id of the store that shares the session. */
  store: string;
  /** The member who shares the session; absent if it is the user. */
  owner?: string;
  /** The shared session's id: of a Reprise log, or `<agent>:<id>`. */
  session: string;
}

export interface MirroredLog extends MirroredSession {
  path: string;
}

/** Name of the file that says where a mirrored session came from. */
export const MIRROR_NOTE = "copy.json";

export function remoteDirectory(root: string): string {
  return join(root, "remote");
}

/** Returns the folder of a shared session, which is always inside the mirror. */
export function mirrorDirectory(root: string, shared: MirroredSession): string {
  const { store, owner, session } = shared;
  const above = join(remoteDirectory(root), mirrorName(store));
  const folder = mirrorName(session);
  return owner === undefined ? join(above, folder) : join(above, mirrorName(owner), folder);
}

export function mirrorLog(root: string, shared: MirroredSession): string {
  return join(mirrorDirectory(root, shared), LOG_FILE);
}

const LONGEST_NAME = 160;

/** Encodes a name for every file system, with no separator or outer dot. Hashes a long name. */
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
      yield* sessionIn(join(remote, folder), name, { store: found });
      const owner = decoded(name);
      if (owner === undefined) continue;
      for (const session of folderNames(join(remote, folder, name))) {
        yield* sessionIn(join(remote, folder, name), session, { store: found, owner });
      }
    }
  }
}

function* sessionIn(
  parent: string,
  name: string,
  place: Pick<MirroredSession, "store" | "owner">,
): Generator<MirroredLog> {
  const session = decoded(name);
  const path = join(parent, name, LOG_FILE);
  if (session === undefined || !isThere(path)) return;
  yield { ...place, session, path };
}

/** Returns the name that a folder encodes. `undefined` if the name was hashed or is invalid. */
function decoded(folder: string): string | undefined {
  try {
    return folder.startsWith("%-") ? undefined : decodeURIComponent(folder);
  } catch {
    // URIError: it is no folder of ours.
    return undefined;
  }
}
