/**
 * A safety taken out of the code, to see that a test notices.
 */

/** One change. */
export interface Mutant {
  /** What is taken away, as a sentence. */
  name: string;
  /** The file, from the root of the repository. */
  file: string;
  /** Stands exactly once in it. */
  from: string;
  to: string;
  /** Tests of which at least one must fail: files or folders, from the root. */
  tests: readonly string[];
}
