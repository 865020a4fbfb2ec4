/**
 * The transcripts of `testdata/transcripts`: command lines and what they print. `deno task cases`
 * writes anew what they expect; read the difference before you commit it.
 */
import assert from "node:assert/strict";
import process from "node:process";
import { testsAtHome } from "../_support/cli_home.ts";
import { LINUX, UNIX } from "../_support/needing.ts";
import { GIT } from "../_support/trapped_repository.ts";
import { played, scenesIn, textOf } from "./_transcript.ts";

const UPDATE = process.argv.includes("--update");
const FOLDER = new URL("../../testdata/transcripts/", import.meta.url);

for (const { name } of [...Deno.readDirSync(FOLDER)].sort((a, b) => a.name < b.name ? -1 : 1)) {
  const path = new URL(name, FOLDER);
  const scenes = scenesIn(Deno.readTextFileSync(path));
  for (const [at, scene] of scenes.entries()) {
    const needs = [
      ...scene.rule.endsWith(" (Unix)") ? [UNIX] : [],
      ...scene.rule.endsWith(" (Linux)") ? [LINUX] : [],
      ...scene.steps.some(({ line }) => line.startsWith("+ git ")) ? [GIT] : [],
    ];
    testsAtHome(...needs).test(`${name}: ${scene.rule}`, async (home) => {
      const found = await played(home, scene);
      scenes[at] = found;
      if (UPDATE) Deno.writeTextFileSync(path, textOf(scenes));
      assert.equal(textOf([found]), textOf([UPDATE ? found : scene]));
    });
  }
}
