/**
 * Locates Aider's histories. A history is in the root of the git repository, else in the working
 * directory, or where an option says. No place lists them all.
 *
 * The settings are `--chat-history-file` and `AIDER_CHAT_HISTORY_FILE` (aider 0.86, aider/args.py).
 * Aider reads `.aider.conf.yml` and `.env` in the home, the repository's root and the working
 * directory.
 */
import { dirname, isAbsolute, join } from "node:path";
import { isThere } from "../../file/presence.ts";
import { readShortText, SETTINGS_BYTES } from "../../file/short_file.ts";
import { realPathSync, statSync } from "../../platform/files.ts";
import type { AgentSession, LocateOptions } from "../../source/agent.ts";
import type { AgentPlace } from "../../source/agent_environment.ts";
import { expandHome } from "../../workspace/data_root.ts";
import { HISTORY_NAME, sessionsOf } from "./history_file.ts";

/**
 * Finds the sessions in the histories that can be known: of `cwd`, else of the directory that the
 * environment names as the current one, of the root, and those that are set.
 */
export async function* locateAider(
  place: AgentPlace,
  { cwd }: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  const seen = new Set<string>();
  for (const path of histories(place, cwd)) {
    const real = realFile(path);
    if (real === undefined || seen.has(real)) continue;
    seen.add(real);
    yield* await sessionsOf(path);
  }
}

function histories(place: AgentPlace, asked: string | undefined): string[] {
  const { folder: root, home, variable } = place;
  const cwd = asked ?? variable("PWD");
  const here = cwd === undefined ? [] : [cwd, ...gitRoot(cwd)];
  const folders = asked === undefined ? [...here, root] : here;
  const set = [variable("AIDER_CHAT_HISTORY_FILE"), ...[...here, home].flatMap(settingsIn)];
  const named = set.flatMap((name) => {
    const path = expandHome(name ?? "", home);
    if (path === "") return [];
    return isAbsolute(path) ? [path] : cwd === undefined ? [] : [join(cwd, path)];
  });
  return [...named, ...folders.map((folder) => join(folder, HISTORY_NAME))];
}

/** The nearest folder above that holds a repository. */
function gitRoot(cwd: string): string[] {
  for (let folder = cwd;; folder = dirname(folder)) {
    if (isThere(join(folder, ".git"))) return [folder];
    if (dirname(folder) === folder) return [];
  }
}

const CONFIGURED = /^chat-history-file:[ \t]*(.+?)[ \t]*(?:#.*)?$/m;
const EXPORTED = /^[ \t]*(?:export[ \t]+)?AIDER_CHAT_HISTORY_FILE[ \t]*=[ \t]*(.+?)[ \t]*$/m;

/** The history files that a folder's settings name. */
function settingsIn(folder: string): string[] {
  const found = [
    CONFIGURED.exec(textIn(join(folder, ".aider.conf.yml"))),
    EXPORTED.exec(textIn(join(folder, ".env"))),
  ];
  return found.flatMap((match) => match?.[1]?.replace(/^(["'])(.*)\1$/, "$2") ?? []);
}

function textIn(path: string): string {
  try {
    return readShortText(path, SETTINGS_BYTES);
  } catch {
    // NotFound, or not readable: it sets nothing.
    return "";
  }
}

/** The file that a path leads to, if it is one. */
function realFile(path: string): string | undefined {
  try {
    return statSync(path).isFile ? realPathSync(path) : undefined;
  } catch {
    // NotFound, or not allowed: no sessions there.
    return undefined;
  }
}
