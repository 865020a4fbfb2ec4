/**
 * Stores the responses of all read sessions beside the catalogue. Only totals need them, so a list
 * does not read them. A changed session is appended again, and its last block counts. When half of
 * the file is obsolete, it is written anew. Like the catalogue it holds no truth. A damaged block
 * counts as missing.
 */
import { join } from "node:path";
import { openOrMakeOwnFile, openOwnFile } from "../../log/own_file.ts";
import { readWhole } from "../../log/read_whole.ts";
import { writeWhole } from "../../log/write_whole.ts";
import type { AgentSession } from "../../source/agent.ts";
import { existsSync as exists } from "node:fs";
import { type CatalogueOptions, programOf, SETTLED_MS } from "./catalogue_options.ts";
import { lockCatalogue, replaceFile } from "./replace_file.ts";
import { parseSessionKey, sessionDigest, sessionKey } from "./session_key.ts";
import { digest, lookAtSession, type SeenState } from "./session_state.ts";
import { encodeUsageBlock, type KeptUsage, UsageBlocks } from "./usage_block.ts";

const FILE = "catalogue.usage";
const HEADER_BYTES = 16;
const MAGIC = [0x75_70_72_63, 0x0a_65_67_61];
const VERSION = 2;

/** Returns the absolute path of the file in a cache folder. */
export function usagePath(folder: string): string {
  return join(folder, FILE);
}

/** The contents of a file. */
export interface UsageContents {
  blocks: UsageBlocks;
  /** Offsets of each session's last block, by the digest of its name. */
  offsets: Map<number, number>;
  /** Bytes of the file; 0 where there is none that can be used. */
  size: number;
  /** Bytes of the blocks that count. */
  counted: number;
  /** True if blocks fill it up to its end. */
  whole: boolean;
}

function contentsOf(bytes: Uint8Array<ArrayBuffer>): UsageContents {
  const blocks = new UsageBlocks(bytes);
  const offsets = new Map<number, number>();
  let counted = 0;
  let at = HEADER_BYTES;
  while (at < bytes.length) {
    const length = blocks.length(at);
    if (length === undefined) break;
    const key = blocks.digest(at);
    const before = offsets.get(key);
    counted += length - (before === undefined ? 0 : blocks.length(before) ?? 0);
    offsets.set(key, at);
    at += length;
  }
  return { blocks, offsets, size: bytes.length, counted, whole: at === bytes.length };
}

const NOTHING = (): UsageContents => ({ ...contentsOf(new Uint8Array(0)), whole: false });

function header(program: number): Uint8Array {
  const words = Uint32Array.from([...MAGIC, VERSION, program]);
  return new Uint8Array(words.buffer);
}

/** Reads a file of blocks, each of which is checked when it is asked for. */
function readContents(folder: string, program: number): UsageContents {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    using file = openOwnFile(usagePath(folder), { read: true });
    const { size } = file.statSync();
    bytes = new Uint8Array(size);
    if (readWhole(file, bytes).length < size) return NOTHING();
  } catch {
    // Missing, not readable, or no plain file.
    return NOTHING();
  }
  const wanted = header(program);
  const known = bytes.length >= HEADER_BYTES && wanted.every((byte, at) => bytes[at] === byte);
  return known ? contentsOf(bytes) : NOTHING();
}

/** Reads the last block of each session, by its key; says whether all of the file is right. */
export function readUsageBlocks(
  folder: string,
  program: number,
): { found: Map<string, Uint8Array>; whole: boolean } {
  const { blocks, offsets, ...contents } = readContents(folder, program);
  const found = new Map<string, Uint8Array>();
  let { whole } = contents;
  for (const offset of offsets.values()) {
    if (blocks.usage(offset) === undefined) whole = false;
    else found.set(blocks.key(offset), blocks.bytes(offset));
  }
  return { found, whole };
}

/** The responses that are kept, for one run of a program. */
export class UsageFile {
  readonly #folder: string | undefined;
  readonly #program: number;
  readonly #now: () => number;
  readonly #known: UsageContents;
  readonly #puts = new Map<string, { session: AgentSession; bytes: Uint8Array }>();

  /** Reads what a cache folder has kept. */
  constructor({ folder, version = "", now = Date.now }: CatalogueOptions = {}) {
    this.#folder = folder;
    this.#program = programOf(version);
    this.#now = now;
    this.#known = folder === undefined ? NOTHING() : readContents(folder, this.#program);
  }

  /** Finds the responses of a session, if its files are as they were. */
  find(session: AgentSession, state: SeenState): KeptUsage | undefined {
    const { blocks, offsets } = this.#known;
    const offset = offsets.get(sessionDigest(session));
    return offset !== undefined && blocks.hasState(offset, state)
      ? blocks.usage(offset)
      : undefined;
  }

  /** Keeps the responses of a session. @param seen As it was before the session was read. */
  put(session: AgentSession, seen: SeenState, usage: KeptUsage): void {
    if (this.#folder === undefined || seen.size < 0) return;
    if (this.#now() - seen.changed < SETTLED_MS) return;
    const { changed: _, ...state } = seen;
    const key = sessionKey(session);
    this.#puts.set(key, { session, bytes: encodeUsageBlock({ key, state, usage }) });
  }

  /** Writes what was put. A folder that cannot be written is left alone. */
  save(): void {
    const folder = this.#folder;
    if (folder === undefined || this.#puts.size === 0) return;
    try {
      using _lock = lockCatalogue(folder);
      const added = [...this.#puts].filter(([, { session }]) => lookAtSession(session).size >= 0);
      if (!this.#append(folder, added.map(([, { bytes }]) => bytes))) {
        const { found } = readUsageBlocks(folder, this.#program);
        // Sessions that their agent deleted are told by their files.
        const all = new Map([...found].filter(([key]) => exists(parseSessionKey(key).path)));
        for (const [key, { bytes }] of added) all.set(key, bytes);
        writeUsageBlocks(folder, this.#program, all.values());
      }
      this.#puts.clear();
    } catch {
      // An unsafe folder, a disk that is full or cannot be written, another writer: it is read again.
    }
  }

  /** Appends to a file that is as it was read, and of which enough would count; else writes nothing. */
  #append(folder: string, blocks: readonly Uint8Array[]): boolean {
    const { size, whole, blocks: known, offsets, counted } = this.#known;
    const added = blocks.reduce((sum, { length }) => sum + length, 0);
    let left = counted + added;
    for (const key of this.#puts.keys()) {
      const before = offsets.get(digest(key));
      if (before !== undefined) left -= known.length(before) ?? 0;
    }
    if (!whole || left * 2 < size + added) return false;
    using file = openOrMakeOwnFile(usagePath(folder), { append: true, read: true });
    if (file.statSync().size !== size) return false;
    for (const bytes of blocks) writeWhole(file, bytes);
    return true;
  }
}

/** Writes the file anew. Call it under the lock. */
export function writeUsageBlocks(
  folder: string,
  program: number,
  blocks: Iterable<Uint8Array>,
): void {
  replaceFile(folder, usagePath(folder), (file) => {
    writeWhole(file, header(program));
    for (const bytes of blocks) writeWhole(file, bytes);
  });
}
