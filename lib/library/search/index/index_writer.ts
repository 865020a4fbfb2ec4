/** Writes the index. Only one process writes at a time, because the writer holds a transaction. */
import { errorText } from "../../../core/event/error_text.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import {
  type CacheDatabase,
  removeDatabase,
  sumOf,
  withRepair,
} from "../../catalogue/cache/cache_database.ts";
import { beginIndex, indexPath, MOST_BLOCKS } from "../../catalogue/cache/search_database.ts";
import { crc32 } from "node:zlib";
import { GramPairs } from "./gram_lists.ts";
import { IndexReader, type PartFacts, sumOfTexts, UnusableIndex } from "./index_reader.ts";
import { type SourceFacts, sumOfSource } from "./index_source.ts";
import type { BuiltPart, BuiltSource } from "./part_builder.ts";
import { stampFile } from "./source_stamp.ts";
import { WordLists } from "./word_lists.ts";

/** Maximum number of text groups, and of messages, that one thread's builder adds to the index. */
const RUN = 2 ** 28;
const PUT_PART = `INSERT INTO part VALUES (
  :id, :first, :groups, :pairs, :blocks, :message, :messages, :word_blocks, :is_whole, :sum)`;
const PUT_SOURCE = `INSERT INTO source VALUES (
  :id, :key, :state, :size, :start, :stop, :groups, :texts, :message, :messages, :flags, :sum)`;
const CLEAR = "DELETE FROM part; DELETE FROM list; DELETE FROM source; DELETE FROM source_texts";

export function isLocked(error: unknown): boolean {
  return /database is locked/.test(errorText(error));
}

export class IndexWriter implements Disposable {
  readonly #database: CacheDatabase;
  /** Lowest number for new groups of texts and messages. Builder N starts N × `RUN` above it. */
  readonly #base: number;
  readonly #path: string;
  readonly #ino: number;
  #part: number;
  #is_cleared = true;

  private constructor(database: CacheDatabase, path: string) {
    this.#database = database;
    this.#path = path;
    this.#ino = stampFile(path).ino;
    const { id } = database.prepare("SELECT max(id) AS id FROM part").get() ?? {};
    this.#part = Number(id ?? 0);
    this.#base = this.#nextRun();
  }

