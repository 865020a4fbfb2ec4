/**
 * Finds the files of a session's sub-agents. Since version 2.1, they are
 * `<id>/subagents/agent-<agent>.jsonl` beside the session's file. In 2.0, they are
 * `agent-<agent>.jsonl` in the session's folder, and their records name the session.
 */
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { changeTime } from "../../core/file/presence.ts";
import { fieldNames, findFields, textField } from "../../core/log/json_bytes/find_fields.ts";
import { type FolderEntry, listFolder, readJsonObject } from "../engine/files/folder.ts";
import { asName } from "../engine/json.ts";
import { readEdges } from "../engine/records/file_edges.ts";
import type { SubagentFile } from "../engine/tree/tree_format.ts";
import type { AgentSession } from "../contract/agent.ts";
import { isSubagentFile, subagentOf } from "./subagent_name.ts";

/** Lists the files of a session's sub-agents. Empty for the file of a sub-agent itself. */
export function subagentFiles({ id, path }: Pick<AgentSession, "id" | "path">): SubagentFile[] {
  const name = basename(path);
  if (isSubagentFile(name)) return [];
  const folder = dirname(path);
  // Most sessions have none, and a folder that is missing costs more to list than to look for.
  const own_folder = join(folder, id, "subagents");
  const own = existsSync(own_folder) ? filesBelow(own_folder) : [];
  const beside = filesBeside(folder).get(id) ?? [];
  const times = new Map<string, number>();
  return [...own, ...beside].map((file) => {
    const agent = subagentOf(basename(file));
    const count = (times.get(agent) ?? 0) + 1;
    times.set(agent, count);
    return {
      id: count === 1 ? agent : `${agent}.${count}`,
      path: file,
      // Read where it is asked for.
      get task(): string | undefined {
        return asName(readJsonObject(file.replace(/\.jsonl$/, ".meta.json")).description);
      },
    };
  });
}

export function filesBelow(folder: string): string[] {
  return listFolder(folder).flatMap(({ name, path, isFile, isDirectory }) => {
    if (isDirectory) return filesBelow(path);
    return isFile && isSubagentFile(name) ? [path] : [];
  });
}

interface Listing {
  changed: number;
  files: ReadonlyMap<string, readonly string[]>;
}

/** Cached listings by folder. Listing a folder opens every sub-agent's file in it. */
const listings = new Map<string, Listing>();
const MOST_LISTINGS = 64;

/** Groups the sub-agents' files in a folder by the id of the session that each file names. */
export function filesBeside(
  folder: string,
  entries?: readonly FolderEntry[],
): ReadonlyMap<string, readonly string[]> {
  const changed = changeTime(folder);
  const known = listings.get(folder);
  if (known !== undefined && known.changed === changed) return known.files;
  const files = new Map<string, string[]>();
  for (const { name, path, isFile } of entries ?? listFolder(folder)) {
    if (!isFile || !isSubagentFile(name)) continue;
    const session = sessionIn(path) ?? "";
    const list = files.get(session);
    if (list === undefined) files.set(session, [path]);
    else list.push(path);
  }
  if (listings.size >= MOST_LISTINGS) listings.clear();
  listings.set(folder, { changed, files });
  return files;
}

const SESSION = fieldNames("sessionId");

export function sessionIn(path: string): string | undefined {
  const { head, cut } = readEdges(path, { tail_bytes: 0 });
  for (const bytes of [...head.map((line) => line.bytes), ...(cut === undefined ? [] : [cut])]) {
    const id = textField(bytes, findFields(bytes, SESSION), 0);
    if (id !== undefined) return id;
  }
  return undefined;
}
