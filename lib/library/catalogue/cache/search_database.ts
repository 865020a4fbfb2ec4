/**
 * The search index: one database in the cache folder. It has no text of a session, only hashes of
 * words and of three-character sequences (grams), and facts about texts.
 */
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { removeQuietly } from "../../../core/file/remove_quietly.ts";
import { removeSync } from "../../../core/platform/files.ts";
import { digest } from "../session_state.ts";
import {
  type CacheDatabase,
  openDatabase,
  openToWrite,
  pathsIn,
  removeUnused,
  sumOf,
} from "./cache_database.ts";
import { withoutNumbers } from "./number_lists.ts";

/** Version of the index. Raised if a table, the searchable texts or the bases of words change. */
const VERSION = 11;
const NAME = /^search-\d+\.db$/;
/** Maximum number of a part's blocks. A block's id is part id × this maximum + block index. */
export const MOST_BLOCKS = 8192;
/** Matches the name of the folder in which earlier versions kept the index. */
const FORMER = /^index$/;

/**
 * The index is in parts. A row of `part` covers consecutive messages, and consecutive groups of
 * texts. Groups are indexed by their grams (three characters), messages by their words. `list`
 * holds a part's blocks: first grams, then words, then message lengths. A row of `source` is one
 * session. Its id is the number of the session's first group.
 */
const SCHEMA = `
CREATE TABLE IF NOT EXISTS part (
  id INTEGER PRIMARY KEY,
  first INTEGER NOT NULL, groups INTEGER NOT NULL,
  pairs INTEGER NOT NULL, blocks INTEGER NOT NULL,
  message INTEGER NOT NULL, messages INTEGER NOT NULL, word_blocks INTEGER NOT NULL,
  is_whole INTEGER NOT NULL,
  sum INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS list (
  id INTEGER PRIMARY KEY,
  block BLOB NOT NULL,
  sum INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS source (
  id INTEGER PRIMARY KEY,
  key INTEGER NOT NULL,
  state INTEGER NOT NULL, size INTEGER NOT NULL,
  start INTEGER NOT NULL, stop INTEGER NOT NULL,
  groups INTEGER NOT NULL, texts INTEGER NOT NULL,
  message INTEGER NOT NULL, messages INTEGER NOT NULL,
  flags INTEGER NOT NULL,
  sum INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS source_key ON source (key);
CREATE TABLE IF NOT EXISTS source_texts (
  id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  detail TEXT NOT NULL,
  texts BLOB NOT NULL,
  sum INTEGER NOT NULL
) STRICT;`;

export function indexPath(folder: string): string {
  return join(folder, `search-${VERSION}.db`);
}

/** Returns the paths of all indexes in a cache folder, including other versions. */
export function indexesIn(folder: string): string[] {
  return pathsIn(folder, NAME);
}

export function indexedSession({ agent, id }: { agent: string; id: string }): number {
  return digest(`${agent}:${id}`);
}

export function openIndex(folder: string): CacheDatabase | undefined {
  return openDatabase(indexPath(folder), "SELECT id FROM source_texts LIMIT 0");
}

/**
 * Opens the index of a cache folder in a write transaction. Undefined without SQLite.
 *
 * @throws The error of the system or of SQLite if the index cannot be opened.
 */
export function beginIndex(folder: string): CacheDatabase | undefined {
  const path = indexPath(folder);
  const onMade = (): void => {
    for (const former of pathsIn(folder, FORMER)) removeQuietly(former, { recursive: true });
    removeUnused(indexesIn(folder), path);
  };
  const database = openToWrite({ folder, path, onMade });
  try {
    database?.exec(`BEGIN IMMEDIATE; ${SCHEMA}`);
    return database;
  } catch (error) {
    database?.[Symbol.dispose]();
    throw error;
  }
}

/**
 * Removes sessions from the index. Only hashes of their character sequences remain. Deletes the
 * whole index if it has another version or cannot be written.
 */
export function forgetIndexed(folder: string, agent: string, ids: readonly string[]): void {
  for (const path of indexesIn(folder)) {
    if (path !== indexPath(folder) || !hasForgotten(folder, agent, ids)) removeSync(path);
  }
}

function hasForgotten(folder: string, agent: string, ids: readonly string[]): boolean {
  try {
    using database = beginIndex(folder);
    const named = "SELECT id FROM source_texts WHERE session = ?";
    for (const id of ids) {
      const session = indexedSession({ agent, id });
      database?.prepare(`DELETE FROM source WHERE id IN (${named})`).run(session);
      database?.prepare("DELETE FROM source_texts WHERE session = ?").run(session);
    }
    if (database !== undefined) forgetWords(database);
    database?.exec("COMMIT");
    return true;
  } catch {
    // Another process writes for long, the disk is full, or the file is damaged.
    return false;
  }
}

/** Removes word hashes of messages whose source was removed. A hash lets one guess the word. */
function forgetWords(database: CacheDatabase): void {
  const parts = database.prepare("SELECT id, blocks, word_blocks, message, messages FROM part");
  const sources = database.prepare(
    "SELECT message, messages FROM source WHERE message < :end AND message + messages > :message",
  );
  const read = database.prepare("SELECT block FROM list WHERE id = ?");
  const write = database.prepare("UPDATE list SET block = ?, sum = ? WHERE id = ?");
  for (const part of parts.all() as unknown as Record<string, number>[]) {
    const { id = 0, blocks = 0, word_blocks = 0, message = 0, messages = 0 } = part;
    const kept = new Uint8Array(messages);
    for (const source of sources.all({ message, end: message + messages })) {
      const start = Number(source.message) - message;
      kept.fill(1, Math.max(0, start), Math.max(0, start + Number(source.messages)));
    }
    if (!kept.includes(0)) continue;
    for (let number = blocks; number < blocks + word_blocks; number++) {
      const row = id * MOST_BLOCKS + number;
      const { block } = read.get(row) ?? {};
      if (!(block instanceof Uint8Array)) continue;
      const left = withoutNumbers(block, (message) => kept[message] === 1);
      if (left !== undefined) write.run(left, sumOf([row, crc32(left)]), row);
    }
  }
}
