/**
 * Remembers what locating sessions reads inside of files: the parent in a thread's head, the rows
 * of a database. A file is opened again only if it changed.
 *
 * @module
 */

/** A cache of facts that were read from files. */
export interface LocatedFacts {
  /**
   * Returns what `read` returned for these files in the state in which they are now; else calls it.
   * What `read` throws is thrown, and not remembered.
   *
   * @param files Absolute paths of all files that decide, the one that names the fact first.
   * @param read Returns a value of JSON.
   */
  recall<Fact>(
    files: readonly string[],
    read: () => Fact | Promise<Fact>,
  ): Fact | Promise<Fact>;
  /** Stores a value of JSON under a name, for a later search whose own source fails. */
  keep(name: string, value: unknown): void;
  /** Returns the value that the last search stored under a name; undefined if there is none. */
  kept(name: string): unknown;
}

/** A cache that stores nothing, so that every file is read. */
export const NO_FACTS: LocatedFacts = {
  recall: (_files, read) => read(),
  keep: () => {},
  kept: () => undefined,
};
