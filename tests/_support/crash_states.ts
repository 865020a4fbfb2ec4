/** The states in which `kill -9` can leave a folder, taken before each call of a program on a file. */
import { join } from "node:path";
import { FaultyFiles } from "./faulty_files.ts";

/** A file; a folder has no bytes. */
interface Entry {
  bytes?: Uint8Array;
  mode: number;
  mtime: Date;
}

/** Everything below a folder by its path, each folder before what is in it. */
export type FolderState = Map<string, Entry>;

/** Reads a small folder with its modes and times. */
export function stateOf(folder: string, state: FolderState = new Map()): FolderState {
  for (const { name, isDirectory } of [...Deno.readDirSync(folder)]) {
    const path = join(folder, name);
    const { mode, mtime } = Deno.lstatSync(path);
    const entry = { mode: (mode ?? 0) & 0o777, mtime: mtime ?? new Date() };
    state.set(path, isDirectory ? entry : { ...entry, bytes: Deno.readFileSync(path) });
    if (isDirectory) stateOf(path, state);
  }
  return state;
}

/** Makes a folder as it was. */
export function restore(folder: string, state: FolderState): void {
  for (const { name } of [...Deno.readDirSync(folder)]) {
    Deno.removeSync(join(folder, name), { recursive: true });
  }
  for (const [path, { bytes, mode }] of state) {
    if (bytes === undefined) Deno.mkdirSync(path);
    else Deno.writeFileSync(path, bytes);
    Deno.chmodSync(path, mode);
  }
  for (const [path, { mtime }] of [...state].reverse()) Deno.utimeSync(path, mtime, mtime);
}

function isSame(one: FolderState, other: FolderState): boolean {
  return one.size === other.size && [...one].every(([path, { bytes, mode }]) => {
    const entry = other.get(path);
    return entry?.mode === mode && entry.bytes?.length === bytes?.length &&
      (bytes ?? []).every((byte, at) => byte === entry?.bytes?.[at]);
  });
}

/**
 * Runs a program in this process, then makes the folder again as each call on a file found it, and as
 * it was at the end. Equal states come once.
 *
 * @param told What the program has said so far; compared as JSON.
 * @param check Gets what was said by then, and the call that was to come.
 * @returns How many states there were.
 */
export async function forEachCrash<Told>(
  folder: string,
  run: () => Promise<unknown>,
  told: () => Told,
  check: (told: Told, call: string) => Promise<unknown>,
): Promise<number> {
  const found: { state: FolderState; told: string; call: string }[] = [];
  const add = (state: FolderState, call: string): void => {
    const next = { state, told: JSON.stringify(told() ?? null), call };
    const last = found.at(-1);
    if (last?.told !== next.told || !isSame(last.state, state)) found.push(next);
  };
  let is_taking = false;
  {
    using _files = new FaultyFiles(folder, 0, ({ name, path }) => {
      if (is_taking) return;
      is_taking = true;
      const state = stateOf(folder);
      add(state, `${name} ${path}`);
      // The file is made by one call of the system, and written by another.
      if (/^write(?:Text)?File/.test(name)) {
        const empty = { bytes: new Uint8Array(), mode: 0o600, mtime: new Date() };
        add(new Map([...state, [path, empty]]), `${name} ${path}, its file made`);
      }
      is_taking = false;
    });
    await run();
  }
  add(stateOf(folder), "none");
  for (const { state, told, call } of found) {
    restore(folder, state);
    await check(JSON.parse(told), call);
  }
  return found.length;
}
