/**
 * Faults of earlier versions, replayed in a folder: one conversation under four ids, a
 * lost file that is never sent again, sealed text that can be guessed, and a key that was left.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { CliHome, sessionId } from "../../_support/cli_home.ts";
import { filesBelow } from "../../_support/files_below.ts";
import { user } from "../../_support/log_bytes.ts";
import { setRemote } from "../../_support/team_homes.ts";
import { partsBelow } from "../../_support/team_member.ts";
import { ALL_TORTURE } from "../../_support/torture.ts";
import { inDirectory } from "../../_support/temp_directory.ts";
import { ID, turn } from "../../features/backup/machines/_paired_machine.ts";

/** A machine whose project lies in a directory of its own, known by its git remote. */
class Machine extends CliHome {
  readonly project: string;

  constructor(name: string) {
    super();
    this.project = join(this.path, name, "app");
    setRemote(this.project, "git@github.com:dev/app.git");
    Deno.mkdirSync(join(this.path, ".claude", "projects"), { recursive: true });
  }

  get session(): string {
    const slug = this.project.replaceAll(/[^A-Za-z0-9]/g, "-");
    return join(this.path, ".claude", "projects", slug, `${ID}.jsonl`);
  }

  say(number: number, text: string): void {
    Deno.mkdirSync(join(this.session, ".."), { recursive: true });
    Deno.writeTextFileSync(this.session, turn(this.project, number, text), { append: true });
  }

  /** Runs the program in the project's directory; as a process where all torture is asked for. */
  async at(...args: string[]): Promise<string> {
    const options = { cwd: this.project, process: ALL_TORTURE, env: { USER: "ann" } };
    const { stdout, stderr } = await this.succeed(args, options);
    return stdout + stderr;
  }
}

/** Gives the turns of a session's file, whatever its directory. */
function turnsOf({ session, project }: Machine): string {
  return Deno.readTextFileSync(session).replaceAll(project, "DIR");
}

// Slow: fourteen commands of two machines.
inDirectory.test("a conversation that goes on here, there and here again has one id and no branch", async (folder) => {
  await using a = new Machine("laptop");
  await using b = new Machine("desktop");
  const pair = ["sync", join(folder, "place"), "--words", join(folder, "words"), "--yes", "--once"];
  a.say(0, "Hello");
  assert.match(await a.at(...pair), /^Sent 1 session/m);
  await b.at(...pair);
  await b.at("resume", `claude:${ID.slice(0, 8)}`);
  b.say(1, "Desktop work");
  await b.at("sync", "--once");
  await a.at("sync", "--once");
  a.say(2, "The laptop goes on");
  for (const machine of [a, b, a, b]) await machine.at("sync", "--once");
  for (const machine of [a, b]) {
    const rows = (await machine.at("list", "--json")).trim().split("\n");
    assert.deepEqual(rows.map((row) => JSON.parse(row).ref), [`claude:${ID}`]);
    assert.match(await machine.at("sync", "--once"), /^Nothing new/);
  }
  assert.equal(turnsOf(a), turnsOf(b));
  assert.match(turnsOf(a), /Desktop work[^]*The laptop goes on/);
});

// Slow: twelve commands of two machines.
inDirectory.test("a lost file is said by the one who misses it, and is sent again", async (folder) => {
  await using a = new Machine("laptop");
  await using b = new Machine("desktop");
  const [share, place, words] = ["share", "place", "words"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
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

  const pair = ["sync", place, "--words", words, "--yes", "--once"];
  await a.at(...pair);
  Deno.removeSync(filesBelow(place)[0] ?? "");
  a.keep(sessionId("cccc3333"), [user("cccc3333")], { cwd: a.project });
  await a.at("sync", "--once");
  // The words are enough to join, and the second pack is there.
  assert.match(
    await b.at(...pair),
    /^Not all of \S+ has arrived yet.* run there: reprise sync check/m,
  );
  assert.match(await a.at("sync", "check"), /^The place lost or changed something/);
  assert.match(await b.at("sync", "--once"), /3 sessions of other machines/);
});

// Slow: commands of two machines.
inDirectory.test("names and sizes in a place confirm no guess of a sealed text", async (folder) => {
  const packs: { name: string; bytes: Uint8Array }[] = [];
  for (const pin of [4711, 4712]) {
    await using machine = new Machine("laptop");
    machine.say(0, `The pin is ${pin}`);
    const text = Deno.readFileSync(machine.session);
    const place = join(folder, `${pin}`);
    await machine.at("sync", place, "--words", join(folder, `${pin}.words`), "--yes", "--once");
    const [path = ""] = filesBelow(place);
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
  await using a = new Machine("laptop");
  await using lost = new Machine("desktop");
  const [place, words] = [join(folder, "place"), join(folder, "words")];
  const pair = ["sync", place, "--words", words, "--yes", "--once"];
  a.say(0, "Before");
  await a.at(...pair);
  await lost.at(...pair);
  await a.at("sync", "words", "--new", "--yes");
  a.say(1, "Only under the new words");
  assert.match(await a.at("sync", "--once"), /^Sent 1 session/);
  assert.match(await lost.at("sync", "--once"), /^\S+ uses new words\./);
  const read = filesBelow(lost.store).map((path) => Deno.readTextFileSync(path)).join("\n");
  assert.match(read, /Before/);
  assert.doesNotMatch(read, /Only under the new words/);
  // The old words join nothing any more that this machine writes.
  await using late = new Machine("tower");
  await late.run(pair, { cwd: late.project, process: ALL_TORTURE });
  assert.doesNotMatch(await late.at("list"), /Before/);
});
