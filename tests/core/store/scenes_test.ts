/**
 * The scenes of `testdata/store`: calls of a store and of its sessions, and what they give. `deno task
 * cases` writes anew what they expect; read the difference before you commit it.
 */
import assert from "node:assert/strict";
import process from "node:process";
import { withDirectory } from "../../_support/temp_directory.ts";
import { scenesIn, textOf } from "../../commands/_transcript.ts";
import { played, playsOf } from "./_scene.ts";

const UPDATE = process.argv.includes("--update");
const FOLDER = new URL("../../../testdata/store/", import.meta.url);

for (const { name } of [...Deno.readDirSync(FOLDER)].sort((a, b) => a.name < b.name ? -1 : 1)) {
  const path = new URL(name, FOLDER);
  const scenes = scenesIn(Deno.readTextFileSync(path));
  for (const [at, scene] of scenes.entries()) {
    for (const [index, test] of playsOf(scene).entries()) {
      Deno.test(`${name}: ${test.name}`, async () => {
        await withDirectory(async (directory) => {
          const found = await played(scene, test.place, directory);
          if (UPDATE && index === 0) {
            scenes[at] = found;
            Deno.writeTextFileSync(path, textOf(scenes));
          }
          assert.equal(textOf([found]), textOf([scenes[at] ?? scene]));
        });
      });
    }
  }
}
