/** The items of one session by their number, in a database in memory. */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { TranscriptItem } from "../../../core/projection/transcript/item.ts";
import type { Cut, ItemCut } from "../../catalogue/fold_items.ts";

const SCHEMA = `
CREATE TABLE item (
  number INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL,
  end_seq INTEGER,
  cut TEXT,
  json TEXT
) STRICT;`;
/**
 * The SQL that indexes items by event. It runs at the first lookup, as most windows need no index.
 */
const BY_EVENT = "CREATE INDEX IF NOT EXISTS item_seq ON item (seq)";

/**
 * Keeps the position of each item, and the text of as many items as fit into memory. Other items
 * can be read again from a resume point. Nothing is written to disk.
 */
export class ItemTable {
  readonly #sqlite = new DatabaseSync(":memory:");
  readonly #insert: StatementSync;
  readonly #most_characters: number;
  #count = 0;
  #characters = 0;
  #last_seq = 0;
  #is_full = false;

  constructor(most_characters: number) {
    this.#most_characters = most_characters;
    this.#sqlite.exec(SCHEMA);
    this.#insert = this.#sqlite.prepare("INSERT INTO item VALUES (?, ?, ?, ?, ?)");
  }

  get count(): number {
    return this.#count;
  }

  get last_seq(): number {
    return this.#last_seq;
  }

  add(items: readonly TranscriptItem[], cut: Cut | undefined): void {
    if (items.length === 0) return;
    this.#sqlite.exec("BEGIN");
    for (const [at, item] of items.entries()) {
      const begins = at === 0 && cut !== undefined ? JSON.stringify(cut) : null;
      this.#insert.run(this.#count++, item.seq, item.end_seq ?? null, begins, this.#fitting(item));
      this.#last_seq = Math.max(this.#last_seq, item.seq);
    }
    this.#sqlite.exec("COMMIT");
  }

  #fitting(item: TranscriptItem): string | null {
    if (this.#is_full) return null;
    const json = JSON.stringify(item);
    this.#is_full = this.#characters + json.length > this.#most_characters;
    if (this.#is_full) return null;
    this.#characters += json.length;
    return json;
  }

  /** Returns the items from `first` to before `last`; undefined if the text of one was not kept. */
  items(first: number, last: number): TranscriptItem[] | undefined {
    const rows = this.#sqlite
      .prepare("SELECT json FROM item WHERE number >= ? AND number < ? ORDER BY number")
      .all(first, last);
    if (rows.some(({ json }) => json === null)) return undefined;
    return rows.map(({ json }) => JSON.parse(String(json)));
  }

  /** Stores JSON of items that were read again. Drops all other JSON if the limit is exceeded. */
  keep(first: number, items: readonly TranscriptItem[]): void {
    const texts = items.map((item) => JSON.stringify(item));
    const size = texts.reduce((sum, { length }) => sum + length, 0);
    if (size > this.#most_characters) return;
    this.#sqlite.exec("BEGIN");
    if (this.#characters + size > this.#most_characters) {
      this.#sqlite.exec("UPDATE item SET json = NULL WHERE json IS NOT NULL");
      this.#characters = 0;
    }
    const update = this.#sqlite.prepare("UPDATE item SET json = ? WHERE number = ?");
    for (const [at, json] of texts.entries()) update.run(json, first + at);
    this.#characters += size;
    this.#sqlite.exec("COMMIT");
  }

  /** Finds a resume point at or before `item`. Skips as many nearer points as `before` says. */
  cutUpTo(item: number, before: number): ItemCut {
    const row = this.#sqlite.prepare(
      "SELECT number, cut FROM item WHERE cut IS NOT NULL AND number <= ? " +
        "ORDER BY number DESC LIMIT 1 OFFSET ?",
    ).get(item, before);
    if (row === undefined) return { number: 0, cut: {} };
    return { number: Number(row.number), cut: JSON.parse(String(row.cut)) };
  }

  /**
   * Finds a resume point, a point where a read can begin, at or after `item`. First skips `behind`
   * such points. Returns the number of the item there, or of all items if there are too few points.
   */
  cutFrom(item: number, behind: number): number {
    const row = this.#sqlite.prepare(
      "SELECT number FROM item WHERE cut IS NOT NULL AND number >= ? " +
        "ORDER BY number LIMIT 1 OFFSET ?",
    ).get(item, behind);
    return Number(row?.number ?? this.#count);
  }

  /** Finds the item that shows an event, or else the last item that begins before the event. */
  itemOf(seq: number): number | undefined {
    this.#sqlite.exec(BY_EVENT);
    const row = this.#sqlite.prepare(
      "SELECT coalesce((SELECT min(number) FROM item WHERE seq = ?1 OR end_seq = ?1), " +
        "(SELECT max(number) FROM item WHERE seq <= ?1)) AS number",
    ).get(seq);
    return row?.number === null ? undefined : Number(row?.number);
  }

  close(): void {
    this.#sqlite.close();
  }
}
