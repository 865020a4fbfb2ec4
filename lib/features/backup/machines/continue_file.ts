/** Adds another machine's bytes to a file that did not change on this machine. */
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { joinBytes } from "../../../core/event/bytes.ts";
import { isThere } from "../../../core/file/presence.ts";
import { openOrMakeOwnFile } from "../../../core/log/own_file.ts";
import { writeWhole } from "../../../core/log/write_whole.ts";
import { makeDirectories } from "../../../core/store/create_log.ts";
import { movingSink } from "../bundle/moved_records.ts";
import { lookAtSource, markBefore, openSource, piecesOf, stateOf } from "../source_file.ts";
import { checksumAt, compareFiles } from "./compare_files.ts";
import { changeOf, writeShadow } from "./growth_records.ts";
import { contentPath, type OwnFile, type OwnStream } from "./own_streams.ts";
import type { CommonBytes } from "./stream_record.ts";

/**
 * Appends to this machine's file the bytes by which another machine's file is longer. Changes paths
 * in the bytes to this machine's directory.
 *
 * @param source Path of this machine's copy of the other machine's file.
 * @param common The prefix of the other machine's file that both machines have afterwards.
 * @returns The file's new state; undefined if nothing was added.
 */
export function continueFile(
  own: OwnStream,
  name: string,
  source: string,
  common: Omit<CommonBytes, "crc">,
): OwnFile | undefined {
  const known = own.files[name];
  const file = known ?? newFile(own, name);
  if (known === undefined && isThere(file.path)) return undefined;
  if (known !== undefined) {
    const { bytes } = common;
    const is_longer = compareFiles(contentPath(known), known.sent, source, bytes) === "longer";
    if (!is_longer || !isUntouched(known)) return undefined;
  }
  const pieces: Uint8Array[] = [...newBytes(source, file.sent, common.bytes)];
  const added = moved(own, name, pieces);
  makeDirectories(dirname(file.path));
  using target = openOrMakeOwnFile(file.path, { read: true, append: true });
  writeWhole(target, added);
  target.syncDataSync();
  if (file.shadow !== undefined) writeShadow(file.shadow, file.sent, joinBytes(pieces));
  const bytes = file.bytes + added.length;
  const { mtime, ctime, ino } = stateOf(target.statSync());
  const { waits: _, ...next } = file;
  return {
    ...next,
    ...{ bytes, sent: common.bytes, crc: crc32(added, file.crc), mark: markOf(file.path, bytes) },
    ...{ mtime, ctime, ino, seen: Date.now() },
    common: { ...common, crc: checksumAt(source, common.bytes) ?? 0 },
  };
}

function markOf(path: string, bytes: number): number {
  const { file } = openSource(path);
  using _closed = file;
  return markBefore(file, bytes) ?? 0;
}

function isUntouched(file: OwnFile): boolean {
  return changeOf(file)?.growth === "same" && lookAtSource(file.path)?.size === file.bytes;
}

function* newBytes(source: string, from: number, to: number): Generator<Uint8Array> {
  const { file } = openSource(source);
  using _closed = file;
  for (const piece of piecesOf(file, from, to)) yield piece.slice();
}

function moved({ move }: OwnStream, name: string, pieces: readonly Uint8Array[]): Uint8Array {
  if (move === undefined || !/\.jsonl?$/.test(name)) return joinBytes(pieces);
  const written: Uint8Array[] = [];
  const sink = movingSink({ write: (piece) => written.push(piece.slice()) }, move);
  for (const piece of pieces) sink.write(piece);
  sink.end?.();
  return joinBytes(written);
}

/** Returns the state of a file that only the other machine has. */
function newFile({ root, facts, cwd_folder, files }: OwnStream, name: string): OwnFile {
  const origin = facts.cwd_folder;
  const is_moved = origin !== undefined && cwd_folder !== undefined &&
    name.startsWith(`${origin}/`);
  const here = is_moved ? `${cwd_folder}${name.slice(origin.length)}` : name;
  const [main] = Object.values(files);
  const copy = { bytes: 0, crc: 0, mark: 0, mtime: 0, ctime: 0, ino: 0, seen: 0 };
  const shadow = main?.shadow === undefined
    ? {}
    : { shadow: `${main.shadow}-${Object.keys(files).length}` };
  return { path: join(root, here), kind: "session", generation: 1, sent: 0, ...copy, ...shadow };
}
