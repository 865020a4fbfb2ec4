/** The arguments of the runner: which files, and what goes to `deno test`. */
import { FULL_SIZE_MARK } from "./full_size.ts";
import { MARK_PATTERN } from "./test_report.ts";

/** What is to run. */
export interface TestArguments {
  /** Files and folders; empty: all files. */
  paths: string[];
  /** For `deno test`. */
  flags: string[];
  /** True for the tests that need their size, and no others. */
  full_size: boolean;
  /** Where the results go as XML. */
  junit?: string;
}

/** A name that leads to no test file. */
export class UnknownTests extends Error {
  override name = "UnknownTests";
}

/** Punctuation that means something to a regular expression. */
const SPECIAL = /[\\^$.*+?()[\]{}|/#&~-]/g;

/** A filter that lets the tests through that name files. */
function withMarks(filter: string): string {
  const [, pattern] = /^\/(.*)\/$/s.exec(filter) ?? [];
  return `/${MARK_PATTERN}|${pattern ?? filter.replaceAll(SPECIAL, "\\$&")}/`;
}

/** Reads the command line of the runner. */
export function testArguments(args: readonly string[]): TestArguments {
  const read: TestArguments = { paths: [], flags: [], full_size: false };
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    const [, joined] = /^--filter=(.*)$/s.exec(arg) ?? [];
    const [, report] = /^--junit-path=(.+)$/s.exec(arg) ?? [];
    if (arg === "--filter") read.flags.push("--filter", withMarks(args[++at] ?? ""));
    else if (joined !== undefined) read.flags.push("--filter", withMarks(joined));
    else if (report !== undefined) read.junit = report;
    else if (arg === "--full-size") read.full_size = true;
    else if (arg.startsWith("-")) read.flags.push(arg);
    else read.paths.push(arg);
  }
  if (read.full_size) read.flags.push("--filter", withMarks(FULL_SIZE_MARK));
  return read;
}

/** `lib/library/search` has its tests in `tests/library/search`, `commands/list.ts` in `tests/commands/list_test.ts`. */
function placesOf(path: string): string[] {
  const plain = path.replaceAll("\\", "/").replace(/^\.\//, "").replace(/\/+$/, "");
  const mirrored = plain.startsWith("tests/") || plain === "tests"
    ? plain
    : `tests/${plain.replace(/^lib\//, "")}`;
  return [mirrored, mirrored.replace(/\.ts$/, "_test.ts")];
}

/**
 * The files that are named.
 *
 * @throws {UnknownTests} When a name leads to no test file
 */
export function chosenFiles<File extends { path: string }>(
  paths: readonly string[],
  files: readonly File[],
): File[] {
  if (paths.length === 0) return [...files];
  const chosen = paths.flatMap((path) => {
    const places = placesOf(path);
    const found = files.filter((file) =>
      places.some((place) => file.path === place || file.path.startsWith(`${place}/`))
    );
    if (found.length > 0) return found;
    throw new UnknownTests(
      `Cannot find tests of ${path}. Name a folder or a file, such as lib/library/search or ` +
        "tests/library/search/word_query_test.ts",
    );
  });
  return [...new Set(chosen)];
}
