/**
 * What the runner prints of the outputs of `deno test`: a line for each file, what failed, and what was
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
/** What follows tells failures with their files and lines, and then their names alone. */
const PART = /^ (ERRORS|FAILURES) $/;
const SUMMARY = /^(ok|FAILED) \| (\d+ passed.*) \((.+)\)$/;
/** `2 failed (1 step)` */
const COUNT = /^(\d+) ([a-z ]+?)(?: \((\d+) steps?\))?$/;

interface OpenFile {
  path: string;
  began_ms: number;
  passed: number;
  failed: number;
}

/** Numbers of tests, and of their steps. */
interface Counts {
  tests: number;
  steps: number;
}

/** Reads the outputs of processes line by line. */
export class TestReport {
  readonly #print: (line: string) => void;
  readonly #now: () => number;
  readonly #total: number;
  /** The file whose tests run in each group. */
  readonly #open = new Map<string, OpenFile>();
  readonly #left_out = new Map<string, number>();
  /** What the processes tell at their ends. */
  readonly #parts = new Map<string, string[]>();
  readonly #counts = new Map<string, Counts>();
  #ended = 0;
  #marks = 0;
  #status: string | undefined;
  #time = "";

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

  /** Takes the output of one process as it comes, to its end. */
  async read(output: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    let part: string[] | undefined;
    let rest = "";
    const take = (raw: string): void => {
      const line = stripVTControlCharacters(raw);
      const [, begins] = PART.exec(line) ?? [];
      if (begins !== undefined) part = this.#part(begins);
      else if (SUMMARY.test(line)) this.#sum(line);
      else if (part !== undefined) part.push(line);
      else this.#line(line);
    };
    for await (const text of output.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) take(line);
    }
    if (rest !== "") take(rest);
  }

  #part(name: string): string[] {
    const lines = this.#parts.get(name) ?? [];
    this.#parts.set(name, lines);
    return lines;
  }

  /** Adds the counts of a process to those of the others. The last to end tells the time of all. */
  #sum(line: string): void {
    const [, status = "", counts = "", time = ""] = SUMMARY.exec(line) ?? [];
    if (this.#status !== "FAILED") this.#status = status;
    this.#time = time;
    for (const count of counts.split(" | ")) {
      const [, tests, name = "", steps = "0"] = COUNT.exec(count) ?? [];
      const sum = this.#counts.get(name) ?? { tests: 0, steps: 0 };
      this.#counts.set(name, {
        tests: sum.tests + Number(tests),
        steps: sum.steps + Number(steps),
      });
    }
  }

  #line(line: string): void {
    const [, group = "", name = "", status = ""] = RESULT.exec(line) ?? [];
    if (group !== "") this.#result(group, name, status);
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

  /** Prints what the processes told at their ends; returns false when they had no test. */
  end(): boolean {
    for (const { path } of this.#open.values()) this.#print(`Did not end: ${path}`);
    for (const part of ["ERRORS", "FAILURES"]) {
      const lines = this.#parts.get(part) ?? [];
      if (lines.length > 0) { for (const line of [` ${part} `, ...lines]) this.#print(line); }
    }
    const needs = [...this.#left_out].sort(([, a], [, b]) => b - a)
      .map(([need, count]) => `  ${count} ${count === 1 ? "needs" : "need"} ${need}`);
    if (needs.length > 0) { for (const line of ["Left out:", ...needs]) this.#print(line); }
    if (this.#status === undefined) return true;
    if (this.#open.size > 0) this.#status = "FAILED";
    const passed = this.#counts.get("passed");
    if (passed !== undefined) passed.tests -= this.#marks;
    const ran = [...this.#counts].filter(([name, { tests }]) =>
      tests > 0 && name !== "filtered out"
    );
    if (ran.length === 0) {
      this.#print("No test has such a name");
      return false;
    }
    const counts = [...this.#counts].map(([name, { tests, steps }]) =>
      `${tests} ${name}` + (steps === 0 ? "" : ` (${steps} ${steps === 1 ? "step" : "steps"})`)
    );
    this.#print(`${this.#status} | ${counts.join(" | ")} (${this.#time})`);
    return true;
  }
}
