/** Keeps the originals of scrubbed files in one encrypted file, and puts them back. */
import { join } from "node:path";
import { sha256 } from "../../../core/event/sha256.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { removeQuietly } from "../../../core/file/remove_quietly.ts";
import { readShortFile } from "../../../core/file/short_file.ts";
import { listFolder } from "../../../agents/engine/files/folder.ts";
import type { SessionHandle } from "../../../library/handle/session_handle.ts";
import { sealTo } from "../../../text/seal/seal.ts";
import { openSealed } from "../../../text/seal/open_sealed.ts";
import type { FileInfo } from "../../../core/platform/file_system.ts";
import {
  dropStaged,
  placeStaged,
  type StagedFile,
  stageFile,
  stateOf,
} from "../../../core/store/staged_files.ts";
import type { CellPlace } from "../../../agents/engine/sqlite/database_cells.ts";
import type { CellChange } from "../../../agents/engine/sqlite/database_rewrite.ts";
import { writeBytes } from "../write_bytes.ts";
import { cellBytes, type CellOriginal, changesBack, rewriteRows } from "./scrub_database.ts";
import { bytesOf, infoOf } from "./scrubbed_file.ts";

export interface OriginalFile {
  path: string;
  /** The file as it was; undefined for a file that the scrub makes. */
  info: FileInfo | undefined;
  /** The folder of the file. Either all files of one folder are restored, or none of them. */
  group: string | undefined;
  /** SHA-256 of the scrubbed file; undefined for a file that the scrub removes. */
  sha256: string | undefined;
}

/** The line before the bytes of an original file or cell. */
interface Header {
  /** Path of the file, or of the database that the cell is in. */
  path: string;
  cell?: CellPlace & { is_text: boolean };
  group?: string | undefined;
  sha256?: string | undefined;
  /** Size, permissions and time of the original; absent for a file that the scrub made. */
  original?: { bytes: number; mode: number | null; mtime: number | null };
}

const SUFFIX = ".age";
const MOST_BYTES = 2 ** 31;
const LF = 0x0a;
const encoder = new TextEncoder();

/**
 * Writes one encrypted file: first the files, with the main file last, then database cells.
 *
 * @returns The path of the encrypted file.
 */
export async function keepOriginals(
  folder: string,
  originals: readonly OriginalFile[],
  recipients: readonly string[],
  now: Date,
  rows?: { path: string; changes: readonly CellChange[] },
): Promise<string> {
  const stamp = now.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const path = join(folder, `${stamp}-${crypto.randomUUID().slice(0, 8)}${SUFFIX}`);
  const plain = ReadableStream.from(piecesOf(originals, rows));
  const sealed = plain.pipeThrough(await sealTo({ recipients }));
  await writeBytes(path, sealed, "write encrypted originals");
  return path;
}

async function* piecesOf(
  originals: readonly OriginalFile[],
  { path: database, changes }: NonNullable<Parameters<typeof keepOriginals>[4]> = {
    path: "",
    changes: [],
  },
): AsyncGenerator<Uint8Array> {
  for (const { path, info, group, sha256 } of originals) {
    const bytes = info === undefined ? new Uint8Array() : await bytesOf({ path, shared: false });
    const header: Header = { path, group, sha256 };
    if (info !== undefined) {
      const { mode, mtime } = info;
      header.original = { bytes: bytes.length, mode, mtime: mtime?.getTime() ?? null };
    }
    yield encoder.encode(`${JSON.stringify(header)}\n`);
    if (bytes.length > 0) yield bytes;
  }
  for (const { table, key, column, content, next } of changes) {
    const [bytes, is_text] = [cellBytes(content), typeof content === "string"];
    const header: Header = {
      path: database,
      cell: { table, key, column, is_text },
      sha256: sha256(cellBytes(next)),
      original: { bytes: bytes.length, mode: null, mtime: null },
    };
    yield encoder.encode(`${JSON.stringify(header)}\n`);
    yield bytes;
  }
}

export interface UndoneScrub {
  restored: string[];
  /** Paths of files that changed since the scrub, and were left as they are. */
  left: string[];
}

/**
 * Puts the originals of the last scrub back.
 *
 * @param options The session, whose main file must be as the scrub left it, the path of the journal
 * of replaced files, and the keys.
 * @throws {SessionError} `not-found` if no originals are kept. `locked` if the session changed
 * since the scrub. `encrypted`, `invalid-key` if no key opens the originals.
 */
