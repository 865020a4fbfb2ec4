import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { forgetSessions } from "../../../lib/library/catalogue/forget_sessions.ts";
import { factsPath } from "../../../lib/library/catalogue/facts_file.ts";
import type { Keeping } from "../../_support/children/catalogue_child.ts";
import { knownTitles, makeSession } from "../../_support/catalogued.ts";
import { roundsOf } from "../../_support/few_rounds.ts";
import { Child } from "../../_support/processes.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

const ROUNDS = 12;

function keeper(keeping: Keeping): Child {
  return new Child("catalogue_child", [JSON.stringify(keeping)]);
}

inDirectory.test("processes that write the catalogue at once lose nothing of each other", async (directory) => {
  const root = join(directory, "store");
  Deno.mkdirSync(root);
  const groups = [0, 1].map((process) =>
    [0, 1, 2, 3].map((index) => makeSession(directory, `p${process}s${index}`))
  );
  const children = groups.map((sessions) => keeper({ root, sessions, rounds: ROUNDS }));
  const all = groups.flat();
  for (let looks = 0; looks < 50; looks++) {
    for (const title of knownTitles({ folder: root }, all)) {
      assert.ok(title === undefined || title.startsWith("round "));
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  for (const child of children) {
    assert.equal((await child.rest()).length, ROUNDS);
    assert.equal(await child.status(), 0);
    await child[Symbol.asyncDispose]();
  }
  assert.deepEqual(knownTitles({ folder: root }, all), all.map(() => `round ${ROUNDS - 1}`));
  assert.deepEqual([...Deno.readDirSync(root)].map(({ name }) => name).sort(), [
    "CACHEDIR.TAG",
    basename(factsPath({ folder: root })),
  ]);
});

// Slow: processes are started and killed.
inDirectory.test("a writer that is killed leaves a catalogue that can be read, and nothing for long", async (directory) => {
  const root = join(directory, "store");
  Deno.mkdirSync(root);
  const sessions = Array.from({ length: 30 }, (_, index) => makeSession(directory, `s${index}`));
  for (let kill = 0; kill < roundsOf(20, 3); kill++) {
    await using child = keeper({ root, sessions, rounds: 1000 });
    await child.line();
    child.kill();
    await child.rest();
    for (const title of knownTitles({ folder: root }, sessions)) {
      assert.ok(title?.startsWith("round "));
    }
  }
  await using last = keeper({ root, sessions, rounds: 1 });
  await last.rest();
  assert.deepEqual(knownTitles({ folder: root }, sessions), sessions.map(() => "round 0"));
  assert.equal([...Deno.readDirSync(root)].length, 2);
});

// Slow: two processes write.
inDirectory.test("a session is forgotten for good while other processes write", async (directory) => {
  const root = join(directory, "store");
  Deno.mkdirSync(root);
  const sessions = ["kept", "forgotten"].map((id) => makeSession(directory, id));
  const [, forgotten] = sessions;
  await using one = keeper({ root, sessions, rounds: 20 });
  await using other = keeper({ root, sessions, rounds: 20 });
  await one.line();
  Deno.removeSync(forgotten?.path ?? "");
  forgetSessions({ folder: root }, "claude", ["forgotten"]);
  const decoder = new TextDecoder();
  const tells = (): boolean =>
    decoder.decode(Deno.readFileSync(factsPath({ folder: root }))).includes("forgotten");
  assert.equal(tells(), false);
  const [lines] = await Promise.all([one.rest(), other.rest()]);
  assert.equal(lines.length, 19);
  assert.equal(tells(), false);
  assert.deepEqual(knownTitles({ folder: root }, sessions), ["round 19", undefined]);
});
