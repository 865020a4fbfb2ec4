/**
 * Reads the index. The checksum of every used row is verified, because a damaged database seldom
 * reports damage.
 */
import { type CacheDatabase, sumOf } from "../../catalogue/cache/cache_database.ts";
import { forEachPair } from "../../catalogue/cache/number_lists.ts";
import { MOST_BLOCKS } from "../../catalogue/cache/search_database.ts";
import { crc32 } from "node:zlib";
import { foldText } from "../fold.ts";
import type { Term } from "../query.ts";
import { blockOf, gramsOf } from "./gram_lists.ts";
import { type SourceDetail, type SourceFacts, sumOfSource } from "./index_source.ts";
import { forEachMessage, wordBlockOf } from "./word_lists.ts";

/** The error for an index that cannot be used, because it is damaged or locked for long. */
export class UnusableIndex extends Error {
  override readonly name = "UnusableIndex";
}

export interface PartFacts {
  id: number;
  first: number;
  groups: number;
  pairs: number;
  blocks: number;
  message: number;
  messages: number;
  word_blocks: number;
  is_whole: number;
}

/** Returns the index of the last item that passes; −1 if none. Items that pass must come first. */
function lastAt<Item>(items: readonly Item[], passes: (item: Item) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(items[middle] as Item)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function whole(rows: Record<string, unknown>[]): SourceFacts[] {
  const stored = rows as unknown as (SourceFacts & { sum: number })[];
  return stored.filter((source) => source.sum === sumOfSource(source));
}

export interface StoredTexts {
  session: number;
  detail: string;
  packed: Uint8Array;
}

export function sumOfTexts(id: number, { session, detail, packed }: StoredTexts): number {
  return sumOf([id, session, detail, packed instanceof Uint8Array ? crc32(packed) : NaN]);
}

export class IndexReader {
  readonly #database: CacheDatabase;
  /** The parts of the index, in ascending order of the part's first group. */
  readonly parts: readonly PartFacts[];
  /** For each part, the number of groups of texts in all earlier parts. */
  readonly #offsets: number[] = [];
  readonly #messages: number[] = [];
  /** Number of groups in all parts. A group is neighbouring texts that are indexed together. */
  readonly groups: number;
  readonly messages: number;

  constructor(database: CacheDatabase) {
    this.#database = database;
    this.parts = this.#rows("SELECT * FROM part ORDER BY first").map(({ sum, ...part }) => {
      if (sum === sumOf(Object.values(part))) return part as unknown as PartFacts;
      throw new UnusableIndex("A part of the index is damaged");
    });
    let [groups, messages] = [0, 0];
    for (const part of this.parts) {
      this.#offsets.push(groups);
      this.#messages.push(messages);
      groups += part.groups;
      messages += part.messages;
    }
    this.groups = groups;
    this.messages = messages;
  }

  #rows(sql: string, values: Record<string, number> = {}): Record<string, unknown>[] {
    try {
      return this.#database.prepare(sql).all(values);
    } catch (cause) {
      throw new UnusableIndex("The index cannot be read", { cause });
    }
  }

  /**
   * Returns the sources in the order of writing, without damaged sources. Searches scan the
   * sessions of damaged sources.
   */
  sources(): SourceFacts[] {
    return whole(this.#rows("SELECT * FROM source ORDER BY id"));
  }

  /** Returns the sources whose first group is in a part. */
  sourcesOf({ first, groups }: PartFacts): SourceFacts[] {
    const sql = "SELECT * FROM source WHERE id >= :first AND id < :end";
    return whole(this.#rows(sql, { first, end: first + groups }));
  }

  source(id: number): SourceFacts | undefined {
    return whole(this.#rows("SELECT * FROM source WHERE id = :id", { id }))[0];
  }

  stored(id: number): StoredTexts {
    const sql = "SELECT session, detail, texts AS packed, sum FROM source_texts WHERE id = :id";
    const [{ sum, ...row } = {}] = this.#rows(sql, { id });
    const stored = row as unknown as StoredTexts;
    if (sum !== sumOfTexts(id, stored)) throw new UnusableIndex("A source's texts are damaged");
    return stored;
  }

  detail(id: number): SourceDetail {
    return JSON.parse(this.stored(id).detail) as SourceDetail;
  }

  block(part: number, number: number): Uint8Array {
    const id = part * MOST_BLOCKS + number;
    const [{ block, sum } = {}] = this.#rows("SELECT block, sum FROM list WHERE id = :id", { id });
    if (!(block instanceof Uint8Array) || sum !== sumOf([id, crc32(block)])) {
      throw new UnusableIndex("A part of the search index is damaged");
    }
    return block;
  }

  /** Reads all blocks of a part: first those of grams, then of words, then of messages. */
  blocks({ id, blocks, word_blocks }: PartFacts): Uint8Array[] {
    return Array.from({ length: blocks + word_blocks + 1 }, (_, number) => this.block(id, number));
  }

  /**
   * Returns the index of a source's first group among all groups; undefined if a part is missing.
   */
  placeOf({ id, groups }: Pick<SourceFacts, "id" | "groups">): number | undefined {
    const [first, last] = [this.#placeOfGroup(id), this.#placeOfGroup(id + groups - 1)];
    return first !== undefined && last === first + groups - 1 ? first : undefined;
  }

  #placeOfGroup(group: number): number | undefined {
    const at = lastAt(this.parts, ({ first }) => first <= group);
    const part = this.parts[at];
    if (part === undefined || group >= part.first + part.groups) return undefined;
    return (this.#offsets[at] ?? 0) + group - part.first;
  }

  /** Returns the index of a source's first message among all messages. */
  placeOfMessages({ message, messages }: Pick<SourceFacts, "message" | "messages">): number {
    if (messages === 0) return 0;
    const at = lastAt(this.parts, (part) => part.message <= message);
    return (this.#messages[at] ?? 0) + message - (this.parts[at]?.message ?? 0);
  }

  /** Calls `onMessage` for each message with its length and properties, in message order. */
  forEachMessage(onMessage: (length: number, properties: number) => void): void {
    for (const { id, blocks, word_blocks } of this.parts) {
      forEachMessage(this.block(id, blocks + word_blocks), onMessage);
    }
  }

  /** Returns for each message the words that it has, as bits in the order of `words`. */
  messagesWith(words: readonly number[]): Int32Array {
    const bits = new Map(words.map((word, at) => [word, 1 << at]));
    const found = new Int32Array(this.messages);
    for (const [at, { id, blocks, word_blocks }] of this.parts.entries()) {
      const offset = this.#messages[at] ?? 0;
      for (const block of new Set(words.map((word) => wordBlockOf(word, word_blocks)))) {
        forEachPair(this.block(id, blocks + block), (word, message) => {
          const bit = bits.get(word);
          if (bit !== undefined) found[offset + message]! |= bit;
        });
      }
    }
    return found;
  }

  /** Returns 1 for each group of texts that may match the term, else 0. Misses no group. */
  groupsWith(term: Term): Uint8Array {
    const grams = termGrams(term);
    const counts = new Uint8Array(this.groups);
    for (const [index, { id, blocks }] of this.parts.entries()) {
      const offset = this.#offsets[index] ?? 0;
      for (const [block, wanted] of Map.groupBy(grams, (gram) => blockOf(gram, blocks))) {
        forEachPair(this.block(id, block), (gram, group) => {
          if (wanted.includes(gram)) counts[offset + group]!++;
        });
      }
    }
    return counts.map((count) => Number(count === grams.length));
  }

  /** Reads the whole index. @throws {UnusableIndex} If any row is damaged or missing. */
  verify(): void {
    for (const part of this.parts) this.blocks(part);
    const rows = this.#rows("SELECT id FROM source");
    const sources = this.sources();
    if (sources.length < rows.length) throw new UnusableIndex("A source is damaged");
    for (const source of sources) {
      if (this.placeOf(source) === undefined) throw new UnusableIndex("A part is missing");
      this.stored(source.id);
    }
  }
}

const GRAM = 3;
/** Maximum number of grams of a term to look up. Further grams exclude few more texts. */
const MOST_GRAMS = 24;

/** Returns the grams that all matches of a term contain; none if the index cannot find the term. */
export function termGrams({ cores }: Term): number[] {
  const grams = new Set<number>();
  for (const core of cores) {
    const folded = foldText(core);
    if ([...folded].length < GRAM) continue;
    for (const gram of gramsOf(folded)) if (grams.size < MOST_GRAMS) grams.add(gram);
  }
  return [...grams];
}
