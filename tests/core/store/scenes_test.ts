/**
 * The scenes of `testdata/store`: calls of a store and of its sessions, and what they give. `deno task
 * cases` writes anew what they expect; read the difference before you commit it.
 */
import { caseFiles } from "../../_support/case_file.ts";
import { sceneIn, textOf } from "../../_support/scene.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { played, playsOf } from "./_scene.ts";

for (const [name, file] of caseFiles("store")) {
  for (const [at, scene] of file.cases.map(sceneIn).entries()) {
    for (const test of playsOf(scene)) {
      Deno.test(`${name}: ${test.name}`, async () => {
        await withDirectory(async (directory) => {
          file.expect(at, textOf(await played(scene, test.place, directory)));
        });
      });
    }
  }
}
