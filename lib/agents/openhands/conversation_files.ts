/**
 * The files of a conversation: `<id>/base_state.json`, a file for each event in `<id>/events`, and
 * conversations of subagents in `<id>/subagents` (conversation/persistence_const.py, event_store.py).
 */
import { basename, dirname, join } from "node:path";
import { listFolder } from "../engine/files/folder.ts";

/** Name of the file with the agent, the workspace and the tokens. */
export const BASE_STATE = "base_state.json";
const EVENT = /^event-(\d+)-.*\.json$/;

/** Returns a conversation's folder. `path` is its {@linkcode BASE_STATE} or first event file. */
export function folderOf({ path }: { path: string }): string {
  return basename(path) === BASE_STATE ? dirname(path) : dirname(dirname(path));
}

export function eventFiles(session: { path: string }): string[] {
  return eventsIn(folderOf(session));
}

function eventsIn(folder: string): string[] {
  return listFolder(join(folder, "events")).flatMap(({ name, path, isFile }) => {
    const number = isFile ? EVENT.exec(name)?.[1] : undefined;
    return number === undefined ? [] : [{ path, number: Number(number) }];
  }).sort((one, other) => one.number - other.number).map(({ path }) => path);
}

/**
 * Returns one path for each conversation in a folder. This is its {@linkcode BASE_STATE}, or else
 * its first event file.
 */
export function conversationsBelow(folder: string): string[] {
  return listFolder(folder).filter(({ isDirectory }) => isDirectory).flatMap(({ path }) =>
    listFolder(path).some(({ name, isFile }) => isFile && name === BASE_STATE)
      ? [join(path, BASE_STATE)]
      : eventsIn(path).slice(0, 1)
  );
}

export function subagentPaths(session: { path: string }): string[] {
  return conversationsBelow(join(folderOf(session), "subagents"));
}

/**
 * Returns the files of a conversation without those of its subagents. {@linkcode BASE_STATE} comes
 * first.
 */
export function filesOf(session: { path: string }): string[] {
  const base = basename(session.path) === BASE_STATE ? [session.path] : [];
  return [...base, ...eventFiles(session)];
}
