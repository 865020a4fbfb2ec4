/**
 * Tells which chats Gemini CLI's own list leaves out (0.61). It lists the folder of the directory
 * where it starts. The `projectHash` of a chat there must fit.
 */
import { basename } from "node:path";
import { SessionError } from "../../event/session_error.ts";
import { isFolderThere } from "../../file/presence.ts";
import { spellings } from "../../reading/files/folder_match.ts";
import { asText } from "../../reading/json_value.ts";
import { readHeadRecords } from "../../reading/records/file_edges.ts";
import type { AgentPlace } from "../../source/agent_environment.ts";
import type { ReadHiddenReason } from "../../source/visibility.ts";
import { markedRoot, pathHash, projectFolder, readProjects } from "./project_root.ts";

/** Tells why a list leaves out a chat. */
export function geminiVisibility({ folder: home }: AgentPlace): ReadHiddenReason {
  const projects = readProjects(home);
  return ({ path }) => {
    const folder = projectFolder(path);
    if (folder === undefined) return undefined;
    const root = markedRoot(folder) ?? projects.get(basename(folder));
    if (root === undefined) {
      const reason = `nothing names the directory of its folder: ${basename(folder)}`;
      return { reason, commands: [], copy_helps: true };
    }
    if (!isFolderThere(root)) {
      return { reason: `its directory is gone: ${root}`, commands: [], copy_helps: true };
    }
    const hash = hashIn(path);
    if (hash === undefined || spellings(root).some((spelling) => pathHash(spelling) === hash)) {
      return undefined;
    }
    const reason = `its project hash is that of another directory than ${root}`;
    return { reason, commands: [], copy_helps: true };
  };
}

/** Returns the hash in a chat's head; undefined where a document has it elsewhere. */
function hashIn(path: string): string | undefined {
  try {
    return asText(readHeadRecords(path)[0]?.value.projectHash);
  } catch (error) {
    // Reading the chat says why.
    if (error instanceof SessionError) return undefined;
    throw error;
  }
}
