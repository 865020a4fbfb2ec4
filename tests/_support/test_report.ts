/**
 * What the runner prints of the output of `deno test`: a line for each file, what failed, and what was
 * left out and why.
 */
import { stripVTControlCharacters } from "node:util";

/** Begins the name of the test that stands before those of a file; its path follows. */
export const MARK = "file: ";
/** Matches the names of these tests, for `--filter`. */
export const MARK_PATTERN = `^${MARK}`;

/** `GROUP => NAME ... ok (5ms)`; a step's name follows that of its test. */
const RESULT = /^(\S+) => (.*) \.\.\. (ok|FAILED|ignored)\b.*$/;
/** `name (needs tmux: apt install tmux)` */
const NEED = / \(needs ([^:]+): (.+)\)$/;
/** What follows tells failures with their files and lines. */
const ERRORS = /^ ERRORS $/;
const NOTHING_RAN = /^ \| 0 failed( \| \d+ filtered out)?$/;
const SUMMARY = /^(ok|FAILED) \| (\d+) passed(.*) \((.+)\)$/;

interface OpenFile {
  path: string;
  began_ms: number;
  passed: number;
  failed: number;
}

/** Reads the output line by line. */
export class TestReport {
  readonly #print: (line: string) => void;
  readonly #now: () => number;
  readonly #total: number;
  /** The file whose tests run in each group. */
  readonly #open = new Map<string, OpenFile>();
  readonly #left_out = new Map<string, number>();
  #ended = 0;
  #marks = 0;
  #in_errors = false;
  #summary: string | undefined;

  /**
   * @param total How many files there are
   * @param print Gets each line
   * @param now Milliseconds from any point
   */
  constructor(
    total: number,
    print: (line: string) => void,
    now: () => number = () => performance.now(),
  ) {
    this.#total = total;
    this.#print = print;
    this.#now = now;
  }

  /** Takes the output as it comes, to its end; returns false when it had no test. */
  async read(output: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<boolean> {
    let rest = "";
    for await (const text of output.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#line(stripVTControlCharacters(line));
    }
    if (rest !== "") this.#line(stripVTControlCharacters(rest));
    return this.#end();
  }

  #line(line: string): void {
    const [, group = "", name = "", status = ""] = RESULT.exec(line) ?? [];
    if (ERRORS.test(line)) this.#in_errors = true;
    if (this.#in_errors) this.#error(line);
    else if (SUMMARY.test(line)) this.#summary = line;
    else if (group !== "") this.#result(group, name, status);
  }

  #error(line: string): void {
    if (SUMMARY.test(line)) this.#summary = line;
    else this.#print(line);
  }

  #result(group: string, name: string, status: string): void {
    if (name.startsWith(MARK)) {
      this.#marks += 1;
      this.#close(group);
      const path = name.slice(MARK.length);
      if (path === "") return;
      this.#open.set(group, { path, began_ms: this.#now(), passed: 0, failed: 0 });
      return;
    }
    const [, need, get] = NEED.exec(name) ?? [];
    if (status === "ignored" && need !== undefined) {
      const key = `${need} (${get})`;
      this.#left_out.set(key, (this.#left_out.get(key) ?? 0) + 1);
    }
    const file = this.#open.get(group);
    if (file === undefined) return;
    if (status === "ok") file.passed += 1;
    if (status === "FAILED") file.failed += 1;
  }

  /** Prints the line of a file that has ended. */
  #close(group: string): void {
    const file = this.#open.get(group);
    if (file === undefined) return;
    this.#open.delete(group);
    this.#ended += 1;
    // With a filter, most files run nothing.
    if (file.passed + file.failed === 0) return;
    const seconds = ((this.#now() - file.began_ms) / 1000).toFixed(1);
    const failed = file.failed === 0 ? "" : `, ${file.failed} FAILED`;
    this.#print(
      `${this.#ended} of ${this.#total} files: ${file.path}, ${file.passed} passed${failed}, ` +
        `${seconds} s`,
    );
  }

  #end(): boolean {
    for (const { path } of this.#open.values()) this.#print(`Did not end: ${path}`);
    const needs = [...this.#left_out].sort(([, a], [, b]) => b - a)
      .map(([need, count]) => `  ${count} ${count === 1 ? "needs" : "need"} ${need}`);
    if (needs.length > 0) { for (const line of ["Left out:", ...needs]) this.#print(line); }
    const [, status, passed, counts, time] = SUMMARY.exec(this.#summary ?? "") ?? [];
    if (status === undefined) return true;
    const count = Number(passed) - this.#marks;
    if (count === 0 && NOTHING_RAN.test(counts ?? "")) {
      this.#print("No test has such a name");
      return false;
    }
    this.#print(`${status} | ${count} passed${counts} (${time})`);
    return true;
  }
}
