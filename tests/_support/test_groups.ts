/**
 * Groups of test files. `deno test` loads what a test file imports anew for each file that it is given.
 * For five hundred files this takes a minute, for a few modules that import them seconds.
 */
import { fileURLToPath } from "node:url";
import { writeExamples } from "./example_tests.ts";
import { ROOT, sourcesIn } from "./source_code.ts";

/** Such a test may leave a timer behind, for which Deno would blame the next test of its group. */
const LEAVES_SOMETHING = /\bsanitize(?:Ops|Resources): false/;

/**
 * Writes modules that import all test files and the library's examples, dealt out in turn.
 *
 * @returns The arguments for `deno test`: the files that stand alone, and these modules.
 */
export function writeGroups(folder: string, count: number): string[] {
  const files = sourcesIn("tests/").filter(([path]) =>
    path.endsWith("_test.ts") && !path.startsWith("tests/bench/")
  ).sort();
  const alone = files.filter(([, source]) => LEAVES_SOMETHING.test(source));
  const urlOf = ([path]: [string, string]): string => new URL(path, ROOT).href;
  const urls = [
    ...files.filter((file) => !alone.includes(file)).map(urlOf),
    ...writeExamples(folder),
  ];
  const groups = Array.from({ length: count }, (_, group) => {
    const path = `${folder}/tests_${group + 1}.ts`;
    const imports = urls.filter((_, index) => index % count === group)
      .map((url) => `import ${JSON.stringify(url)};\n`);
    Deno.writeTextFileSync(path, imports.join(""));
    return path;
  });
  return [...alone.map((file) => fileURLToPath(urlOf(file))), ...groups];
}
