/** `reprise sync PLACE` and `resume` between two machines of one user. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { ID, turn } from "../../features/backup/machines/_paired_machine.ts";
import { inDirectory } from "../../_support/temp_directory.ts";
import { user } from "../../_support/log_bytes.ts";
import { sessionId } from "../../_support/cli_home.ts";
import { putStatus } from "../_fake_agent.ts";
import { PairedHome } from "./_paired_home.ts";

const REF = `claude:${ID}`;

// Slow: some twenty commands of two machines.
inDirectory.test("sync PLACE and resume continue a session of the other machine, and back", async (folder) => {
  await using a = new PairedHome(folder, "laptop");
  await using b = new PairedHome(folder, "desktop");
  const words = join(folder, "words");
  a.say(0, "Fix the zebra");
  const told = await a.pair(words);
  assert.match(
    told,
    /This sends 1 session \(claude\), \d+ B, and later additions, of .*\/laptop\/app, to file:/,
  );
  assert.match(told, /The words are in .*words\. .*reprise sync .*place --words FILE/);
  assert.match(Deno.readTextFileSync(words), /^(?:[a-z]{5} ){8}[a-z]{5}\n$/);
  assert.equal((Deno.statSync(words).mode ?? 0) & 0o777, 0o600);
  assert.match(
    await b.pair(words),
    /Received [\d.]+ K?B\. This machine has 1 session of other machines/,
  );

  const in_terminal = { cwd: b.project, columns: 100 };
  assert.match((await b.run(["list"], in_terminal)).stdout, /\[on .*\] Fix the zebra/);
  const [row] = JSON.parse(`[${(await b.at("list", "--json")).trim().replaceAll("\n", ",")}]`);
  assert.deepEqual([row.ref, row.agent, row.cwd], [REF, "claude", b.project]);
  assert.equal(typeof row.machine, "string");
  assert.match(await b.at("list"), /\[on .*\] Fix the zebra/);
  assert.match(await b.at("show", REF), /Answer to Fix the zebra/);
  assert.match(await b.at("search", "zebra"), /zebra/);
  assert.match(await b.at("resume", REF, "--print"), /reprise resume claude:/);
  assert.throws(() => Deno.statSync(b.session));

  const line = await b.at("resume", REF.slice(0, 15));
  assert.match(line, new RegExp(`^cd ${b.project} && claude --resume ${ID}\n`));
  assert.equal(Deno.readTextFileSync(b.session), turn(b.project, 0, "Fix the zebra"));
  putStatus(b, ID, { status: "idle" });
  const open = await b.run(["resume", REF], { cwd: b.project });
  assert.match(open.stderr, /^reprise: Cannot resume claude:\S+: .* has it open on this machine\./);
  Deno.removeSync(join(b.path, ".claude", "sessions"), { recursive: true });
  b.say(1, "Go on here");
  assert.match(await b.at("sync", "--once"), /Sent 1 session/);
  // What comes back is no session of another machine.
  const back = new RegExp(`^Received [\\d.]+ K?B\nAdded to ${REF} what another machine wrote\n`);
  assert.match(await a.at("sync", "--once"), back);
  const both = turn(a.project, 0, "Fix the zebra") + turn(a.project, 1, "Go on here");
  assert.equal(Deno.readTextFileSync(a.session), both);
  await b.at("sync", "--once");
  assert.match(await a.at("sync", "--once"), /^Nothing new\n/);
  assert.match(await a.at("sync"), /other +\S+: 1 session/);
  // The words again, and other ones after a machine was lost.
  assert.equal(await a.at("sync", "words"), Deno.readTextFileSync(words));
  const [next = ""] = (await a.at("sync", "words", "--new", "--yes")).split("\n");
  assert.notEqual(`${next}\n`, Deno.readTextFileSync(words));
  assert.match(await a.at("sync", "--once"), /Sent 1 session/);
  a.say(2, "Only under the new words");
  await a.at("sync", "--once");
  assert.match(await b.at("sync", "--once"), /^\S+ uses new words\. Show them there/);
  Deno.writeTextFileSync(words, next);
  await b.pair(words);
  assert.match(Deno.readTextFileSync(b.session), /Only under the new words/);
  const none = await a.run(["sync", "service", "install"], { env: { PATH: "" } });
  assert.doesNotMatch(none.stderr, /this machine has no store/);
});

// Slow: some commands of two machines.
inDirectory.test("the other machine's end is listed no longer once it was handed over", async (folder) => {
  await using a = new PairedHome(folder, "laptop");
  await using b = new PairedHome(folder, "desktop");
  const words = join(folder, "words");
  a.say(0, "Fix the zebra");
  await a.pair(words);
  await b.pair(words);
  await b.at("resume", REF);
  b.say(1, "From the desktop");
  a.say(1, "From the laptop");
  await b.at("sync", "--once");
  const [, branch = ""] = /^Continued on two machines: .*: reprise show (\S+)$/m.exec(
    await a.at("sync", "--once"),
  ) ?? [];
  assert.match(await a.at("list"), new RegExp(branch.split(".")[1] ?? "none"));
  await a.at("handover", branch, "--to", "claude", "--again", "--force");
  const ids = (await a.at("list", "--json")).trim().split("\n").map((row) => JSON.parse(row).ref);
  assert.equal(ids.length, 2);
  assert.ok(!ids.includes(branch), `${ids}`);
  assert.doesNotMatch(await a.at("sync", "--once"), /Continued on two machines/);
  assert.doesNotMatch(await a.at("list"), /From the laptop.*\n.*\[on/);
});

// Slow: some commands of two machines.
inDirectory.test("an own session is continued on the other machine under its id", async (folder) => {
  await using a = new PairedHome(folder, "laptop");
  await using b = new PairedHome(folder, "desktop");
  const words = join(folder, "words");
  const id = sessionId("3f2a91c0");
  a.keep(id, [user("Fix the zebra")], { cwd: a.project });
  await a.pair(words);
  await b.pair(words);
  assert.match(await b.at("list"), /\[on .*\] Fix the zebra/);
  assert.match(await b.at("resume", id), new RegExp(`reprise chat --resume ${id}`));
  await b.at("rename", id, "Zebras");
  await b.at("sync", "--once");
  assert.match(await a.at("sync", "--once"), new RegExp(`Added to ${id} what`));
  assert.match(await a.at("list"), /Zebras/);
  assert.match(await a.at("doctor", id), /^whole: /);
});

inDirectory.test("sync says what is wrong with words, places and terminals", async (folder) => {
  await using a = new PairedHome(folder, "laptop");
  const place = join(folder, "place");
  const cases: [string[], RegExp][] = [
    [["sync", "--once"], /name the place: reprise sync PLACE/],
    [["sync", place, "--once"], /this is not a terminal. Add --yes/],
    [["sync", "ftp://x", "--once", "--yes"], /unknown scheme/],
  ];
  for (const [args, message] of cases) {
    const { status, stderr } = await a.run(args, { cwd: a.project });
    assert.notEqual(status, 0);
    assert.match(stderr, message);
  }
  assert.match(await a.at("sync"), /This machine syncs with no other yet/);
  await a.pair(join(folder, "words"));
  await using b = new PairedHome(folder, "desktop");
  const missing = await b.run(["sync", place, "--words", "missing", "--yes", "--once"]);
  assert.match(missing.stderr, /its words are not in this file/);
  const none = await b.run(["sync", place, "--yes", "--once"]);
  assert.match(none.stderr, /Give the file with the nine words that it showed: --words FILE/);
  const other = await a.run(["sync", join(folder, "other"), "--yes", "--once"]);
  assert.match(other.stderr, /this machine already syncs with file:/);
});
