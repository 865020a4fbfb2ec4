/**
 * Stores facts that a search for sessions reads inside files. Examples are the parent in a thread's
 * first record, and the rows of a database. A file is opened again only if it changed.
 *
 * @module
 */

export interface LocatedFacts {
  /**
   * Returns the stored result of `read` for these files, if the files have not changed since.
   * Otherwise calls `read`. An error of `read` is thrown, and not stored.
   *
   * @param files Absolute paths of all files that the fact depends on. The first path is the key of
   * the stored fact.
   * @param read Returns a value that JSON can represent.
   */
  recall<Fact>(
    files: readonly string[],
    read: () => Fact | Promise<Fact>,
  ): Fact | Promise<Fact>;
  /** Stores a JSON value under a name. A later search uses it if it cannot read the value anew. */
  keep(name: string, value: unknown): void;
  /** Returns the value that the last search stored under a name; undefined if there is none. */
  kept(name: string): unknown;
}

export const NO_FACTS: LocatedFacts = {
  recall: (_files, read) => read(),
  keep: () => {},
  kept: () => undefined,
};
