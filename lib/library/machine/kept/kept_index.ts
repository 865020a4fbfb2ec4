/**
 * Lists the backed-up sessions of an agent. The list is a file with a line for each session, so
 * that 10,000 manifests need not be opened. Without the file, the manifests are read.
 */
import { present } from "../../../core/event/present.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { AGENT_NAMES, type AgentName } from "../../../core/event/agent_name.ts";
import { isObject } from "../../../core/event/guard.ts";
import { parsedJson } from "../../../core/event/parsed_json.ts";
import { RECORDS_BYTES, shortTextIn } from "../../../core/file/short_file.ts";
import { ownFolderNames } from "../../../core/store/session_folder.ts";
import {
  type KeptManifest,
  latestOf,
  mainFile,
  readKeptManifest,
  shownGeneration,
} from "./manifest.ts";

export interface KeptEntry {
  agent: AgentName;
  id: string;
  /** Name of the backup's folder within the agent's folder of backups. */
  folder: string;
  /** Absolute path of the original session's file. */
  path: string;
  /** Path of the newest copy of the session's own file, relative to `folder`. */
  copy: string;
  /** The session's directory. Absent if the agent records it only inside the session. */
  cwd?: string;
  archived?: boolean;
}

export function backupsDirectory(root: string): string {
  return join(root, "backups");
}

export function hasKept(root: string | undefined, agent: AgentName): boolean {
  return root !== undefined && existsSync(join(backupsDirectory(root), agent));
}

export function keptIndexPath(root: string, agent: AgentName): string {
  return join(backupsDirectory(root), agent, "index.jsonl");
}

export function keptFolder(
  root: string,
  { agent, folder }: Pick<KeptEntry, "agent" | "folder">,
): string {
  return join(backupsDirectory(root), agent, folder);
}

export function entryOf(folder: string, manifest: KeptManifest): KeptEntry {
  const { agent, id, cwd, archived } = manifest;
  const { path } = mainFile(latestOf(manifest));
  // A source that was deleted just after it was emptied is shown as it was before.
  const { copy } = mainFile(shownGeneration(manifest));
  return present({ agent, id, folder, path, copy, cwd, archived: archived || undefined });
}

export function readKept(root: string, agent: AgentName): KeptEntry[] {
  return readIndex(root, agent) ?? scanKept(root, agent);
}

function readIndex(root: string, agent: AgentName): KeptEntry[] | undefined {
  const text = shortTextIn(keptIndexPath(root, agent), RECORDS_BYTES, { follow: false });
  if (text === undefined) return undefined;
  const entries = new Map<string, KeptEntry>();
  for (const line of text.split("\n")) {
    const entry = line === "" ? undefined : parseEntry(line);
    // The last line of a session counts: its source may have moved.
    if (entry?.agent === agent) entries.set(entry.folder, entry);
  }
  return [...entries.values()];
}

function parseEntry(line: string): KeptEntry | undefined {
  // A killed process may have written a line in part.
  const value = parsedJson(line);
  return isEntry(value) ? value : undefined;
}

const PLAIN = /^(?!\.{1,2}(?:\/|$))[^/\\\0]+$/;

function isEntry(value: unknown): value is KeptEntry {
  return isObject(value) && AGENT_NAMES.includes(value.agent as AgentName) &&
    typeof value.id === "string" && typeof value.path === "string" &&
    typeof value.folder === "string" && PLAIN.test(value.folder) &&
    typeof value.copy === "string" && !/(?:^|[/\\])\.{1,2}(?:[/\\]|$)|^[/\\]/.test(value.copy);
}

export function scanKept(root: string, agent: AgentName): KeptEntry[] {
  const parent = join(backupsDirectory(root), agent);
  return ownFolderNames(parent).flatMap((folder) => {
    const manifest = readKeptManifest(join(parent, folder));
    return manifest?.agent === agent ? [entryOf(folder, manifest)] : [];
  });
}
