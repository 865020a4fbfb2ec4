/** Replaces the secrets of a session in the rows of its agent's database. */
import { Buffer } from "node:buffer";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../../core/event/sha256.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { removeQuietly } from "../../../core/file/remove_quietly.ts";
import { replaceFile } from "../../../core/log/replace_file.ts";
import { readShortFile } from "../../../core/file/short_file.ts";
import {
  type CellContent,
  type CellPlace,
  type DatabaseCell,
  databaseCells,
} from "../../../agents/engine/sqlite/database_cells.ts";
import {
  type CellChange,
  DatabaseRewrite,
} from "../../../agents/engine/sqlite/database_rewrite.ts";
import type { SessionHandle } from "../../../library/handle/session_handle.ts";
import type { Redactor } from "../../../text/redaction/redactor.ts";
import { scrubBytes, type ScrubValue } from "./scrub_bytes.ts";
import { infoOf } from "./scrubbed_file.ts";

/** A database, and the sessions in it that are scrubbed: a session and its subagents. */
export interface ScrubbedDatabase {
  path: string;
  ids: ReadonlySet<string>;
}

export interface ScrubbedRows {
  changes: CellChange[];
  /** True if rows of other sessions also have some of the secrets. These rows are not changed. */
  others_have_some: boolean;
}

const MOST_DATABASE_BYTES = 64 * 1024 * 1024;
const decoder = new TextDecoder();

export function learnRows({ path, ids }: ScrubbedDatabase, learn: ScrubValue): void {
  for (const { is_own, content } of databaseCells(path, ids)) {
    if (is_own) scrubBytes(cellBytes(content), learn);
  }
}

export function scrubRows(
  { path, ids }: ScrubbedDatabase,
  { full, known }: { full: ScrubValue; known: ScrubValue },
): ScrubbedRows {
  const rows: ScrubbedRows = { changes: [], others_have_some: false };
  for (const cell of databaseCells(path, ids)) {
    if (cell.is_own) {
      const bytes = scrubBytes(cellBytes(cell.content), full)?.bytes;
      if (bytes !== undefined) rows.changes.push(changeOf(cell, bytes));
    } else if (!rows.others_have_some) {
      rows.others_have_some = scrubBytes(cellBytes(cell.content), known) !== undefined;
    }
  }
  return rows;
}

export function namesInRows(
  { path, ids }: ScrubbedDatabase,
  names: ReadonlySet<string>,
): Set<string> {
  const found = new Set<string>();
  if (names.size === 0) return found;
  for (const { is_own, content } of databaseCells(path, ids)) {
    if (!is_own || typeof content !== "string") continue;
    for (const [name] of content.matchAll(/[\w.-]+/g)) if (names.has(name)) found.add(name);
  }
  return found;
}

function changeOf(
  { table, key, column, content }: DatabaseCell,
  bytes: Uint8Array,
): CellChange {
  return {
    ...{ table, key, column, content },
    next: typeof content === "string" ? decoder.decode(bytes) : bytes,
  };
}

export function cellBytes(content: CellContent): Uint8Array {
  return typeof content === "string" ? Buffer.from(content) : content;
}

/** A cell as it was before a scrub, and the SHA-256 of its scrubbed content. */
export interface CellOriginal extends CellPlace {
  sha256: string;
  original: CellContent;
}

/** Returns the changes that put originals back. Cells that changed since the scrub are left out. */
export function changesBack(
  path: string,
  originals: readonly CellOriginal[],
): Map<CellOriginal, CellChange> {
  const name = ({ table, key, column }: CellPlace, digest: string): string =>
    JSON.stringify([table, key, column, digest]);
  const wanted = new Map(originals.map((one) => [name(one, one.sha256), one]));
  const changes = new Map<CellOriginal, CellChange>();
  for (const cell of databaseCells(path, new Set())) {
    const { table, key, column, content } = cell;
    const original = wanted.get(name(cell, sha256(cellBytes(content))));
    if (original === undefined) continue;
    changes.set(original, { table, key, column, content, next: original.original });
  }
  return changes;
}

/**
 * Replaces cells of a database, together with a step that replaces files: all or nothing.
 *
 * @param folder Folder of a marker file, which stays until the database is compacted. If this run
 * is killed, a later run sees the marker and compacts the database.
 * @throws {SessionError} `locked` if a program has the database open, or changed a row since it was
 * read.
 */
export async function rewriteRows<Result>(
  { path, agent_title }: Pick<SessionHandle, "path" | "agent_title">,
  changes: readonly CellChange[],
  folder: string,
  step: () => Promise<Result>,
): Promise<Result> {
  const note = notePath(folder);
  using rewrite = new DatabaseRewrite(path, agent_title);
  if (!rewrite.replace(changes)) {
    const message = `Cannot change session: it changed while it was read; try again: ${path}`;
    throw new SessionError("locked", message, { path });
  }
  const result = await step();
  replaceFile(note, [path]);
  rewrite.commit();
  removeQuietly(note);
  return result;
}

function notePath(folder: string): string {
  return join(folder, "database-to-pack");
}

/** True if a killed scrub left old contents in free pages of the database. */
export function isUnpacked(folder: string): boolean {
  return existsSync(notePath(folder));
}

/** True if the bytes of a database have a known secret, or are too many to check. */
export function holdsSecrets(path: string, redactor: Redactor): boolean {
  const bytes = [path, `${path}-wal`].filter((one) => infoOf(one) !== undefined);
  return bytes.some((one) => {
    try {
      const text = new TextDecoder("latin1").decode(readShortFile(one, MOST_DATABASE_BYTES));
      return redactor.known(text, "") !== text;
    } catch (error) {
      if (error instanceof SessionError) return true;
      throw error;
    }
  });
}
