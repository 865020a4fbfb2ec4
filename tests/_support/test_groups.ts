/**
 * Groups of test files. `deno test` loads what a test file imports anew for each file that it is given.
 * For five hundred files this takes a minute, for a few modules that import them seconds.
 *
 * Each group gets a process. In one process they would wait for each other whenever memory is mapped,
 * and a child that is forked would copy the tables of all.
 */
import { writeExamples } from "./example_tests.ts";
import { SLOW_FILES } from "./slow_files.ts";
import { ROOT, sourcesIn } from "./source_code.ts";

/** Such a test may leave a timer behind, for which Deno would blame the next test of its group. */
const LEAVES_SOMETHING = /\bsanitize(?:Ops|Resources): false/;
const NEEDS_SIZE = /\batFullSize\(/;
const SUPPORT = new URL("test_file.ts", import.meta.url).href;

/** A module with tests. */
export interface TestFile {
  /** From the root of the repository. */
  path: string;
  url: string;
  /** True where no other file may share its group. */
  alone: boolean;
  /** True where some of its tests need their size. */
  has_size: boolean;
}

/** The test files of the repository, without those of benches. */
export function testFiles(): TestFile[] {
  return sourcesIn("tests/")
    .filter(([path]) => path.endsWith("_test.ts") && !path.startsWith("tests/bench/"))
    .sort()
    .map(([path, source]) => fileOf(path, source));
}

/** The files among some paths that other tasks run, and that no name tells from support. */
export function filesOfTasks(paths: readonly string[]): TestFile[] {
  return sourcesIn("tests/")
    .filter(([path]) => paths.includes(path) && !path.endsWith("_test.ts"))
    .map(([path, source]) => fileOf(path, source));
}

function fileOf(path: string, source: string): TestFile {
  return {
    path,
    url: new URL(path, ROOT).href,
    alone: LEAVES_SOMETHING.test(source),
    has_size: NEEDS_SIZE.test(source),
  };
}

/** The examples of the library, as test files below a folder. */
export function exampleFiles(folder: string): TestFile[] {
  return writeExamples(folder).map(({ path, url }) => ({
    path,
    url,
    alone: false,
    has_size: false,
  }));
}

/** Thousandths of all time that a file takes, where nothing says how long. */
const USUAL = 0.9;

/**
 * Deals files out, slowest first, each to the group with the least to do: cores would be idle while the
 * longest group ends.
 *
 * @param weightOf The share of a file in the time of all
 */
export function dealt<File>(
  files: readonly File[],
  count: number,
  weightOf: (file: File) => number,
): File[][] {
  const groups = Array.from({ length: Math.min(count, files.length) }, () => new Set<File>());
  const sums = groups.map(() => 0);
  for (const file of files.toSorted((a, b) => weightOf(b) - weightOf(a))) {
    const least = sums.indexOf(Math.min(...sums));
    groups[least]?.add(file);
    sums[least] = (sums[least] ?? 0) + weightOf(file);
  }
  // The tests of a group run in the order of its files.
  return groups.map((group) => files.filter((file) => group.has(file)));
}

/**
 * Writes modules that register the tests of all files. The files that need a module of their own are
 * run by one process more, beside those of the groups.
 *
 * @param count How many modules the files share that need none of their own
 * @param needed A file that is made while they are loaded; their tests wait for it
 * @returns The paths of the modules for each `deno test`
 */
export function writeGroups(
  folder: string,
  files: readonly TestFile[],
  count: number,
  needed?: string,
): string[][] {
  const shared = files.filter(({ alone }) => !alone);
  const groups = dealt(shared, count, ({ path }) => SLOW_FILES[path] ?? USUAL);
  const apart = files.filter(({ alone }) => alone).map((file) => [file]);
  let number = 0;
  const write = (group: readonly TestFile[]): string => {
    const path = `${folder}/tests_${++number}.ts`;
    Deno.writeTextFileSync(path, moduleOf(group, needed));
    return path;
  };
  return [apart, ...groups.map((group) => [group])]
    .filter((modules) => modules.length > 0)
    .map((modules) => modules.map(write));
}

function moduleOf(files: readonly TestFile[], needed: string | undefined): string {
  // One behind the other, so that tests are registered in the order of their files.
  const loads = files.map(({ path, url }) =>
    `await testFile(${JSON.stringify(path)}, () => import(${JSON.stringify(url)}));\n`
  );
  const imported = `import { endOfGroup, testFile, untilMade } from ${JSON.stringify(SUPPORT)};\n`;
  const waits = needed === undefined ? "" : `await untilMade(${JSON.stringify(needed)});\n`;
  return [imported, ...loads, "endOfGroup();\n", waits].join("");
}
