/**
 * Groups of test files. `deno test` loads what a test file imports anew for each file that it is given.
 * For five hundred files this takes a minute, for a few modules that import them seconds.
 */
import { writeExamples } from "./example_tests.ts";
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

/**
 * Writes modules that register the tests of all files, dealt out in turn.
 *
 * @param count How many modules the files share that need none of their own
 * @returns The paths of the modules, for `deno test`
 */
export function writeGroups(folder: string, files: readonly TestFile[], count: number): string[] {
  const shared = files.filter(({ alone }) => !alone);
  const groups = [
    ...files.filter(({ alone }) => alone).map((file) => [file]),
    ...Array.from(
      { length: Math.min(count, shared.length) },
      (_, group) => shared.filter((_, index) => index % count === group),
    ),
  ];
  return groups.map((group, index) => {
    const path = `${folder}/tests_${index + 1}.ts`;
    Deno.writeTextFileSync(path, moduleOf(group));
    return path;
  });
}

function moduleOf(files: readonly TestFile[]): string {
  // One behind the other, so that tests are registered in the order of their files.
  const loads = files.map(({ path, url }) =>
    `await testFile(${JSON.stringify(path)}, () => import(${JSON.stringify(url)}));\n`
  );
  const imported = `import { endOfGroup, testFile } from ${JSON.stringify(SUPPORT)};\n`;
  return [imported, ...loads, "endOfGroup();\n"].join("");
}
