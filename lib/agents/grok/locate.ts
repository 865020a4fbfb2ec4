/**
 * Locates Grok Build's sessions: `sessions/<directory>/<id>/{updates.jsonl, summary.json}` (1.0,
 * session/storage/jsonl). A subagent's session lies beside its parent's, whose `subagents` names it.
 */
import { basename, dirname, join } from "node:path";
import { type FolderEntry, listFolder, readJsonObject } from "../engine/files/folder.ts";
import { asName, asObject, asText, type Json, present } from "../engine/json.ts";
import type { RewoundSubagent } from "../engine/sources/rewound_lines.ts";
import type { AgentSession, LocateOptions } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import { NO_FACTS } from "../contract/located_facts.ts";

/** Name of the file with a session's updates, from which Grok Build restores all other files. */
export const UPDATES = "updates.jsonl";

type Placed = Pick<AgentSession, "path">;

export async function* locateGrok(
  { folder }: AgentPlace,
  { subagents = false, facts = NO_FACTS }: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  for (const { path: project } of foldersIn(join(folder, "sessions"))) {
    const folders = foldersIn(project).map(({ path }) => ({ path, files: listFolder(path) }));
    const children = new Set(folders.flatMap(({ files }) => files.flatMap(childrenIn)));
    for (const { path, files } of folders) {
      const updates = files.find(({ name, isFile }) => isFile && name === UPDATES);
      if (updates === undefined || (!subagents && children.has(basename(path)))) continue;
      const paths = [updates.path, join(path, "summary.json")];
      yield await facts.recall(paths, () => sessionAt(updates.path));
    }
  }
}

function foldersIn(path: string): FolderEntry[] {
  return listFolder(path).filter(({ isDirectory }) => isDirectory);
}

function childrenIn({ name, path }: FolderEntry): string[] {
  return name === "subagents" ? foldersIn(path).map((child) => child.name) : [];
}

/** Returns the directory encoded in a folder's name. Undefined if the name was shortened. */
function directoryOf(project: string): string | undefined {
  const name = basename(project);
  try {
    const decoded = decodeURIComponent(name);
    return /^(?:[\\/]|[A-Za-z]:)/.test(decoded) ? decoded : undefined;
  } catch {
    // URIError: a name that was cut, with a hash.
    return undefined;
  }
}

export function readSummary({ path }: Placed): Json {
  return readJsonObject(join(dirname(path), "summary.json"));
}

export function sessionAt(path: string): AgentSession {
  const { id, cwd } = asObject(readSummary({ path }).info);
  const folder = dirname(path);
  const directory = asName(cwd) ?? directoryOf(dirname(folder));
  return present({ agent: "grok", id: asName(id) ?? basename(folder), path, cwd: directory });
}

export function subagentsOf({ path }: Placed): RewoundSubagent[] {
  const folder = dirname(path);
  return foldersIn(join(folder, "subagents")).flatMap((child) => {
    const { description, child_cwd } = readJsonObject(join(child.path, "meta.json"));
    const elsewhere = encodeURIComponent(asText(child_cwd) ?? "");
    const places = [
      child.path,
      join(dirname(folder), child.name),
      join(dirname(dirname(folder)), elsewhere, child.name),
    ];
    const file = places.flatMap(listFolder).find(({ name }) => name === UPDATES);
    return file === undefined
      ? []
      : [{ session: sessionAt(file.path), title: asName(description) }];
  });
}
