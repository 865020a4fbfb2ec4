/**
 * Stores the responses of all read sessions beside the catalogue, one session a line. Only totals
 * need them, so a list does not read them. A changed session is appended again, and its last line
 * counts. When half of the file is obsolete, it is written anew. Like the catalogue it holds no
 * truth. A damaged line counts as missing.
 *
 * ```text
 * {"usage":5,"program":…}
 * CRC-32 of the rest, 8 digits; digest of the session's key; JSON of session, files, work; tab; JSON of responses
 * ```
 */
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { existsSync as exists } from "node:fs";
import { openOrMakeOwnFile, openOwnFile } from "../../log/own_file.ts";
import { readWhole } from "../../log/read_whole.ts";
import { writeWhole } from "../../log/write_whole.ts";
import type { AgentSession } from "../../source/agent.ts";
import type { PackedUsage } from "../usage/packed_usage.ts";
import { type CatalogueOptions, programOf, SETTLED_MS } from "./catalogue_options.ts";
import { lockCatalogue, replaceCacheFile } from "./replace_file.ts";
import { isFresh, type ReadFiles } from "./read_part.ts";
import { isSameSession, sessionDigest, type SessionName } from "./session_key.ts";
import { isSameState, lookAtSession, type SeenState, type SessionState } from "./session_state.ts";

const FILE = "catalogue.usage";
/** Raised whenever the meaning of a line changes. */
const VERSION = 6;
const NEWLINE = 0x0a;
/** Stands before the responses; no JSON of ours has one. */
const TAB = 0x09;
const CRC_DIGITS = 8;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Returns the absolute path of the file in a cache folder. */
export function usagePath(folder: string): string {
  return join(folder, FILE);
}

/** The responses of one session, and the files that they were read from. */
interface KeptUsage extends SessionName, ReadFiles {
  usage: PackedUsage;
}

function encodeLine({ agent, path, id, files, state, usage }: KeptUsage): Uint8Array {
  const { rows, costs, ...told } = usage;
  const head = { agent, path, id, files, state, ...told };
  const responses = JSON.stringify([[...rows], [...costs]]);
  const text = encoder.encode(` ${sessionDigest(head)} ${JSON.stringify(head)}\t${responses}`);
  const line = new Uint8Array(CRC_DIGITS + text.length + 1);
  line.set(encoder.encode(checksum(text)));
  line.set(text, CRC_DIGITS);
  line[line.length - 1] = NEWLINE;
  return line;
}

/** Decodes the responses of a line that was checked. */
function decodeResponses(line: Uint8Array): Pick<PackedUsage, "rows" | "costs"> {
  const [rows, costs] = JSON.parse(decoder.decode(line.subarray(line.indexOf(TAB) + 1)));
  return {
    rows: Uint32Array.from(rows),
    // JSON writes a cost that was not recorded, NaN, as null.
    costs: Float64Array.from(costs, (cost: number | null) => cost ?? NaN),
  };
}

/** All that a line has but for the responses, which are most of it. */
type UsageHead = Omit<KeptUsage, "usage"> & Omit<PackedUsage, "rows" | "costs">;

/** Decodes the rest of a line; undefined where a bit differs from what was written. */
function decodeHead(line: Uint8Array): UsageHead | undefined {
  if (decoder.decode(line.subarray(0, CRC_DIGITS)) !== checksum(line.subarray(CRC_DIGITS, -1))) {
    return undefined;
  }
  const json = decoder.decode(line.subarray(CRC_DIGITS, line.indexOf(TAB)));
  return JSON.parse(json.slice(json.indexOf("{")));
}

function checksum(text: Uint8Array): string {
  return crc32(text).toString(16).padStart(CRC_DIGITS, "0");
}

/** Returns the digest in a line, unchecked; NaN if there is none. */
function digestOf(line: Uint8Array): number {
  const start = line.subarray(CRC_DIGITS + 1, CRC_DIGITS + 32);
  return Number.parseInt(decoder.decode(start), 10);
}

/** The contents of a file. */
interface UsageContents {
  /** The last line of each session, undecoded, by the digest of its key. */
  lines: Map<number, Uint8Array>;
  /** Bytes of the file; 0 if there is none that can be used. */
  size: number;
  /** Bytes of the lines that count. */
  counted: number;
  /** True if the last line has its end. */
  whole: boolean;
}

const NOTHING = (): UsageContents => ({ lines: new Map(), size: 0, counted: 0, whole: false });

function header(program: number): string {
  return `${JSON.stringify({ usage: VERSION, program })}\n`;
}

/** Reads a file. Each line is checked when it is asked for. */
function readContents(folder: string, program: number): UsageContents {
  let bytes: Uint8Array;
  try {
    using file = openOwnFile(usagePath(folder), { read: true });
    const { size } = file.statSync();
    bytes = readWhole(file, new Uint8Array(size));
    if (bytes.length < size) return NOTHING();
  } catch {
    // Missing, not readable, or no plain file.
    return NOTHING();
  }
  const head = header(program);
  return decoder.decode(bytes.subarray(0, head.length)) === head
    ? splitLines(bytes, head.length)
    : NOTHING();
}

