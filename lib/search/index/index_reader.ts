/**
 * Reads the index. Every row that is used has its checksum verified, because a damaged database seldom
 * reports damage.
 */
import { type CacheDatabase, sumOf } from "../../library/cache/cache_database.ts";
import { MOST_BLOCKS } from "../../library/cache/search_database.ts";
import { crc32 } from "node:zlib";
import { foldText } from "../fold.ts";
import type { Term } from "../query.ts";
import { blockOf, forEachPair, gramsOf } from "./gram_lists.ts";
import { type SourceDetail, type SourceFacts, sumOfSource } from "./index_source.ts";

/** Reports that the index is damaged, or locked for long: it is not used. */
export class UnusableIndex extends Error {
  override readonly name = "UnusableIndex";
}

/** The facts about a part. */
export interface PartFacts {
  id: number;
  first: number;
  groups: number;
  pairs: number;
  blocks: number;
  is_whole: number;
}

/** Returns the sources that are as they were written. */
function whole(rows: Record<string, unknown>[]): SourceFacts[] {
  const stored = rows as unknown as (SourceFacts & { sum: number })[];
  return stored.filter((source) => source.sum === sumOfSource(source));
}

/** The texts of a source as they are stored. */
export interface StoredTexts {
  session: number;
  detail: string;
  packed: Uint8Array;
}

/** Returns the checksum of a source's texts. */
export function sumOfTexts(id: number, { session, detail, packed }: StoredTexts): number {
  return sumOf([id, session, detail, packed instanceof Uint8Array ? crc32(packed) : NaN]);
}

/** An open index. */
export class IndexReader {
  readonly #database: CacheDatabase;
  /** All parts, by their first groups. */
  readonly parts: readonly PartFacts[];
  /** For each part, the number of groups in those before it. */
  readonly #offsets: number[] = [];
  /** Number of groups in all parts. */
  readonly groups: number;

  /** @throws {UnusableIndex} Where it is damaged. */
  constructor(database: CacheDatabase) {
    this.#database = database;
    this.parts = this.#rows("SELECT * FROM part ORDER BY first").map(({ sum, ...part }) => {
      if (sum === sumOf(Object.values(part))) return part as unknown as PartFacts;
      throw new UnusableIndex("A part of the index is damaged");
    });
    let groups = 0;
    for (const part of this.parts) {
      this.#offsets.push(groups);
      groups += part.groups;
    }
    this.groups = groups;
  }

  #rows(sql: string, values: Record<string, number> = {}): Record<string, unknown>[] {
    try {
      return this.#database.prepare(sql).all(values);
    } catch (cause) {
      throw new UnusableIndex("The index cannot be read", { cause });
    }
  }

  /**
   * Returns the sources in the order of writing. Damaged ones are left out, so that their sessions are
   * scanned.
   */
  sources(): SourceFacts[] {
    return whole(this.#rows("SELECT * FROM source ORDER BY id"));
  }

  /** Returns the sources of a part that begin in it. */
  sourcesOf({ first, groups }: PartFacts): SourceFacts[] {
    const sql = "SELECT * FROM source WHERE id >= :first AND id < :end";
    return whole(this.#rows(sql, { first, end: first + groups }));
  }

  /** Reads what is stored of a source's texts. */
  stored(id: number): StoredTexts {
    const sql = "SELECT session, detail, texts AS packed, sum FROM source_texts WHERE id = :id";
    const [{ sum, ...row } = {}] = this.#rows(sql, { id });
    const stored = row as unknown as StoredTexts;
    if (sum !== sumOfTexts(id, stored)) throw new UnusableIndex("A source's texts are damaged");
    return stored;
  }

  /** Reads the detail of a source. */
  detail(id: number): SourceDetail {
    return JSON.parse(this.stored(id).detail) as SourceDetail;
  }

  /** Reads a block of a part's lists. */
  block(part: number, block: number): Uint8Array {
    const id = part * MOST_BLOCKS + block;
    const [{ lists, sum } = {}] = this.#rows("SELECT lists, sum FROM gram WHERE id = :id", { id });
    if (!(lists instanceof Uint8Array) || sum !== sumOf([id, crc32(lists)])) {
      throw new UnusableIndex("A list of the index is damaged");
    }
    return lists;
  }

  /**
   * Returns the index of a source's first group among all groups; undefined if a part is missing.
   */
  placeOf({ id, groups }: Pick<SourceFacts, "id" | "groups">): number | undefined {
    const [first, last] = [this.#placeOfGroup(id), this.#placeOfGroup(id + groups - 1)];
    return first !== undefined && last === first + groups - 1 ? first : undefined;
  }

  #placeOfGroup(group: number): number | undefined {
    let [low, high] = [0, this.parts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.parts[middle] as PartFacts).first <= group) low = middle + 1;
      else high = middle;
    }
    const part = this.parts[low - 1];
    if (part === undefined || group >= part.first + part.groups) return undefined;
    return (this.#offsets[low - 1] ?? 0) + group - part.first;
  }

  /** Marks the groups whose texts may have a term, without exception. */
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

  /** Reads all of the index. @throws {UnusableIndex} Where anything is damaged. */
  verify(): void {
    for (const { id, blocks } of this.parts) {
      for (let block = 0; block < blocks; block++) this.block(id, block);
    }
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
/** Most grams of a term; more exclude hardly more texts. */
const MOST_GRAMS = 24;

/** Returns the grams of a term's cores; none if the index cannot tell where it is. */
export function termGrams({ cores }: Term): number[] {
  const grams = new Set<number>();
  for (const core of cores) {
    const folded = foldText(core);
    if ([...folded].length < GRAM) continue;
    for (const gram of gramsOf(folded)) if (grams.size < MOST_GRAMS) grams.add(gram);
  }
  return [...grams];
}
