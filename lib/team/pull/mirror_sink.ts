/** The mirror of a branch: whole, or more of what is there. */
import { dirname, join } from "node:path";
import { isThere } from "../../file/presence.ts";
import { readShortText } from "../../file/short_file.ts";
import { toSessionError } from "../../log/io_error.ts";
import { openOwnFile } from "../../log/own_file.ts";
import { writeWhole } from "../../log/write_whole.ts";
import { type OpenFile, SeekMode } from "../../platform/file_system.ts";
import { removeSync } from "../../platform/files.ts";
import { makeDirectories } from "../../session/create_log.ts";
import {
  MIRROR_NOTE,
  mirrorDirectory,
  type MirroredBranch,
  mirrorLog,
  remoteDirectory,
} from "../../session/remote_mirror.ts";
import { assertOwnFolder } from "../../session/store_safety.ts";
import { replaceRecord } from "../state/sync_state.ts";
import { DraftLog } from "./draft_log.ts";
import type { Placed, PulledBranch, Sink } from "./sink.ts";

const NOTE_BYTES = 64 * 1024;

/** What is noted of a mirrored branch, beside its log. */
export type MirrorNote = Omit<PulledBranch, "keys">;

/** Reads what is noted of a mirrored branch; undefined where it is not mirrored whole. */
export function readMirrorNote(root: string, branch: MirroredBranch): MirrorNote | undefined {
  try {
    const path = join(mirrorDirectory(root, branch), MIRROR_NOTE);
    const note = JSON.parse(readShortText(path, NOTE_BYTES, { follow: false })) as MirrorNote;
    const fits = typeof note.len === "number" && typeof note.head === "string" &&
      isThere(mirrorLog(root, branch));
    return fits ? note : undefined;
  } catch {
    // Not mirrored yet, or half of it: then it is pulled.
    return undefined;
  }
}

/** Removes the mirror of a branch that is in the sessions of this machine now. */
export function removeMirror(root: string, place: MirroredBranch): void {
  try {
    removeSync(mirrorDirectory(root, place), { recursive: true });
  } catch {
    // It was not mirrored before.
  }
}

function writeNote(root: string, place: MirroredBranch, branch: PulledBranch): void {
  const { keys: _keys, ...note } = branch;
  replaceRecord(join(mirrorDirectory(root, place), MIRROR_NOTE), note);
}

/** Puts a whole draft into the mirror. */
export function moveIntoMirror(
  root: string,
  place: MirroredBranch,
  draft: DraftLog,
  branch: PulledBranch,
): Placed {
  const path = mirrorLog(root, place);
  try {
    makeDirectories(dirname(path));
    assertOwnFolder(remoteDirectory(root));
    assertOwnFolder(dirname(path));
  } catch (error) {
    throw toSessionError(error, "write mirror", path);
  }
  draft.moveTo(path);
  writeNote(root, place, branch);
  return { kind: "mirrored", path };
}

/** Takes a branch from its first byte on. */
export class NewMirror implements Sink {
  readonly #root: string;
  readonly #place: MirroredBranch;
  readonly #draft: DraftLog;

  constructor(root: string, place: MirroredBranch) {
    this.#root = root;
    this.#place = place;
    this.#draft = new DraftLog(root);
  }

  write(bytes: Uint8Array): Promise<void> {
    this.#draft.write(bytes);
    return Promise.resolve();
  }

  async finish(branch: PulledBranch): Promise<Placed> {
    await this.#draft.end();
    return moveIntoMirror(this.#root, this.#place, this.#draft, branch);
  }

  close(): void {
    this.#draft.discard();
  }
}

/** Takes what follows what is mirrored. */
export class LongerMirror implements Sink {
  readonly #root: string;
  readonly #place: MirroredBranch;
  readonly #len: number;
  #file: OpenFile | undefined;

  /** @param len Bytes that are mirrored: what a killed pull put behind them is written again. */
  constructor(root: string, place: MirroredBranch, len: number) {
    this.#root = root;
    this.#place = place;
    this.#len = len;
  }

  write(bytes: Uint8Array): Promise<void> {
    const path = mirrorLog(this.#root, this.#place);
    try {
      this.#file ??= this.#open(path);
      writeWhole(this.#file, bytes);
    } catch (error) {
      throw toSessionError(error, "write mirror", path);
    }
    return Promise.resolve();
  }

  #open(path: string): OpenFile {
    const file = openOwnFile(path, { write: true });
    file.truncateSync(this.#len);
    file.seekSync(this.#len, SeekMode.Start);
    return file;
  }

  async finish(branch: PulledBranch): Promise<Placed> {
    await this.#file?.syncData();
    writeNote(this.#root, this.#place, branch);
    return { kind: "mirrored", path: mirrorLog(this.#root, this.#place) };
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }
}
