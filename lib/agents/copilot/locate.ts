/**
 * Locates Copilot CLI's sessions. Copilot CLI 0.0.420 stores a session in
 * `session-state/<id>/events.jsonl` (index.js, `effectivePath`, `listSessions`). The form before it
 * was `session-state/<id>.jsonl`. The oldest form was
 * `history-session-state/session_<id>_<ms>.json` (`loadLegacySession`). If one session has files in
 * several forms, only the newest form is returned.
 */
import { basename, dirname, join } from "node:path";
import { present } from "../../core/event/present.ts";
import { SETTINGS_BYTES, shortTextIn } from "../../core/file/short_file.ts";
import { type FolderEntry, listFolder } from "../engine/files/folder.ts";
import { asText, parsedJson } from "../engine/json.ts";
import type { AgentSession } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";

export async function* locateSessions(
  { folder }: AgentPlace,
): AsyncGenerator<AgentSession> {
  const found = new Set<string>();
  for (const path of [...eventFiles(join(folder, "session-state")), ...documents(folder)]) {
    const id = idInName(path);
    if (!found.has(id)) yield { agent: "copilot", id, path };
    found.add(id);
  }
}

function eventFiles(folder: string): string[] {
  const entries = listFolder(folder);
  const inFolders = entries.filter(({ isDirectory }) => isDirectory).flatMap(({ path }) =>
    listFolder(path).filter(({ name, isFile }) => isFile && name === "events.jsonl")
  );
  const bare = entries.filter(({ name, isFile }) => isFile && name.endsWith(".jsonl"));
  return [...inFolders, ...bare].map(({ path }) => path);
}

function documents(root: string): string[] {
  const isDocument = ({ name, isFile }: FolderEntry): boolean =>
    isFile && /^session_.+_\d+\.json$/.test(name);
  const savedAt = ({ name }: FolderEntry): number => Number(/_(\d+)\.json$/.exec(name)?.[1]);
  return listFolder(join(root, "history-session-state")).filter(isDocument)
    .sort((one, other) => savedAt(other) - savedAt(one)).map(({ path }) => path);
}

export function idInName(path: string): string {
  const name = basename(path);
  if (name === "events.jsonl") return basename(dirname(path));
  return /^session_(.+)_\d+\.json$/.exec(name)?.[1] ?? name.replace(/\.jsonl?$/, "");
}

/** True for a session document, the form used before the `session-state` folder. */
export function isDocument(path: string): boolean {
  return path.endsWith(".json");
}

interface Workspace {
  cwd?: string;
  title?: string;
}

/**
 * Reads the `workspace.yaml` next to a log. Its keys are flat in Copilot CLI 0.0.420. Copilot's
 * list shows `summary` (`listSessions`); a rename sets both `name` and `summary`.
 */
export function readWorkspace(path: string): Workspace {
  if (basename(path) !== "events.jsonl") return {};
  const text = shortTextIn(join(dirname(path), "workspace.yaml"), SETTINGS_BYTES) ?? "";
  const title = yamlText(text, "name") ?? yamlText(text, "summary");
  const cwd = yamlText(text, "cwd");
  return present({ cwd, title });
}

/** Returns the value of a top-level YAML key, which may be plain, quoted or a block. */
function yamlText(yaml: string, key: string): string | undefined {
  const match = new RegExp(`^${key}:[ \\t]*(.*)((?:\\n[ \\t]+.*|\\n(?=\\n))*)`, "m").exec(yaml);
  if (match === null) return undefined;
  const [, first = "", more = ""] = match;
  const head = first.trim();
  const lines = more.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const text = /^[|>][+-]?$/.test(head)
    ? lines.join(head.startsWith("|") ? "\n" : " ")
    : unquoted([head, ...lines].join(" "));
  return text === "" || text === "null" || text === "~" ? undefined : text;
}

function unquoted(text: string): string {
  if (/^'.*'$/s.test(text)) return text.slice(1, -1).replaceAll("''", "'");
  if (!/^".*"$/s.test(text)) return text;
  // It may have an escape that JSON does not have.
  return asText(parsedJson(text)) ?? text.slice(1, -1);
}
