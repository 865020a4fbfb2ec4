/**
 * A safety taken out of the code, to see that a test notices. Each of testdata/mutants.jsonl stands
 * for something that went wrong for users of some agent.
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

/**
 * A source with a change in it.
 *
 * @throws {Error} When what is taken away does not stand in it exactly once
 */
export function withChange(source: string, { name, file, from, to }: Mutant): string {
  const pieces = source.split(from);
  if (pieces.length === 2) return pieces.join(to);
  throw new Error(`Cannot change ${file} ("${name}"): found ${pieces.length - 1} times: ${from}`);
}

export function readMutants(): Mutant[] {
  const text = Deno.readTextFileSync(new URL("../../testdata/mutants.jsonl", import.meta.url));
  return text.trim().split("\n").map((line) => JSON.parse(line));
}
