/**
 * Scenes in a text file: `= RULE` begins a test, `$ …` is a step, `# …` says why, and the other lines
 * are what the step before them tells. `-- --update` behind a test's file writes these lines anew.
 */
import { CaseFile, ruleOf } from "./case_file.ts";
import type { Tests } from "./tests_in.ts";

/** Declares a test for each scene of a file; `play` does a step and returns what it tells. */
export function testScenes<Given>(
  path: URL,
  tests: Tests<Given>,
  play: (given: Given, step: string) => Promise<string[]>,
): void {
  const file = new CaseFile(path);
  for (const [at, scene] of file.cases.entries()) {
    tests.test(ruleOf(scene), async (given) => {
      const [head = "", ...lines] = scene.split("\n");
      const told = [head];
      for (const line of lines) {
        if (/^(# |$)/.test(line)) told.push(line);
        if (line.startsWith("$ ")) told.push(line, ...await play(given, line.slice(2)));
      }
      file.expect(at, told.join("\n"));
    });
  }
}
