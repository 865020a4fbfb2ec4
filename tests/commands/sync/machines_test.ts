/** Words and names that `reprise sync PLACE` makes at random, between two machines of one user. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { REF } from "../../features/backup/machines/_paired_machine.ts";
import { testsIn } from "../../_support/tests_in.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { PairedHome } from "./_paired_home.ts";

interface TwoMachines {
  a: PairedHome;
  b: PairedHome;
  /** The file with the words of both. */
  words: string;
}

/** Tests with a session of the first machine that the second one continues. */
const onBoth = testsIn<TwoMachines>((test) =>
  withDirectory(async (folder) => {
    await using a = new PairedHome(folder, "laptop");
    await using b = new PairedHome(folder, "desktop");
    const words = join(folder, "words");
    a.say(0, "Fix the zebra");
    await a.pair(words);
    await b.pair(words);
    await b.at("resume", REF);
    await test({ a, b, words });
  })
);

// Slow: some commands of two machines.
onBoth.test("the words are nine, are told again, and others take their place", async ({ a, b, words }) => {
  const first = Deno.readTextFileSync(words);
  assert.match(first, /^(?:[a-z]{5} ){8}[a-z]{5}\n$/);
  assert.equal((Deno.statSync(words).mode ?? 0) & 0o777, 0o600);
  assert.equal(await a.at("sync", "words"), first);
  const [next = ""] = (await a.at("sync", "words", "--new", "--yes")).split("\n");
  assert.notEqual(`${next}\n`, first);
  assert.match(await a.at("sync", "--once"), /Sent 1 session/);
  a.say(1, "Only under the new words");
  await a.at("sync", "--once");
  assert.match(await b.at("sync", "--once"), /^\S+ uses new words\. Show them there/);
  Deno.writeTextFileSync(words, next);
  await b.pair(words);
  assert.match(Deno.readTextFileSync(b.session), /Only under the new words/);
});

// Slow: some commands of two machines.
onBoth.test("the other machine's end is listed no longer once it was handed over", async ({ a, b }) => {
  b.say(1, "From the desktop");
  a.say(1, "From the laptop");
  await b.at("sync", "--once");
  const told = await a.at("sync", "--once");
  const [, branch = ""] = /^Continued on two machines: .*: reprise show (\S+)$/m.exec(told) ?? [];
  assert.match(await a.at("list"), new RegExp(branch.split(".")[1] ?? "none"));
  await a.at("handover", branch, "--to", "claude", "--again", "--force");
  const ids = (await a.at("list", "--json")).trim().split("\n").map((row) => JSON.parse(row).ref);
  assert.equal(ids.length, 2);
  assert.ok(!ids.includes(branch), `${ids}`);
  assert.doesNotMatch(await a.at("sync", "--once"), /Continued on two machines/);
  assert.doesNotMatch(await a.at("list"), /From the laptop.*\n.*\[on/);
});
