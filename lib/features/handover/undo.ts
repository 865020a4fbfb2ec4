/** Undoes a hand-over whose new session was not continued. */
import { isFileThere } from "../../core/file/presence.ts";
import { removeQuietly } from "../../core/file/remove_quietly.ts";
import { dirname, sep } from "node:path";
import { SessionError } from "../../core/event/session_error.ts";
import { toSessionError } from "../../core/log/io_error.ts";
import { removeSync } from "../../core/platform/files.ts";
import { listFolder } from "../../agents/engine/files/folder.ts";
import { hashFile } from "../../core/store/import/source_state.ts";
import {
  type HandoverRecord,
  madeForSessions,
  readHandovers,
  recordUndone,
} from "./handover_record.ts";
import { removeLine } from "./appended_line.ts";
import type { MadeFile } from "./place_session.ts";

export interface UndoneHandover {
  record: HandoverRecord;
  removed: string[];
  gone: string[];
  /** Absolute paths of files that stay, because they were changed or other sessions use them. */
  kept: string[];
}

/**
 * Finds the hand-over that made a session.
 *
 * @param id The new session's id, `<agent>:<id>`, or the first characters of either.
 * @throws {SessionError} `not-found`, `ambiguous`, `unsafe-store`, `permission`, `io`
 */
export function findHandover(root: string, id: string): HandoverRecord {
  const records = readHandovers(root);
  const fitting = records.filter((record) =>
    record.id.startsWith(id) || `${record.agent}:${record.id}`.startsWith(id)
  );
  const [only, ...others] = fitting;
  if (only !== undefined && id !== "" && (others.length === 0 || only.id === id)) return only;
  if (only === undefined || id === "") {
    const message = `Cannot undo hand-over: no hand-over created the session "${id}"; ` +
      "use the id that the hand-over printed";
    throw new SessionError("not-found", message, { ref: id });
  }
  const candidates = fitting.map((record) => `${record.agent}:${record.id}`);
  const message = `Cannot undo hand-over: "${id}" matches ${fitting.length} hand-overs: ${
    candidates.join(", ")
  }`;
  throw new SessionError("ambiguous", message, { ref: id, candidates });
}

/**
 * Removes the files that a hand-over made, unless the new session was continued.
 *
 * @throws {SessionError} `unsupported-source` if the session was continued; `permission`, `io`
 */
export async function undoHandover(
  root: string,
  record: HandoverRecord,
  now: Date,
): Promise<UndoneHandover> {
  const done: UndoneHandover = { record, removed: [], gone: [], kept: [] };
  const { file } = record;
  const made_before = madeForSessions(root);
  const beside = [...record.beside, ...leftBeside(record, made_before.beside)];
  if (file !== undefined && await stateOf(file) === "changed") throw goneOnWith(record, file);
  for (const made of [...(file === undefined ? [] : [file]), ...beside]) {
    const state = await stateOf(made);
    if (state === "gone") done.gone.push(made.path);
    else if (state === "changed" || (made !== file && hasOthers(made.path))) {
      done.kept.push(made.path);
    } else {
      remove(made.path);
      done.removed.push(made.path);
    }
  }
  if (record.appended !== undefined) removeLine(record.appended);
  removeEmptyFolders(made_before.folders, [...(file === undefined ? [] : [file]), ...beside]);
  recordUndone(root, record, now.toISOString());
  return done;
}

/** Returns files of undone hand-overs that stayed because the given hand-over needed them. */
function leftBeside({ file, beside }: HandoverRecord, all: readonly MadeFile[]): MadeFile[] {
  const by_path = new Map(all.map((made) => [made.path, made]));
  return [...by_path.values()].filter(({ path }) =>
    file?.path.startsWith(`${dirname(path)}${sep}`) && isFileThere(path) &&
    beside.every((own) => own.path !== path)
  );
}

/** Removes the parent folders of `files` that hand-overs made and that are empty now. */
function removeEmptyFolders(made: ReadonlySet<string>, files: readonly MadeFile[]): void {
  for (const { path } of files) {
    for (let folder = dirname(path); made.has(folder); folder = dirname(folder)) {
      removeQuietly(folder);
    }
  }
}

function hasOthers(path: string): boolean {
  return [...filesBelow(dirname(path))].some((other) => other !== path);
}

function* filesBelow(folder: string): Generator<string> {
  for (const { path, isFile, isDirectory } of listFolder(folder)) {
    if (isFile) yield path;
    else if (isDirectory) yield* filesBelow(path);
  }
}

type FileState = "same" | "changed" | "gone";

async function stateOf({ path, sha256 }: MadeFile): Promise<FileState> {
  try {
    return await hashFile(path) === sha256 ? "same" : "changed";
  } catch (error) {
    if (error instanceof SessionError && error.code === "not-found") return "gone";
    throw error;
  }
}

function remove(path: string): void {
  try {
    removeSync(path);
  } catch (error) {
    throw toSessionError(error, "remove session", path);
  }
}

function goneOnWith({ agent, id }: HandoverRecord, { path }: MadeFile): SessionError {
  const message = `Cannot undo hand-over: ${agent}:${id} was continued after the hand-over, ` +
    `so Reprise keeps this session. To remove the session anyway, delete ${path}`;
  return new SessionError("unsupported-source", message, { path });
}
