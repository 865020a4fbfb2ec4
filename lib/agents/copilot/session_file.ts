/**
 * The files of a session of Copilot CLI: its log, and what `workspace.yaml` beside it says.
 */
import { present } from "../../event/present.ts";
import { basename, dirname, join } from "node:path";
import { readShortText, SETTINGS_BYTES } from "../../file/short_file.ts";

/** The id in the path of a session's log or document. */
export function idInName(path: string): string {
  const name = basename(path);
  if (name === "events.jsonl") return basename(dirname(path));
  return /^session_(.+)_\d+\.json$/.exec(name)?.[1] ?? name.replace(/\.jsonl?$/, "");
}

/** True if a file is a document of before `session-state`. */
export function isDocument(path: string): boolean {
  return path.endsWith(".json");
}

/** What `workspace.yaml` says of a session. */
export interface Workspace {
  cwd?: string;
  /** As the user or Copilot called the session. */
  title?: string;
}

/**
 * Reads the `workspace.yaml` beside a log. Copilot CLI 0.0.420: flat keys, of which `summary` is
 * shown in lists (`listSessions`), and `name` is set together with it by a rename.
 */
export function readWorkspace(path: string): Workspace {
  if (basename(path) !== "events.jsonl") return {};
  let text: string;
  try {
    text = readShortText(join(dirname(path), "workspace.yaml"), SETTINGS_BYTES);
  } catch {
    // Not there, or not readable: it says nothing.
    return {};
  }
  const title = yamlText(text, "name") ?? yamlText(text, "summary");
  const cwd = yamlText(text, "cwd");
  return present({ cwd, title });
}

/** The text of a key at the top of a YAML file: plain, quoted, or a block. */
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
  try {
    return String(JSON.parse(text));
  } catch {
    // SyntaxError: an escape that JSON does not have.
    return text.slice(1, -1);
  }
}
