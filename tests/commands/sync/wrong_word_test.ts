/** Words that are neither a command of `sync` nor a place: one line says what to type. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { inHome } from "../../_support/cli_home.ts";

const CASES: readonly (readonly [words: string, advice: RegExp])[] = [
  ["init", /Type: reprise sync PLACE, or to share with a team: reprise sync team PLACE/],
  ["join x", /Type: reprise sync x, or to share with a team: reprise sync team x/],
  ["join x --trust KEY", /Type: reprise sync x, or/],
  ["add --yes", /Type in the project's directory: reprise sync PLACE/],
  ["trust KEY", /To show them: reprise sync words\. Members join a team by/],
  ["accept KEY", /reprise sync words/],
  ["invite", /reprise sync words/],
  ["status --json", /Type: reprise sync$/],
  ["admin members", /To make or join a team: reprise sync team PLACE/],
  ["wacth --yes", /and no folder wacth\. Did you mean: reprise sync watch\?/],
  ["shared --yes", /and no folder shared\. .*To make the folder: reprise sync \.\/shared/],
  ["team shared --yes", /To make the folder: reprise sync team \.\/shared/],
];

inHome.test("a word that is no place is answered by what to type", async (home) => {
  for (const [words, advice] of CASES) {
    const { status, stderr } = await home.run(["sync", ...words.split(" ")]);
    assert.equal(status, 2, words);
    assert.match(stderr, /^reprise: There is no command sync [^\n]+\n$/, words);
    assert.match(stderr.trimEnd(), advice, words);
  }
  assert.deepEqual([...Deno.readDirSync(home.work)], []);
});

inHome.test("a folder that is there may have any name, and push names the command for machines", async (home) => {
  Deno.mkdirSync(join(home.work, "join"));
  await home.succeed(["sync", "join", "--words", "words", "--yes", "--once"]);
  const push = await home.run(["sync", "push"]);
  assert.match(
    push.stderr,
    /shares with no team yet\. To sync your machines: reprise sync --once\./,
  );
  const check = await home.succeed(["sync", "check"]);
  assert.match(check.stderr, /^The place has everything that this machine sent to your other/);
});
