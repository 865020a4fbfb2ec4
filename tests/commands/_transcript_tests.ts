/** The tests of a folder of transcripts, a test a scene. With `--update` they write what they expect. */
import assert from "node:assert/strict";
import process from "node:process";
import { type CliHome, testsAtHome } from "../_support/cli_home.ts";
import { LINUX, UNIX } from "../_support/needing.ts";
import { GIT } from "../_support/trapped_repository.ts";
import { played, type Programs, scenesIn, textOf } from "./_transcript.ts";

const UPDATE = process.argv.includes("--update");

/** What a scene has beside its home. */
export interface Stage extends Partial<AsyncDisposable> {
  readonly programs: Programs;
}

/** Declares the tests of a folder below `testdata`. */
export function testTranscripts(
  name: string,
  stageOf: (home: CliHome) => Stage = () => ({ programs: {} }),
): void {
  const folder = new URL(`../../testdata/${name}/`, import.meta.url);
  for (const { name } of [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1)) {
    const path = new URL(name, folder);
    const scenes = scenesIn(Deno.readTextFileSync(path));
    for (const [at, scene] of scenes.entries()) {
      const needs = [
        ...scene.rule.endsWith(" (Unix)") ? [UNIX] : [],
        ...scene.rule.endsWith(" (Linux)") ? [LINUX] : [],
        ...scene.steps.some(({ line }) => line.startsWith("+ git ")) ? [GIT] : [],
      ];
      testsAtHome(...needs).test(`${name}: ${scene.rule}`, async (home) => {
        const stage = stageOf(home);
        const found = await played(home, scene, stage.programs);
        await stage[Symbol.asyncDispose]?.();
        scenes[at] = found;
        if (UPDATE) Deno.writeTextFileSync(path, textOf(scenes));
        assert.equal(textOf([found]), textOf([UPDATE ? found : scene]));
      });
    }
  }
}
