/** Receives the sessions of one other machine, and writes their files below `machines/pulled`. */
import { dirname, join } from "node:path";
import { isObject } from "../../../core/event/guard.ts";
import { parsedJson } from "../../../core/event/parsed_json.ts";
import { isThere } from "../../../core/file/presence.ts";
import { RECORDS_BYTES, shortTextIn } from "../../../core/file/short_file.ts";
import { openOrMakeOwnFile } from "../../../core/log/own_file.ts";
import { replaceFile } from "../../../core/log/replace_file.ts";
import { writeWhole } from "../../../core/log/write_whole.ts";
import { SeekMode } from "../../../core/platform/file_system.ts";
import { renameSync } from "../../../core/platform/files.ts";
import { makeDirectories } from "../../../core/store/create_log.ts";
import { sessionRef } from "../../../agents/contract/session_name.ts";
import { pulledFolder } from "../../../library/machine/pulled/pulled_sessions.ts";
import { openSource, piecesOf } from "../source_file.ts";
import type { CommonBytes, RecordHead, StreamFacts, StreamRecord } from "./stream_record.ts";

/** A file received from another machine. `bytes` is the number of bytes received so far. */
export interface PulledFile extends Pick<RecordHead, "kind" | "generation"> {
  bytes: number;
}

export interface PulledStream {
  facts: StreamFacts;
  /** True if the sender deleted the session. The bytes stay, because later records may use them. */
  gone?: true;
  /** The files by name, the main one first. */
  files: Record<string, PulledFile>;
}

export interface PulledState {
  version: 1;
  machine: string;
  epoch: number;
  last: number;
  /** Sessions by reference. */
  streams: Record<string, PulledStream>;
}

/** Finds a local file that begins with `common`. Undefined if this machine lacks the bytes. */
export type FindCommon = (ref: string, name: string, common: CommonBytes) => string | undefined;

/** Thrown for a record if its file lacks earlier bytes, because they have not arrived yet. */
export class MissingBytes extends Error {
  /** Id of the machine that sent the missing bytes. Undefined if it also sent the record. */
  readonly device: string | undefined;

  constructor(device?: string) {
    super("earlier bytes have not arrived yet");
    this.device = device;
  }
}

/** Applies the records in another machine's packs to the local copies of its files. */
export class PulledStreams {
  readonly #root: string;
  readonly #device: string;
  readonly state: PulledState;

  constructor(root: string, device: string) {
    this.#root = root;
    this.#device = device;
    const text = shortTextIn(this.#statePath(), RECORDS_BYTES, { follow: false });
    const value = parsedJson(text);
    const is_state = isObject(value) && value.version === 1 && isObject(value.streams);
    this.state = is_state
      ? value as unknown as PulledState
      : { version: 1, machine: "", epoch: 0, last: 0, streams: {} };
  }

  #statePath(): string {
    return join(pulledFolder(this.#root), this.#device, "state.json");
  }

  pathOf({ agent }: Pick<StreamFacts, "agent">, name: string): string {
    return join(pulledFolder(this.#root), this.#device, agent, name);
  }

  #earlierPath({ agent }: StreamFacts, name: string, generation: number): string {
    return join(pulledFolder(this.#root), this.#device, "earlier", `${generation}`, agent, name);
  }

  /** Returns the path of a file's generation. Undefined if the file is missing or too short. */
  generationPath(ref: string, name: string, generation: number, bytes: number): string | undefined {
    const stream = this.state.streams[ref];
    const file = stream?.files[name];
    if (stream === undefined || file === undefined) return undefined;
    if (file.generation === generation) {
      return file.bytes < bytes ? undefined : this.pathOf(stream.facts, name);
    }
    const path = this.#earlierPath(stream.facts, name, generation);
    return isThere(path) ? path : undefined;
  }

  save(): void {
    const path = this.#statePath();
    makeDirectories(dirname(path));
    replaceFile(path, [JSON.stringify(this.state)]);
  }

  /**
   * Writes the bytes of a record at their offset. The same record may be applied again.
   *
   * @throws {MissingBytes} if bytes before the record are missing
   */
  apply({ head, bytes }: StreamRecord, findCommon: FindCommon): void {
    const { name, kind, generation, at, bytes: length, common, gone, ...facts } = head;
    const ref = sessionRef(facts);
    const stream = this.state.streams[ref] ??= { facts, files: {} };
    delete stream.gone;
    if (gone) {
      stream.gone = true;
      return;
    }
    const path = this.pathOf(facts, name);
    let file = stream.files[name] ?? { kind, generation, bytes: 0 };
    // When a machine sends everything again, a pack may repeat bytes of a replaced generation.
    if (generation < file.generation) return;
    if (generation > file.generation) {
      this.#moveAway(path, this.#earlierPath(facts, name, file.generation));
      file = { kind, generation, bytes: 0 };
    }
    makeDirectories(dirname(path));
    if (common !== undefined && file.bytes < common.bytes) {
      const source = findCommon(ref, name, common);
      if (source === undefined) throw new MissingBytes(common.device);
      copyPart(source, path, file.bytes, common.bytes);
      file.bytes = common.bytes;
    }
    if (at > file.bytes) throw new MissingBytes();
    if (at + length > file.bytes || length === 0) {
      writeAt(path, at, bytes);
      file.bytes = Math.max(file.bytes, at + length);
    }
    stream.files[name] = file;
  }

  #moveAway(path: string, earlier: string): void {
    // A killed pull may have moved the file before.
    if (!isThere(path) || isThere(earlier)) return;
    makeDirectories(dirname(earlier));
    renameSync(path, earlier);
  }
}

function writeAt(path: string, at: number, bytes: Uint8Array): void {
  using target = openOrMakeOwnFile(path, { read: true, write: true });
  target.seekSync(at, SeekMode.Start);
  writeWhole(target, bytes);
}

/** Truncates `path` at offset `from`. Then copies the source's bytes from `from` up to `to`. */
export function copyPart(source: string, path: string, from: number, to: number): void {
  using target = openOrMakeOwnFile(path, { read: true, write: true });
  const { file } = openSource(source);
  using _closed = file;
  target.truncateSync(from);
  target.seekSync(from, SeekMode.Start);
  for (const piece of piecesOf(file, from, to)) writeWhole(target, piece);
}
