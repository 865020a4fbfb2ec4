/** The files that a session is read from: while they are as they were, so is it. */
import type { AgentSession, SessionFiles } from "../../source/agent.ts";
import { listFolder } from "./folder.ts";
import { ownFolder } from "./own_folder.ts";
import { sqliteFiles } from "../sqlite/sqlite_file.ts";

/** Returns those that names tell; undefined where the session's name does not tell. */
export function filesByName(session: AgentSession): SessionFiles | undefined {
  const { path } = session;
  if (/\.(?:db|sqlite)$/.test(path)) return { paths: sqliteFiles(path) };
  if (!/\.(?:jsonl?|md)$/.test(path)) return undefined;
  const folder = ownFolder(session);
  const around = folder === undefined ? [] : listFolder(folder).filter(({ isFile }) => isFile);
  return { paths: [...new Set([path, ...around.map((entry) => entry.path)])] };
}

/** True if the bytes of a file are those of its JSON: it is no folder, and not compressed. */
export function isPlainJson(path: string): boolean {
  return /\.jsonl?$/.test(path);
}

/** Returns files that hold all texts word for word; undefined where one of them is not plain. */
export function verbatimIn(paths: readonly string[], added_words = ""): SessionFiles | undefined {
  return paths.every(isPlainJson) ? { paths, added_words } : undefined;
}
