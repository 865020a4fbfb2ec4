/**
 * Writes sessions of oh-my-pi: pi's lines in folders of its own. Version 18.2.3 was seen to resume
 * them by their path. At its start it moves folders that are named as pi's are, and the path would
 * lead nowhere then. So the names are its own.
 */
import { isAbsolute, join, relative } from "node:path";
import { USUAL_WRITER } from "../../engine/handed/usual_writer.ts";
import { resolvedFolder } from "../../engine/files/folder_match.ts";
import type { AgentPlace } from "../../contract/agent_environment.ts";
import type { SessionWriter } from "../../contract/session_writer.ts";
import { folderName } from "../locate.ts";
import { fileName, piWriter, sessionLines } from "./pi_writer.ts";

const { edit: _, ...tools } = piWriter.tools;

export const ompWriter: SessionWriter = {
  ...piWriter,
  // It reads a part by a selector in the path, and edits by a patch in a language of its own.
  tools: {
    ...tools,
    read: {
      name: "read",
      input: ({ path, offset, limit }) => (offset ?? limit) === undefined ? { path } : undefined,
    },
  },
  takesImage: USUAL_WRITER.takesImage,
  place: (place, { id, cwd, begun }) => ({
    path: join(place.folder, "sessions", ompFolderName(place, cwd), fileName(id, begun)),
  }),
  write: (session) => sessionLines(session, {}, true),
};

/** Returns the folder of a working directory (18.2.3, src/session/session-paths.ts). */
function ompFolderName({ home, variable }: AgentPlace, cwd: string): string {
  const real = resolvedFolder(cwd);
  const inHome = relativeTo(home, real);
  if (inHome !== undefined) return `-${inHome}`;
  const inTemporary = relativeTo(variable("TMPDIR") || "/tmp", real);
  if (inTemporary !== undefined) return inTemporary === "" ? "-tmp" : `-tmp-${inTemporary}`;
  return folderName(real);
}

/** Returns the relative path with `-` as separator; undefined for a path outside the folder. */
function relativeTo(folder: string, path: string): string | undefined {
  const way = relative(resolvedFolder(folder), path);
  return way.startsWith("..") || isAbsolute(way) ? undefined : way.replace(/[/\\:]/g, "-");
}
