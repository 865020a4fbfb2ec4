/**
 * A file of cases, each with a rule behind `= ` or `# ` and with what it expects. `-- --update` writes
 * what the cases expect anew: read the difference before you commit it.
 */
import assert from "node:assert/strict";
import process from "node:process";

const UPDATE = process.argv.includes("--update");

/** The cases of a file, as they are written. */
export class CaseFile {
  readonly cases: readonly string[];
  readonly #path: URL;
  readonly #found: string[];

  constructor(path: URL) {
    this.#path = path;
    const text = Deno.readTextFileSync(path).trimEnd();
    this.cases = text.split(text.startsWith("# ") ? /\n\n(?=# )/ : /\n\n(?== )/);
    this.#found = [...this.cases];
  }

  /** Compares a case with what was found for it, or writes it into the file. */
  expect(at: number, found: string): void {
    if (!UPDATE) return assert.equal(found, this.cases[at]);
    this.#found[at] = found;
    Deno.writeTextFileSync(this.#path, `${this.#found.join("\n\n")}\n`);
  }
}

/** The files of a folder below `testdata`, by their names. */
export function caseFiles(folder: string): Map<string, CaseFile> {
  const url = new URL(`../../testdata/${folder}/`, import.meta.url);
  const names = [...Deno.readDirSync(url)].map(({ name }) => name).sort();
  return new Map(names.map((name) => [name, new CaseFile(new URL(name, url))]));
}

/** The rule that a case proves. */
export function ruleOf(text: string): string {
  const [head = ""] = text.split("\n", 1);
  return head.slice(2);
}
