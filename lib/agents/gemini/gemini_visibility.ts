/**
 * Finds out why Gemini CLI's own list leaves out a chat. The list shows the chats of the directory
 * in which the client starts. A listed chat has a message and a project hash, and is not a
 * subagent's chat. Tried with `--list-sessions` of 0.61.
 */
import { basename } from "node:path";
import { SessionError } from "../../core/event/session_error.ts";
import { directoryAbsence } from "../../core/workspace/session_directory.ts";
import type { Json } from "../engine/json.ts";
import { readHeadRecords } from "../engine/records/file_edges.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import type { ReadHiddenReason } from "../contract/visibility.ts";
import { markedRoot, projectFolder, readProjects } from "./project_root.ts";

export function geminiVisibility({ folder: home }: AgentPlace): ReadHiddenReason {
  const projects = readProjects(home);
  return ({ path }, { message_count }) => {
    const folder = projectFolder(path);
    if (folder === undefined) return undefined;
    const root = markedRoot(folder) ?? projects.get(basename(folder));
    if (root === undefined) {
      const reason =
        "Gemini CLI has no file that records which project directory the session's folder " +
        `belongs to: ${basename(folder)}`;
      return { reason, ...COPY };
    }
    const absence = directoryAbsence(root);
    if (absence !== undefined) {
      return { reason: `the session's directory is ${absence}: ${root}`, ...COPY };
    }
    const { projectHash, kind } = headOf(path);
    if (kind === "subagent") return { reason: "the session belongs to a subagent", commands: [] };
    if (projectHash === "") {
      return {
        reason:
          "the file's project hash (projectHash) does not match the session's directory, so " +
          "Gemini CLI does not list the session",
        ...COPY,
      };
    }
    return message_count === 0
      ? { reason: "the session has no messages", commands: [] }
      : undefined;
  };
}

const COPY = { commands: [], copy_helps: true } as const;

/** Returns a chat's first record, its head since 0.40. Empty if it is unreadable. */
function headOf(path: string): Json {
  try {
    return readHeadRecords(path)[0]?.value ?? {};
  } catch (error) {
    // Reading the chat says why.
    if (error instanceof SessionError) return {};
    throw error;
  }
}
