/**
 * Finds sessions in the columns. They are asked for nearly in the order of the columns, so the one
 * behind the last is tried first; that costs no search and copies no text.
 */
import type { CatalogueColumns } from "./catalogue_columns.ts";

/** Finds places in columns that are in the order of their keys. */
export class KeyFinder {
  readonly #columns: CatalogueColumns;
  #next = 0;

  constructor(columns: CatalogueColumns) {
    this.#columns = columns;
  }

  /** Gives the place of a key; undefined where the columns do not have it. */
  find(key: string): number | undefined {
    const index = this.#columns.hasKey(this.#next, key) ? this.#next : this.#search(key);
    if (index !== undefined) this.#next = index + 1;
    return index;
  }

  #search(key: string): number | undefined {
    let [low, high] = [0, this.#columns.count - 1];
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = this.#columns.key(middle);
      if (found === key) return middle;
      if (found < key) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }
}
