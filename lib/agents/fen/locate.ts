/**
 * Where fen keeps its sessions.
 */
import { join } from "node:path";
import type { AgentEnvironment, AgentSession, LocateOptions } from "../agent.ts";
import { type FolderMatch, folderMatch, spellings } from "../folder_match.ts";
import { listFolder } from "../list_folder.ts";
import { fenSlug, isSessionName, readHeader, sessionAt } from "./session_file.ts";

/** `${XDG_STATE_HOME:-~/.local/state}/fen/sessions` (fen 0.17.0, session.fnl `state-dir`). */
function sessionsRoot({ home, variable }: AgentEnvironment): string {
  const state = variable("XDG_STATE_HOME") || join(home, ".local", "state");
  return join(state, "fen", "sessions");
}

/** Finds the sessions, folder by folder. */
export function* locateFen(
  environment: AgentEnvironment,
  { cwd }: LocateOptions = {},
): Generator<AgentSession> {
  const root = sessionsRoot(environment);
  const slugs = cwd === undefined ? undefined : new Set(spellings(cwd).map(fenSlug));
  const match = cwd === undefined ? undefined : folderMatch(cwd);
  for (const slug of listFolder(root).folders) {
    const folder = join(root, slug);
    const paths = listFolder(folder).files.filter(isSessionName).map((name) => join(folder, name));
    // Another slug may be another spelling of the same directory: only the headers tell.
    if (match !== undefined && !slugs?.has(slug) && !paths.some((path) => isOf(path, match))) {
      continue;
    }
    for (const path of paths) yield sessionAt(path);
  }
}

function isOf(path: string, match: FolderMatch): boolean {
  const cwd = readHeader(path)?.cwd;
  return cwd !== undefined && match(cwd);
}
