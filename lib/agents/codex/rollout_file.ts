/**
 * Reads the lines and the first records of a rollout, compressed or not. Codex compresses old
 * rollouts unchanged, with zstd level 3 (codex-rs/rollout/src/compression.rs). Offsets count the
 * decompressed bytes.
 */
import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { createZstdDecompress } from "node:zlib";
import { type ByteRange, byteSource, openToRead } from "../../core/log/byte_source.ts";
import type { Report } from "../../core/log/diagnostic.ts";
import { type Line, splitChunk, splitRest, startSplit } from "../../core/log/line_splitter.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { openRegularFile } from "../../core/file/regular_file.ts";
import { toSessionError } from "../../core/log/io_error.ts";
import { byteSearch } from "../../core/log/json_bytes/byte_search.ts";
import { isNotFound, isPermissionDenied } from "../../core/platform/system_error.ts";
import { asList, asName, asObject } from "../engine/json.ts";
import { readEdges, recordsIn } from "../engine/records/file_edges.ts";
import { readJsonDocument } from "../engine/sources/document_source.ts";
import { readLines, type RecordOptions } from "../engine/records/jsonl_records.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import { rolloutForm } from "./rollout_files.ts";
import { type RolloutRecord, toRolloutRecord } from "./rollout_record.ts";

interface RolloutRange extends ByteRange {
  path: string;
  /** Number of the range's first line. @default {1} */
  line?: number;
}

/**
 * Yields the lines of a range, in batches. The bytes of a batch are valid until the next batch.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function* rolloutLines(
  range: RolloutRange,
  options: Pick<RecordOptions, "report" | "signal"> = {},
): AsyncGenerator<readonly Line[]> {
  if (rolloutForm(range.path) === "compressed") yield* compressedLines(range, options);
  else yield* readLines(range.path, { ...range, ...options });
}

async function* compressedLines(
  { path, from = 0, to = Infinity }: RolloutRange,
  { report, signal }: Pick<RecordOptions, "report" | "signal">,
): AsyncGenerator<Line[]> {
  const split = startSplit(undefined, from);
  let at = 0;
  for await (const chunk of decompressed(path, report)) {
    signal?.throwIfAborted();
    const part = chunk.subarray(Math.max(0, from - at), Math.max(0, to - at));
    at += chunk.length;
    const lines = splitChunk(split, part);
    if (lines.length > 0) yield lines;
    if (at >= to) break;
  }
  const rest = splitRest(split);
  if (rest !== undefined) yield [rest];
}

/**
 * Maximum decompressed bytes of a small file. The maximum of a larger file is `MOST_RATIO` times
 * its compressed size.
 */
const PLAIN_BYTES = 64 * 1024 * 1024;
const MOST_RATIO = 200;

/**
 * Yields the decompressed bytes of a file up to the first damage, and reports the damage.
 *
 * @throws {SessionError} `unsupported-source` if the file decompresses to more bytes than any
 * session.
 */
async function* decompressed(path: string, report?: Report): AsyncGenerator<Uint8Array> {
  const most = Math.max(PLAIN_BYTES, MOST_RATIO * fileBytes(path));
  const { readable } = byteSource(path);
  let at = 0;
  let failure: unknown;
  const source = Readable.fromWeb(readable as NodeReadableStream);
  const frames = createZstdDecompress();
  source.on("error", (error) => {
    failure = error;
    frames.destroy();
  });
  try {
    for await (const chunk of source.pipe(frames)) {
      at += chunk.length;
      if (at > most) throw failure = bombError(path);
      yield chunk;
    }
  } catch (error) {
    if (failure !== undefined) throw failure;
    // The compressed bytes are damaged: what came before them is whole.
    const detail = `the rest of the file cannot be decompressed: ${(error as Error).message}`;
    report?.({ code: "torn-tail", offset: at, length: 0, line: 0, detail });
  } finally {
    source.destroy();
    frames.destroy();
  }
}

function bombError(path: string): SessionError {
  const message =
    `Cannot read session: the file decompresses to more than ${MOST_RATIO} times its ` +
    "size, so it is probably not a session; check the file with zstd --list, or move " +
    `it away: ${path}`;
  return new SessionError("unsupported-source", message, { path });
}

function fileBytes(path: string): number {
  using file = openToRead(path);
  return file.statSync().size;
}

