/**
 * Faults of earlier versions, replayed in a folder: one conversation under four ids, a
 * lost file that is never sent again, sealed text that can be guessed, and a key that was left.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { sessionId } from "../../_support/cli_home.ts";
import { filesBelow } from "../../_support/files_below.ts";
import { user } from "../../_support/log_bytes.ts";
import { setRemote } from "../../_support/team_homes.ts";
import { partsBelow } from "../../_support/team_member.ts";
import { ALL_TORTURE } from "../../_support/torture.ts";
import { inDirectory } from "../../_support/temp_directory.ts";
import { ID } from "../../features/backup/machines/_paired_machine.ts";
import { PairedHome } from "./_paired_home.ts";

/** Makes a machine whose project has a git remote; in processes where all torture is asked for. */
function machine(folder: string, name: string): PairedHome {
  const home = new PairedHome(folder, name, { process: ALL_TORTURE, env: { USER: "ann" } });
  setRemote(home.project, "git@github.com:dev/app.git");
  return home;
}

/** Gives the turns of a session's file, whatever its directory. */
function turnsOf({ session, project }: PairedHome): string {
  return Deno.readTextFileSync(session).replaceAll(project, "DIR");
}

// Slow: fourteen commands of two machines.
inDirectory.test("a conversation that goes on here, there and here again has one id and no branch", async (folder) => {
  await using a = machine(folder, "laptop");
  await using b = machine(folder, "desktop");
  const words = join(folder, "words");
  a.say(0, "Hello");
  assert.match(await a.pair(words), /^Sent 1 session/m);
  await b.pair(words);
  await b.at("resume", `claude:${ID.slice(0, 8)}`);
  b.say(1, "Desktop work");
  await b.at("sync", "--once");
  await a.at("sync", "--once");
  a.say(2, "The laptop goes on");
  for (const home of [a, b, a, b]) await home.at("sync", "--once");
  for (const home of [a, b]) {
    const rows = (await home.at("list", "--json")).trim().split("\n");
    assert.deepEqual(rows.map((row) => JSON.parse(row).ref), [`claude:${ID}`]);
    assert.match(await home.at("sync", "--once"), /^Nothing new/);
  }
  assert.equal(turnsOf(a), turnsOf(b));
  assert.match(turnsOf(a), /Desktop work[^]*The laptop goes on/);
});

// Slow: twelve commands of two machines.
inDirectory.test("a lost file is said by the one who misses it, and is sent again", async (folder) => {
  await using a = machine(folder, "laptop");
  await using b = machine(folder, "desktop");
  const [share, words] = [join(folder, "share"), join(folder, "words")];
  for (const id of ["aaaa1111", "bbbb2222"]) a.keep(sessionId(id), [user(id)], { cwd: a.project });
  const team = (name: string) => ["sync", "team", `${share}?user=${name}`, "--yes", "--once"];
  await a.at(...team("ann"));
  Deno.removeSync(partsBelow(share)[0] ?? "");
  assert.match(await b.at(...team("ben")), /^Not all of \S+ has arrived in the store yet/m);
  assert.match(await a.at("sync", "check"), /^Sent again, because the store lost/);
  assert.match(await b.at("sync", "pull"), /^1 session of other members/);
  Deno.removeSync(partsBelow(share)[0] ?? "");
  Deno.removeSync(join(a.store, "sync"), { recursive: true });
  assert.match(await a.at("sync", "push"), /^1 session pushed/);
  assert.equal(partsBelow(share).length, 2);

  await a.pair(words);
  Deno.removeSync(filesBelow(join(folder, "place"))[0] ?? "");
  a.keep(sessionId("cccc3333"), [user("cccc3333")], { cwd: a.project });
  await a.at("sync", "--once");
  // The words are enough to join, and the second pack is there.
  assert.match(
    await b.pair(words),
    /^Not all of \S+ has arrived yet.* run there: reprise sync check/m,
  );
  assert.match(await a.at("sync", "check"), /^The place lost or changed something/);
  assert.match(await b.at("sync", "--once"), /3 sessions of other machines/);
});

// Slow: commands of two machines.
inDirectory.test("names and sizes in a place confirm no guess of a sealed text", async (folder) => {
  const packs: { name: string; bytes: Uint8Array }[] = [];
  for (const pin of [4711, 4712]) {
    const below = join(folder, `${pin}`);
    await using home = machine(below, "laptop");
    home.say(0, `The pin is ${pin}`);
    const text = Deno.readFileSync(home.session);
    await home.pair(join(folder, `${pin}.words`));
    const [path = ""] = filesBelow(join(below, "place"));
    packs.push({ name: basename(path), bytes: Deno.readFileSync(path) });
    const hash = createHash("sha256").update(text).digest("hex");
    assert.ok(!path.includes(hash.slice(0, 16)));
  }
  const [one, other] = packs;
  assert.match(one?.name ?? "", /^\d+-1-1\.pack$/);
  assert.equal(one?.bytes.length, other?.bytes.length);
});

// Slow: nine commands of three machines.
inDirectory.test("old words read nothing that is sent under new ones", async (folder) => {
  await using a = machine(folder, "laptop");
  await using lost = machine(folder, "desktop");
  const words = join(folder, "words");
  a.say(0, "Before");
  await a.pair(words);
  await lost.pair(words);
  await a.at("sync", "words", "--new", "--yes");
  a.say(1, "Only under the new words");
  assert.match(await a.at("sync", "--once"), /^Sent 1 session/);
  assert.match(await lost.at("sync", "--once"), /^\S+ uses new words\./);
  const read = filesBelow(lost.store).map((path) => Deno.readTextFileSync(path)).join("\n");
  assert.match(read, /Before/);
  assert.doesNotMatch(read, /Only under the new words/);
  // The old words join nothing any more that this machine writes.
  await using late = machine(folder, "tower");
  await late.pair(words);
  assert.doesNotMatch(await late.at("list"), /Before/);
});
