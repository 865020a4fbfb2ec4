/**
 * Scenes in a text file: `= RULE` begins a test, `$ …` is a step, `# …` says why, and the other lines
 * are what the step before them tells. `-- --update` behind a test's file writes these lines anew.
 */
import assert from "node:assert/strict";
import process from "node:process";
import type { Tests } from "./tests_in.ts";

const UPDATE = process.argv.includes("--update");

function scenesIn(file: URL): string[] {
  return Deno.readTextFileSync(file).split(/^(?== )/m);
}

/** Declares a test for each scene of a file; `play` does a step and returns what it tells. */
export function testScenes<Given>(
  file: URL,
  tests: Tests<Given>,
  play: (given: Given, step: string) => Promise<string[]>,
): void {
  const scenes = scenesIn(file);
  for (const [at, scene] of scenes.entries()) {
    const [head = "", ...lines] = scene.trimEnd().split("\n");
    if (!head.startsWith("= ")) continue;
    tests.test(head.slice(2), async (given) => {
      const told = [head];
      for (const line of lines) {
        if (/^(# |$)/.test(line)) told.push(line);
        if (line.startsWith("$ ")) told.push(line, ...await play(given, line.slice(2)));
      }
      const found = `${told.join("\n")}\n${at === scenes.length - 1 ? "" : "\n"}`;
      if (UPDATE) Deno.writeTextFileSync(file, scenesIn(file).with(at, found).join(""));
      else assert.equal(found, scene);
    });
  }
}