/**
 * Returns the records of a document from before 2025-09, the session's head first. The document is
 * `{session: {timestamp, id, instructions}, items: [...]}`
 * (codex-cli/src/utils/storage/save-rollout.ts).
 */
export function documentItems([document]: readonly SourceRecord[]): SourceRecord[] {
  const { session, items } = document?.value ?? {};
  if (document === undefined || session === undefined) return [];
  const position = { ...document.position, length: 0 };
  return [
    { ...document, value: { ...asObject(session) } },
    ...asList(items).map((item) => ({ ...document, position, value: { ...asObject(item) } })),
  ];
}

/**
 * Number of bytes to read first to find a head. A head has 22 KB in 0.169, and more with additional
 * tools or instructions.
 */
const HEAD_BYTES = 64 * 1024;
const MOST_BYTES = 8 * 1024 * 1024;
const HEAD_RECORDS = 16;

/**
 * Yields the first records of a file. The records are repeated from the start if the caller reads
 * past the first 64 KiB.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function* headRecords(path: string): AsyncGenerator<RolloutRecord> {
  if (rolloutForm(path) === "document") {
    yield* documentItems(readJsonDocument(path)).map(toRolloutRecord);
    return;
  }
  for await (const lines of headLines(path)) {
    for (const line of lines) yield* recordsIn([line]).map(toRolloutRecord);
  }
}

async function* headLines(path: string): AsyncGenerator<readonly Line[]> {
  if (rolloutForm(path) === "compressed") return yield* rolloutLines({ path, to: MOST_BYTES });
  for (const head_bytes of [HEAD_BYTES, MOST_BYTES]) {
    const { head, whole } = readEdges(path, { head_bytes, tail_bytes: 0 });
    yield head;
    if (whole) return;
  }
}

export async function readRolloutHead(path: string): Promise<RolloutRecord | undefined> {
  let left = HEAD_RECORDS;
  for await (const record of headRecords(path)) {
    if (record.type === "session_meta") return record;
    if (--left === 0) return undefined;
  }
  return undefined;
}

/**
 * Returns the id of the thread whose lines a fork copied. Undefined if no lines were copied. The
 * copied head follows the fork's own head. Until January 2026, only the copied head names the
 * parent of a fork (openai/codex pull request 9330).
 */
export async function readCopiedId(path: string): Promise<string | undefined> {
  let own: unknown;
  for await (const { type, payload: { id } } of headRecords(path)) {
    if (type !== "session_meta") return undefined;
    if (own !== undefined && id !== own) return asName(id);
    own = id;
  }
  return undefined;
}

/**
 * Number of bytes at a file's start that contain the parent thread's id, if any. The head's
 * instructions follow these bytes.
 */
const PARENT_BYTES = 4096;
const findSubagent = byteSearch('"subagent"');
const room = new Uint8Array(PARENT_BYTES);

/** Returns the lower-case id of the thread that started a file's thread, or null if none did. */
export async function readParent(path: string): Promise<string | null> {
  if (!mayBeSpawned(path)) return null;
  const meta = await readRolloutHead(path);
  return meta === undefined ? null : spawnedBy(meta.payload)?.toLowerCase() ?? null;
}

/** True if a file's first bytes may name a parent thread. Other files need not be parsed. */
function mayBeSpawned(path: string): boolean {
  if (rolloutForm(path) !== "lines") return rolloutForm(path) === "compressed";
  try {
    using file = openRegularFile(path).file;
    const count = file.readSync(room) ?? 0;
    return findSubagent(room, 0, count) >= 0;
  } catch (error) {
    // Gone since, locked, or not a file: reading the session reports it.
    if (error instanceof SessionError) return false;
    if (isNotFound(error)) return false;
    if (isPermissionDenied(error)) return false;
    throw toSessionError(error, "read session", path);
  }
}

/** Returns the id of the thread that started a thread, from the started thread's head. */
export function spawnedBy(
  payload: RolloutRecord["payload"],
): string | undefined {
  const { subagent } = asObject(payload.source);
  const { parent_thread_id } = asObject(asObject(subagent).thread_spawn);
  const parent = asName(parent_thread_id);
  if (parent !== undefined) return parent;
  return subagent === undefined && payload.thread_source !== "subagent"
    ? undefined
    : asName(payload.parent_thread_id);
}