  /** Returns the first number for new groups and messages. All stored numbers are smaller. */
  #nextRun(): number {
    const sql = "SELECT max(max(first + groups), max(message + messages)) AS end FROM part";
    return Math.ceil(Number(this.#database.prepare(sql).get()?.end ?? 0) / RUN) * RUN;
  }

  /** Opens the index of a cache folder, or rebuilds it if damaged. Undefined without SQLite. */
  static open(folder: string, is_checked: boolean): IndexWriter | undefined {
    const path = indexPath(folder);
    return withRepair(path, () => {
      const database = beginIndex(folder);
      if (database === undefined) return undefined;
      try {
        if (is_checked) new IndexReader(database).verify();
        return new IndexWriter(database, path);
      } catch (error) {
        database[Symbol.dispose]();
        if (!(error instanceof UnusableIndex)) throw error;
        removeDatabase(path);
        return IndexWriter.open(folder, false);
      }
    });
  }

  reader(): IndexReader {
    return new IndexReader(this.#database);
  }

  /** True if most of the index is useless, because its sessions changed or are gone. */
  get is_outdated(): boolean {
    const sum = (table: string): number =>
      Number(this.#database.prepare(`SELECT total(groups) AS sum FROM ${table}`).get()?.sum);
    return sum("part") > 2 * sum("source");
  }

  /** Empties the index just before the next part is written. */
  clear(): void {
    this.#is_cleared = false;
  }

  /**
   * Stores a part. The part stays even if this process ends.
   *
   * @param builder Number of the part's builder, from 0.
   * @throws {SessionError} `io` if the index file was removed.
   */
  put(part: BuiltPart, builder: number): void {
    if (stampFile(this.#path).ino !== this.#ino) {
      const message =
        "Cannot write index: another process removed the index; build the index again: " +
        "reprise index build";
      throw new SessionError("io", message, { path: this.#path });
    }
    this.#clearNow();
    const base = this.#base + builder * RUN;
    const message = base + part.message;
    if (part.groups > 0) this.#putPart({ ...part, first: base + part.first, message });
    for (const source of part.sources) {
      this.#replace(source);
      // A session that was deleted meanwhile was forgotten.
      if (stampFile(source.path).size < 0) continue;
      this.#putSource({ ...source, id: base + source.id, message: base + source.message });
    }
    this.#database.exec("COMMIT; BEGIN IMMEDIATE");
  }

  #clearNow(): void {
    if (!this.#is_cleared) this.#database.exec(CLEAR);
    this.#is_cleared = true;
  }

  #putPart(
    { first, groups, pairs, blocks, message, messages, words, is_whole }: Omit<
      BuiltPart,
      "sources" | "counted"
    >,
  ): void {
    const id = ++this.#part;
    const facts = {
      ...{ id, first, groups, pairs, blocks: blocks.length, message, messages },
      ...{ word_blocks: words.length - 1, is_whole: Number(is_whole) },
    };
    this.#database.prepare(PUT_PART).run({ ...facts, sum: sumOf(Object.values(facts)) });
    const put = this.#database.prepare("INSERT INTO list VALUES (?, ?, ?)");
    for (const [at, block] of [...blocks, ...words].entries()) {
      const row = id * MOST_BLOCKS + at;
      put.run(row, block, sumOf([row, crc32(block)]));
    }
  }

  #replace({ key, start }: SourceFacts): void {
    const same = "SELECT id FROM source WHERE key = ? AND start >= ?";
    this.#database.prepare(`DELETE FROM source_texts WHERE id IN (${same})`).run(key, start);
    this.#database.prepare("DELETE FROM source WHERE key = ? AND start >= ?").run(key, start);
  }

  #putSource(source: Omit<BuiltSource, "path">): void {
    const { id, key, state, size, start, stop, groups, texts, message, messages, flags } = source;
    const facts = {
      ...{ id, key, state, size, start, stop, groups, texts, message, messages, flags },
    };
    this.#database.prepare(PUT_SOURCE).run({ ...facts, sum: sumOfSource(facts) });
    const { session, detail, packed } = source;
    this.#database.prepare("INSERT INTO source_texts VALUES (?, ?, ?, ?, ?)")
      .run(id, session, detail, packed, sumOfTexts(id, source));
  }

  /** Ends the writing. Small parts are merged, because each search reads all parts. */
  finish(): void {
    this.#clearNow();
    this.#mergeParts();
    this.#database.exec("COMMIT");
  }

  #mergeParts(): void {
    const reader = this.reader();
    const merged = mergeable(reader.parts);
    if (merged.length < 2) return;
    const [pairs, words] = [new GramPairs(), new WordLists()];
    const base = this.#nextRun();
    for (const part of merged) {
      const { id, first, groups, blocks, message } = part;
      const moved = {
        groups: base + pairs.groups - first,
        messages: base + words.messages - message,
      };
      for (const source of reader.sourcesOf(part)) this.#move(reader, source, moved);
      const lists = reader.blocks(part);
      pairs.addPart(lists.slice(0, blocks), groups);
      words.addPart(lists.slice(blocks));
      this.#database.prepare("DELETE FROM part WHERE id = ?").run(id);
      this.#database.prepare("DELETE FROM list WHERE id >= ? AND id < ?")
        .run(id * MOST_BLOCKS, (id + 1) * MOST_BLOCKS);
    }
    const { groups, count } = pairs;
    const said = { message: base, messages: words.messages, words: words.take() };
    const blocks = pairs.take();
    this.#putPart({ first: base, groups, pairs: count, blocks, ...said, is_whole: true });
  }

  #move(
    reader: IndexReader,
    source: SourceFacts,
    by: { groups: number; messages: number },
  ): void {
    const stored = reader.stored(source.id);
    this.#database.prepare("DELETE FROM source WHERE id = ?").run(source.id);
    this.#database.prepare("DELETE FROM source_texts WHERE id = ?").run(source.id);
    const [id, message] = [source.id + by.groups, source.message + by.messages];
    this.#putSource({ ...source, ...stored, id, message });
  }

  [Symbol.dispose](): void {
    this.#database[Symbol.dispose]();
  }
}

/** Limits for merging parts into one: `pairs` of a gram with a group of texts, and `groups`. */
const MOST_MERGED = { pairs: 1 << 20, groups: 1 << 13 };

/**
 * Returns the last parts to merge: each is at most twice as large as all later parts together. Thus
 * parts are merged rarely and few remain.
 */
function mergeable(parts: readonly PartFacts[]): PartFacts[] {
  const found: PartFacts[] = [];
  let [pairs, groups] = [0, 0];
  for (const part of parts.toSorted((one, other) => other.id - one.id)) {
    pairs += part.pairs;
    groups += part.groups;
    const fits = pairs <= MOST_MERGED.pairs && groups <= MOST_MERGED.groups;
    if (!fits || part.is_whole === 0) break;
    if (found.length > 0 && part.pairs > 2 * (pairs - part.pairs)) break;
    found.unshift(part);
  }
  return found;
}
