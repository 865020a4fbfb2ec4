/**
 * Reads the panes of a herdr session that point to agents' sessions. Source: herdr,
 * src/persist/snapshot.rs, SNAPSHOT_VERSION 3; version 2 has panes in the workspace itself. Pure.
 */
import { isObject } from "../../event/guard.ts";

/** A pane that points to an agent's session. */
export interface HerdrPointer {
  /** The names of the pane and of its agent. */
  own_names: string[];
  /** The names of its tab and its workspace. */
  names_around: string[];
  /** The agent, in herdr's word. */
  agent: string;
  /** The session's id, or the path of its file. */
  target: { kind: "id" | "path"; value: string };
  /** The pane's directory. */
  cwd?: string;
}

/** The latest version that is known. herdr itself leaves a later one alone. */
const LATEST = 3;
/** Maximum lengths that herdr accepts of an id and a path (session-state). */
const MOST_ID = 512;
const MOST_PATH = 4096;
// deno-lint-ignore no-control-regex -- they are what is looked for
const CONTROL = /[\x00-\x1f\x7f]/;

type Fields = Record<string, unknown>;

/** Returns the pointers; undefined where the text is no such snapshot, or a later one. */
export function parseSnapshot(text: string): HerdrPointer[] | undefined {
  let snapshot: unknown;
  try {
    snapshot = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(snapshot) || !Array.isArray(snapshot.workspaces)) return undefined;
  if (typeof snapshot.version === "number" && snapshot.version > LATEST) return undefined;
  const found = new Map<string, HerdrPointer>();
  for (const workspace of snapshot.workspaces.filter(isObject)) {
    for (const pointer of pointersIn(workspace)) {
      // herdr restores a session once that two panes point to.
      const key = `${pointer.agent} ${pointer.target.value}`;
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
      const cwd = typeof pane.cwd === "string" ? { cwd: pane.cwd } : {};
      return [{
        own_names: namesAmong([pane.label, pane.agent_name]),
        names_around: namesAmong([...above, workspace.custom_name]),
        ...session,
        ...cwd,
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

function pointerTo(session: Fields): Pick<HerdrPointer, "agent" | "target"> | undefined {
  const { agent, kind, value } = session;
  if (typeof agent !== "string" || typeof value !== "string" || CONTROL.test(value)) {
    return undefined;
  }
  if (kind !== "id" && kind !== "path") return undefined;
  const most = kind === "id" ? MOST_ID : MOST_PATH;
  return value === "" || value.length > most ? undefined : { agent, target: { kind, value } };
}
