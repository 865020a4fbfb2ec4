/**
 * Writes sessions of oh-my-pi: pi's lines in oh-my-pi's folders. Version 18.2.3 was seen to resume
 * sessions by path. At its start, it moves folders with names in pi's style, and a session's path
 * would then be wrong. So the folders get oh-my-pi's own names.
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

/** Returns the folder name for a working directory (18.2.3, src/session/session-paths.ts). */
function ompFolderName({ home, variable }: AgentPlace, cwd: string): string {
  const real = resolvedFolder(cwd);
  const inHome = relativeTo(home, real);
  if (inHome !== undefined) return `-${inHome}`;
  const inTemporary = relativeTo(variable("TMPDIR") || "/tmp", real);
  if (inTemporary !== undefined) return inTemporary === "" ? "-tmp" : `-tmp-${inTemporary}`;
  return folderName(real);
}

function relativeTo(folder: string, path: string): string | undefined {
  const way = relative(resolvedFolder(folder), path);
  return way.startsWith("..") || isAbsolute(way) ? undefined : way.replace(/[/\\:]/g, "-");
}
