/** The tests of a folder of transcripts, a test a scene. With `--update` they write what they expect. */
import { caseFiles } from "../_support/case_file.ts";
import { type CliHome, testsAtHome } from "../_support/cli_home.ts";
import { LINUX, UNIX } from "../_support/needing.ts";
import { sceneIn, textOf } from "../_support/scene.ts";
import { GIT } from "../_support/trapped_repository.ts";
import { played, type Programs } from "./_transcript.ts";

/** What a scene has beside its home. */
export interface Stage extends Partial<AsyncDisposable> {
  readonly programs: Programs;
}

/** Declares the tests of a folder below `testdata`. */
export function testTranscripts(
  folder: string,
  stageOf: (home: CliHome) => Stage = () => ({ programs: {} }),
): void {
  for (const [name, file] of caseFiles(folder)) {
    for (const [at, scene] of file.cases.map(sceneIn).entries()) {
      const needs = [
        ...scene.rule.endsWith(" (Unix)") ? [UNIX] : [],
        ...scene.rule.endsWith(" (Linux)") ? [LINUX] : [],
        ...scene.steps.some(({ line }) => line.startsWith("+ git ")) ? [GIT] : [],
      ];
      testsAtHome(...needs).test(`${name}: ${scene.rule}`, async (home) => {
        const stage = stageOf(home);
        const found = await played(home, scene, stage.programs);
        await stage[Symbol.asyncDispose]?.();
        file.expect(at, textOf(found));
      });
    }
  }
}