function splitLines(bytes: Uint8Array, start: number): UsageContents {
  const lines = new Map<number, Uint8Array>();
  let counted = 0;
  let at = start;
  for (;;) {
    const end = bytes.indexOf(NEWLINE, at) + 1;
    if (end === 0) break;
    const line = bytes.subarray(at, end);
    const digest = digestOf(line);
    counted += line.length - (lines.get(digest)?.length ?? 0);
    lines.set(digest, line);
    at = end;
  }
  return { lines, size: bytes.length, counted, whole: at === bytes.length };
}

/** The stored responses, for one run of a program. */
export class UsageFile {
  readonly #folder: string | undefined;
  readonly #program: number;
  readonly #now: () => number;
  readonly #known: UsageContents;
  readonly #puts = new Map<number, { session: AgentSession; line: Uint8Array }>();

  /** Reads the file of a cache folder. */
  constructor({ folder, version = "", now = Date.now }: CatalogueOptions = {}) {
    this.#folder = folder;
    this.#program = programOf(version);
    this.#now = now;
    this.#known = folder === undefined ? NOTHING() : readContents(folder, this.#program);
  }

  /** Finds the responses of a session, if its files are as they were. */
  find(session: AgentSession, state: SessionState): PackedUsage | undefined {
    const line = this.#known.lines.get(sessionDigest(session));
    const head = line === undefined ? undefined : decodeHead(line);
    if (line === undefined || head === undefined || !isSameSession(head, session)) return undefined;
    const { agent: _agent, path: _path, id: _id, files: _files, state: seen, ...told } = head;
    return isSameState(seen, state) ? { ...told, ...decodeResponses(line) } : undefined;
  }

  /**
   * Finds the work of a session, if the files that were read are as they were. Its files are not
   * listed anew, so a further one goes unnoticed.
   */
  findWork(session: AgentSession): PackedUsage["work"] {
    const line = this.#known.lines.get(sessionDigest(session));
    const head = line === undefined ? undefined : decodeHead(line);
    if (head === undefined || !isSameSession(head, session)) return undefined;
    return isFresh(session, head) ? head.work : undefined;
  }

  /** Stores the responses of a session. @param read Its files, and their state before they were read. */
  put(
    session: AgentSession,
    { files, state: seen }: { files: readonly string[]; state: SeenState },
    usage: PackedUsage,
  ): void {
    if (this.#folder === undefined || seen.size < 0) return;
    if (this.#now() - seen.changed < SETTLED_MS) return;
    const { changed: _, ...state } = seen;
    const line = encodeLine({ ...session, files, state, usage });
    this.#puts.set(sessionDigest(session), { session, line });
  }

  /** Writes what was put. A folder that cannot be written is left alone. */
  save(): void {
    const folder = this.#folder;
    if (folder === undefined || this.#puts.size === 0) return;
    try {
      using _lock = lockCatalogue(folder);
      const added = [...this.#puts].filter(([, { session }]) => lookAtSession(session).size >= 0);
      if (!this.#append(folder, added.map(([, { line }]) => line))) {
        const { lines } = readContents(folder, this.#program);
        for (const [digest, line] of lines) {
          const kept = decodeHead(line);
          // Sessions that their agent deleted are told by their files.
          if (kept === undefined || !exists(kept.path)) lines.delete(digest);
        }
        for (const [digest, { line }] of added) lines.set(digest, line);
        writeLines(folder, this.#program, lines.values());
      }
      this.#puts.clear();
    } catch {
      // An unsafe folder, a disk that is full or cannot be written, another writer: it is read again.
    }
  }

  /** Appends to an unchanged file if at least half of it will count; else writes nothing. */
  #append(folder: string, added: readonly Uint8Array[]): boolean {
    const { size, whole, lines, counted } = this.#known;
    const bytes = added.reduce((sum, { length }) => sum + length, 0);
    let left = counted + bytes;
    for (const digest of this.#puts.keys()) left -= lines.get(digest)?.length ?? 0;
    if (!whole || left * 2 < size + bytes) return false;
    using file = openOrMakeOwnFile(usagePath(folder), { append: true, read: true });
    if (file.statSync().size !== size) return false;
    for (const line of added) writeWhole(file, line);
    return true;
  }
}

/** Writes the file anew. Call it under the lock. */
function writeLines(folder: string, program: number, lines: Iterable<Uint8Array>): void {
  replaceCacheFile(folder, usagePath(folder), (file) => {
    writeWhole(file, encoder.encode(header(program)));
    for (const line of lines) writeWhole(file, line);
  });
}

/**
 * Removes the responses of deleted sessions. Call it under the lock.
 *
 * @returns False if a line is damaged: nobody can tell whose it is, and nothing was written.
 */
export function forgetUsage(
  folder: string,
  program: number,
  isGone: (session: SessionName) => boolean,
): boolean {
  const { lines, whole } = readContents(folder, program);
  if (!whole) return false;
  for (const [digest, line] of lines) {
    const kept = decodeHead(line);
    if (kept === undefined) return false;
    if (isGone(kept)) lines.delete(digest);
  }
  // An obsolete line may tell of the session too.
  writeLines(folder, program, lines.values());
  return true;
}
