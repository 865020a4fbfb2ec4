/**
 * Finds the sessions in the panes of herdr, a terminal multiplexer. herdr only records which agent
 * ran in which pane. The unnamed session is in `session.json`. Named sessions are in
 * `sessions/NAME/session.json`. They are in `$XDG_CONFIG_HOME/herdr` or `~/.config/herdr`. On
 * Windows they are in `%APPDATA%\herdr`. herdr's src/persist/snapshot.rs defines their format,
 * SNAPSHOT_VERSION 3. In version 2, panes are in the workspace itself.
 */
import { isAbsolute, join } from "node:path";
import type { AgentName } from "../../core/event/agent_name.ts";
import { isObject } from "../../core/event/guard.ts";
import { parsedJson } from "../../core/event/parsed_json.ts";
import { present } from "../../core/event/present.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { SETTINGS_BYTES, shortTextIn } from "../../core/file/short_file.ts";
import { readDirSync } from "../../core/platform/files.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import type { AgentEnvironment } from "../../agents/contract/agent_environment.ts";
import { agentCalled } from "./registry.ts";

export interface NamedPointer {
  /** The names of the pane and of the agent in the pane. */
  own_names: string[];
  /** The names of the pane's tab and workspace. */
  names_around: string[];
  /** The agent; absent if Reprise does not read its sessions. */
  agent?: AgentName;
  /** The word by which herdr calls the agent. */
  agent_word: string;
  /** The session's id, or the absolute path of its file. */
  target: { kind: "id" | "path"; value: string };
}

const FILE = "session.json";
/** Maximum number of bytes of a snapshot: it holds only layouts and names. */
const MOST_BYTES = 8 * SETTINGS_BYTES;

function folderOf({ home, os, variable }: AgentEnvironment): string {
  const root = os === "windows" ? variable("APPDATA") : variable("XDG_CONFIG_HOME");
  return join(root !== undefined && isAbsolute(root) ? root : join(home, ".config"), "herdr");
}

function snapshotsIn(folder: string): string[] {
  const named = join(folder, "sessions");
  try {
    const names = [...readDirSync(named)].filter(({ isDirectory }) => isDirectory);
    return [join(folder, FILE), ...names.map(({ name }) => join(named, name, FILE)).sort()];
  } catch {
    // There are no named sessions.
    return [join(folder, FILE)];
  }
}

/** Returns the sessions in herdr's panes. Leaves out snapshot files that are missing or invalid. */
export function herdrPointers(environment: AgentEnvironment): NamedPointer[] {
  return snapshotsIn(folderOf(environment)).flatMap((path) => {
    const text = shortTextIn(path, MOST_BYTES) ?? "";
    return (parseSnapshot(text) ?? []).map((pointer) =>
      present({ ...pointer, agent: agentCalled(pointer.agent_word.replace(/^herdr:/, "")) })
    );
  });
}

/**
 * Returns the pointer that has a name. A pane's own name wins over its tab's or workspace's name.
 *
 * @param name The name, in upper or lower case.
 * @throws {SessionError} `not-found`, with known names in the message; `ambiguous`.
 */
export function pointerNamed(pointers: readonly NamedPointer[], name: string): NamedPointer {
  const ref = `herdr:${name}`;
  const wanted = name.toLowerCase();
  for (const list of ["own_names", "names_around"] as const) {
    const fitting = pointers.filter((pointer) =>
      pointer[list].some((one) => one.toLowerCase() === wanted)
    );
    const [only, ...others] = fitting;
    if (only === undefined) continue;
    if (others.length === 0) return only;
    const candidates = fitting.map(pointedRef);
    const message =
      `Cannot choose "${ref}": ${fitting.length} panes of herdr (a terminal multiplexer) have ` +
      `this name; name a session instead: ${candidates.join(", ")}`;
    throw new SessionError("ambiguous", message, { ref, candidates });
  }
  const known = [...new Set(pointers.flatMap(({ own_names: [first] }) => first ?? []))].slice(0, 5);
  const advice = known.length === 0
    ? "no pane of herdr (a terminal multiplexer) shows a session"
    : `herdr (a terminal multiplexer) has panes with these names: ${
      known.map((one) => `herdr:${one}`).join(", ")
    }`;
  throw new SessionError("not-found", `Cannot find "${ref}": ${advice}`, { ref });
}

export function pointedRef({ agent, agent_word, target }: NamedPointer): string {
  return target.kind === "path" ? target.value : `${agent ?? agent_word}:${target.value}`;
}

export function isPointedAt(
  session: Pick<AgentSession, "agent" | "id" | "path">,
  { agent, target }: NamedPointer,
): boolean {
  if (target.kind === "path") return session.path === target.value;
  return session.agent === agent && session.id === target.value;
}

type HerdrPointer = Omit<NamedPointer, "agent">;

/** The latest known version of snapshots. As in herdr, later versions are not read. */
const LATEST = 3;
/** Maximum length of a session's id that herdr accepts (session-state). */
const MOST_ID = 512;
const MOST_PATH = 4096;
// deno-lint-ignore no-control-regex -- they are what is looked for
const CONTROL = /[\x00-\x1f\x7f]/;

type Fields = Record<string, unknown>;

/** Returns undefined for text that is no snapshot, or for a snapshot of a later version. */
export function parseSnapshot(text: string): HerdrPointer[] | undefined {
  const snapshot = parsedJson(text);
  if (!isObject(snapshot) || !Array.isArray(snapshot.workspaces)) return undefined;
  if (typeof snapshot.version === "number" && snapshot.version > LATEST) return undefined;
  const found = new Map<string, HerdrPointer>();
  for (const workspace of snapshot.workspaces.filter(isObject)) {
    for (const pointer of pointersIn(workspace)) {
      // herdr restores a session once that two panes point to.
      const key = `${pointer.agent_word} ${pointer.target.value}`;
      if (!found.has(key)) found.set(key, pointer);
    }
  }
  return [...found.values()];
}

function pointersIn(workspace: Fields): HerdrPointer[] {
  const tabs = Array.isArray(workspace.tabs) ? workspace.tabs.filter(isObject) : [workspace];
  return tabs.flatMap((tab) => {
    const panes = isObject(tab.panes) ? Object.values(tab.panes).filter(isObject) : [];
    return panes.flatMap((pane) => {
      const session = isObject(pane.agent_session) ? pointerTo(pane.agent_session) : undefined;
      if (session === undefined) return [];
      const above = tab === workspace ? [] : [tab.custom_name];
      return [{
        own_names: namesAmong([pane.label, pane.agent_name]),
        names_around: namesAmong([...above, workspace.custom_name]),
        ...session,
      }];
    });
  });
}

function namesAmong(values: readonly unknown[]): string[] {
  const names = values.filter((name): name is string =>
    typeof name === "string" && name.trim() !== ""
  );
  return [...new Set(names)];
}

function pointerTo(session: Fields): Pick<HerdrPointer, "agent_word" | "target"> | undefined {
  const { agent: agent_word, kind, value } = session;
  if (typeof agent_word !== "string" || typeof value !== "string" || CONTROL.test(value)) {
    return undefined;
  }
  if (kind !== "id" && kind !== "path") return undefined;
  const most = kind === "id" ? MOST_ID : MOST_PATH;
  return value === "" || value.length > most ? undefined : { agent_word, target: { kind, value } };
}