export async function restoreOriginals(
  folder: string,
  { handle, journal, identities }: {
    handle: Pick<SessionHandle, "path" | "agent_title">;
    journal: string;
    identities: readonly string[];
  },
): Promise<UndoneScrub> {
  const { path } = handle;
  const kept = listFolder(folder).filter(({ name }) => name.endsWith(SUFFIX)).reverse();
  if (kept.length === 0) {
    const message = `Cannot restore the secrets: no copy of the original was kept: ${path}`;
    throw new SessionError("not-found", message, { path });
  }
  for (const { path: sealed } of kept) {
    const all = await openOriginals(sealed, identities);
    const originals = all.filter(([{ cell }]) => cell === undefined);
    const cells = all.flatMap((one) => cellOriginal(one) ?? []);
    const back = cells.length === 0
      ? new Map<CellOriginal, CellChange>()
      : changesBack(path, cells);
    const [main] = originals.findLast(([header]) => header.path === path) ?? originals.at(-1) ?? [];
    const is_undoable = cells.length > 0 ? back.size > 0 : main !== undefined && isAsScrubbed(main);
    if (!is_undoable) continue;
    const changed = originals.filter(([header]) => !isAsScrubbed(header)).map(([header]) => header);
    const groups = new Set(changed.flatMap(({ group }) => group ?? []));
    const fitting = originals.filter(([header]) =>
      isAsScrubbed(header) && !groups.has(header.group ?? "")
    );
    const left = originals.filter((one) => !fitting.includes(one)).map(([one]) => one.path);
    const late = await (back.size === 0
      ? placeOriginals(fitting, journal)
      : rewriteRows(handle, [...back.values()], folder, () =>
        placeOriginals(fitting, journal)));
    const restored = fitting.map(([one]) => one.path).filter((one) => !late.includes(one));
    if (back.size > 0) restored.push(path);
    if (back.size < cells.length) left.push(path);
    // The encrypted file still has the files that could not be put back.
    if (left.length + late.length === 0) removeQuietly(sealed);
    return { restored, left: [...left, ...late] };
  }
  const message = "Cannot restore the secrets: the session changed since they were scrubbed; the " +
    `originals are still in: ${kept[0]?.path}`;
  throw new SessionError("locked", message, { path });
}

function cellOriginal([{ cell, sha256 }, bytes]: [Header, Uint8Array]): CellOriginal | undefined {
  if (cell === undefined || sha256 === undefined) return undefined;
  const { is_text, ...place } = cell;
  const original = is_text ? new TextDecoder().decode(bytes) : bytes;
  return { ...place, sha256, original };
}

/** Puts original files back. Returns the paths of files that changed while they were put back. */
async function placeOriginals(
  fitting: readonly [Header, Uint8Array][],
  journal: string,
): Promise<string[]> {
  const staged: StagedFile[] = [];
  try {
    for (const [header, bytes] of fitting) staged.push(stageOriginal(header, bytes));
  } catch (error) {
    dropStaged(staged);
    throw error;
  }
  return await placeStaged(journal, staged);
}

function stageOriginal({ path, original }: Header, bytes: Uint8Array): StagedFile {
  const info = infoOf(path);
  if (original === undefined) {
    return { path, ...(info === undefined ? {} : { was: stateOf(info) }) };
  }
  const { mode, mtime } = original;
  const dress = { mode, mtime: mtime === null ? null : new Date(mtime) };
  return stageFile(path, bytes, dress, info);
}

function isAsScrubbed({ path, sha256: scrubbed }: Header): boolean {
  const info = infoOf(path);
  if (info === undefined || scrubbed === undefined) {
    return info === undefined && scrubbed === undefined;
  }
  return sha256(readShortFile(path, MOST_BYTES)) === scrubbed;
}

async function openOriginals(
  sealed: string,
  identities: readonly string[],
): Promise<[Header, Uint8Array][]> {
  const bytes = readShortFile(sealed, MOST_BYTES) as Uint8Array<ArrayBuffer>;
  const stream = new Blob([bytes]).stream().pipeThrough(openSealed({ identities, path: sealed }));
  const plain = new Uint8Array(await new Response(stream as ReadableStream).arrayBuffer());
  const found: [Header, Uint8Array][] = [];
  for (let at = 0; at < plain.length;) {
    const end = plain.indexOf(LF, at);
    const header = JSON.parse(new TextDecoder().decode(plain.subarray(at, end))) as Header;
    const length = header.original?.bytes ?? 0;
    found.push([header, plain.subarray(end + 1, end + 1 + length)]);
    at = end + 1 + length;
  }
  return found;
}
