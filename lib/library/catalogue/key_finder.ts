/**
 * Finds sessions in the columns. Requests come nearly in the order of the file, so the next row is
 * tried first. Mostly no table needs to be built.
 */
import type { CatalogueColumns } from "./catalogue_columns.ts";

/** Finds the place of a key in columns. */
export class KeyFinder {
  readonly #columns: CatalogueColumns;
  #table: Map<number, number> | undefined;
  #next = 0;

  /** Looks in these columns. */
  constructor(columns: CatalogueColumns) {
    this.#columns = columns;
  }

  /** Gives the place of a key; undefined where the columns do not have it. */
  find(key: number): number | undefined {
    const isNext = this.#next < this.#columns.count && this.#columns.key(this.#next) === key;
    const index = isNext ? this.#next : (this.#table ??= this.#makeTable()).get(key);
    if (index !== undefined) this.#next = index + 1;
    return index;
  }

  #makeTable(): Map<number, number> {
    const table = new Map<number, number>();
    for (let index = 0; index < this.#columns.count; index++) {
      table.set(this.#columns.key(index), index);
    }
    return table;
  }
}
