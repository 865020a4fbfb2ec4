import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { inDirectory } from "../../../_support/temp_directory.ts";
import { continueElsewhere, ID, PairedMachine, REF, turn } from "./_paired_machine.ts";

// Slow: each of these tests makes two machines with databases of their own.
inDirectory.test("a session of one machine is listed on the other under its id", async (folder) => {
  const [a, b] = [new PairedMachine(folder, "laptop"), new PairedMachine(folder, "desktop")];
  a.say(0, "Hello");
  assert.equal((await a.sync()).pushed.sessions, 1);
  const round = await b.sync();
  assert.deepEqual(round.machines, ["laptop"]);
  assert.deepEqual(round.shown.map(({ id, project }) => [id, project]), [[ID, "app"]]);
  assert.deepEqual(await b.listed(), [`${REF} on laptop`]);
  assert.deepEqual(await a.listed(), [REF]);
  const bytes = PairedMachine.bytesIn(a.place);
  assert.deepEqual((await a.sync()).pushed, {
    ...{ sessions: 0, bytes: 0, left_out: 0, is_lost: false },
  });
  assert.equal(PairedMachine.bytesIn(a.place), bytes);
});

inDirectory.test("a session goes to the other machine and back, and stays one", async (folder) => {
  const [a, b] = [new PairedMachine(folder, "laptop"), new PairedMachine(folder, "desktop")];
  a.say(0, "Hello");
  await a.sync();
  await b.sync();
  await b.placeHere(REF);
  assert.equal(Deno.readTextFileSync(b.session()), turn(b.project, 0, "Hello"));
  assert.deepEqual(await b.listed(), [REF]);
  b.say(1, "From the desktop");
  await b.sync();
  assert.deepEqual((await a.sync()).grown, [REF]);
  const both = turn(a.project, 0, "Hello") + turn(a.project, 1, "From the desktop");
  assert.equal(Deno.readTextFileSync(a.session()), both);
  a.say(2, "And back");
  await a.sync();
  assert.deepEqual((await b.sync()).grown, [REF]);
  const here = [turn(b.project, 0, "Hello"), turn(b.project, 1, "From the desktop")];
  assert.equal(
    Deno.readTextFileSync(b.session()),
    [...here, turn(b.project, 2, "And back")].join(""),
  );
  for (const machine of [a, b]) {
    const { branches, grown, waiting, pushed } = await machine.sync();
    assert.deepEqual({ branches, grown, waiting }, { branches: [], grown: [], waiting: [] });
    assert.equal(pushed.bytes, 0);
    assert.deepEqual(await machine.listed(), [REF]);
  }
});

inDirectory.test("a session that both machines continued is a branch with the machine's name", async (folder) => {
  const [a, b] = [new PairedMachine(folder, "laptop"), new PairedMachine(folder, "desk top")];
  a.say(0, "Hello");
  await a.sync();
  await b.sync();
  await b.placeHere(REF);
  b.say(1, "From the desktop");
  a.say(1, "From the laptop");
  const before = Deno.readTextFileSync(a.session());
  await b.sync();
  const { branches } = await a.sync();
  assert.deepEqual(branches, [{ ref: REF, branch: `${REF}.desk-top`, machine: "desk top" }]);
  assert.equal(Deno.readTextFileSync(a.session()), before);
  assert.deepEqual(await a.listed(), [REF, `${REF}.desk-top on desk top`]);
  const { library } = a;
  assert.equal((await library.open(REF.slice(0, 12))).path, a.session());
  const texts: string[] = [];
  for await (const batch of (await library.open(`${REF}.desk-top`)).messages()) {
    texts.push(JSON.stringify(batch));
  }
  assert.match(texts.join(""), /From the desktop/);
  const branch = await library.open(`${REF.slice(0, 15)}.desk`);
  assert.equal(branch.ref, `${REF}.desk-top`);
  assert.deepEqual((await b.sync()).branches.map(({ branch }) => branch), [`${REF}.laptop`]);
});

inDirectory.test("machines of one name have branches of their own", async (folder) => {
  const machines = ["a", "b", "c"].map((name) => new PairedMachine(folder, name));
  const [a, b, c] = machines as [PairedMachine, PairedMachine, PairedMachine];
  for (const machine of machines) machine.label = "vm";
  a.say(0, "Hello");
  await a.sync();
  for (const other of [b, c]) {
    await other.sync();
    await other.placeHere(REF);
  }
  for (const other of [b, c]) {
    other.say(1, `From ${other.name}`);
    await other.sync();
  }
  a.say(1, "From a");
  const { branches } = await a.sync();
  const names = [b, c].map(({ device }) => `vm-${device.slice(0, 4)}`).sort();
  assert.deepEqual(branches.map(({ machine }) => machine).sort(), names);
  assert.deepEqual(
    branches.map(({ branch }) => branch).sort(),
    names.map((one) => `${REF}.${one}`),
  );
  const listed = names.map((one) => `${REF}.${one} on ${one}`);
  assert.deepEqual(await a.listed(), [REF, ...listed]);
});

inDirectory.test("a branch that was continued elsewhere is listed again once it grows", async (folder) => {
  const [a, b] = [new PairedMachine(folder, "laptop"), new PairedMachine(folder, "desktop")];
  a.say(0, "Hello");
  await a.sync();
  await b.sync();
  await b.placeHere(REF);
  b.say(1, "From the desktop");
  a.say(1, "From the laptop");
  await b.sync();
  const { branches: [branch] } = await a.sync();
  const { path } = await a.library.open(branch?.branch ?? "");
  a.continued.set(`${REF}.desktop`, Deno.statSync(path).size);
  assert.deepEqual((await a.sync()).branches, []);
  assert.deepEqual(await a.listed(), [REF]);
  b.say(2, "More from the desktop");
  await b.sync();
  assert.equal((await a.sync()).branches.length, 1);
});

inDirectory.test("a file that its agent has open does not grow", async (folder) => {
  const [a, b] = [new PairedMachine(folder, "laptop"), new PairedMachine(folder, "desktop")];
  await continueElsewhere(a, b);
  a.is_open = true;
  const { open, grown } = await a.sync();
  assert.deepEqual({ open, grown }, { open: [REF], grown: [] });
  assert.equal(Deno.readTextFileSync(a.session()), turn(a.project, 0, "Hello"));
  a.is_open = false;
  assert.deepEqual((await a.sync()).grown, [REF]);
});

inDirectory.test("a rewritten file is a new generation, and the earlier one stays", async (folder) => {
  const [a, b] = [new PairedMachine(folder, "laptop"), new PairedMachine(folder, "desktop")];
  a.say(0, "Hello");
  await a.sync();
  await b.sync();
  const other = turn(a.project, 0, "Hello, and something else in its place");
  Deno.writeTextFileSync(a.session(), other);
  await a.sync();
  await b.sync();
  const [row] = await b.library.sessions({});
  assert.equal(Deno.readTextFileSync(row?.path ?? ""), other);
  const pulled = join(b.root, "machines", "pulled", a.device);
  const slug = a.session().slice(join(a.home, ".claude").length);
  const earlier = join(pulled, "earlier", "1", "claude", slug);
  assert.equal(Deno.readTextFileSync(earlier), turn(a.project, 0, "Hello"));
});

inDirectory.test("one line more of a long session sends little", async (folder) => {
  const a = new PairedMachine(folder, "laptop");
  for (let number = 0; number < 800; number++) a.say(number, `${number} `.repeat(60));
  const { size } = Deno.statSync(a.session());
  assert.ok(size > 800_000, `${size}`);
  await a.sync();
  const before = PairedMachine.bytesIn(a.place);
  a.say(800, "One line more");
  const { pushed } = await a.sync();
  assert.equal(pushed.bytes, PairedMachine.bytesIn(a.place) - before);
  assert.ok(pushed.bytes < 1500, `${pushed.bytes}`);
});

inDirectory.test("nothing in the place tells a text, a path or an id", async (folder) => {
  const a = new PairedMachine(folder, "laptop");
  a.say(0, "the pin is 4711");
  await a.sync();
  const texts: string[] = [];
  const read = (path: string): void => {
    for (const { name, isDirectory } of Deno.readDirSync(path)) {
      texts.push(name);
      if (isDirectory) read(join(path, name));
      else texts.push(new TextDecoder("latin1").decode(Deno.readFileSync(join(path, name))));
    }
  };
  read(a.place);
  assert.doesNotMatch(texts.join("\n"), new RegExp(`4711|${ID}|laptop|code-|claude`));
});

inDirectory.test("other words open nothing, and a cut pack waits", async (folder) => {
  const [a, b] = [new PairedMachine(folder, "laptop"), new PairedMachine(folder, "desktop")];
  const other = new PairedMachine(folder, "other", new Uint8Array(16).fill(1));
  a.say(0, "Hello");
  await a.sync();
  assert.deepEqual((await other.sync()).machines, []);
  const keys = join(a.place, "v1/machines/u-me");
  const packs = [...Deno.readDirSync(keys)].map(({ name }) => join(keys, name, a.device))
    .find((path) => existsSync(path)) ?? "";
  const [pack = ""] = [...Deno.readDirSync(packs)].map(({ name }) => join(packs, name));
  const bytes = Deno.readFileSync(pack);
  Deno.writeFileSync(pack, bytes.subarray(0, bytes.length - 1));
  assert.deepEqual((await b.sync()).waiting, [a.device.slice(0, 8)]);
  assert.deepEqual(await b.listed(), []);
  Deno.writeFileSync(pack, bytes);
  assert.deepEqual((await b.sync()).waiting, []);
  assert.deepEqual(await b.listed(), [`${REF} on laptop`]);
});

// Slow: 70 rounds of one machine.
inDirectory.test("small packs are joined, and a machine in their middle goes on", async (folder) => {
  const [a, b] = [new PairedMachine(folder, "laptop"), new PairedMachine(folder, "desktop")];
  const texts: string[] = [];
  for (let number = 0; number < 66; number++) {
    a.say(number, `Line ${number}`);
    texts.push(turn(a.project, number, `Line ${number}`));
    await a.sync();
    if (number === 20) await b.sync();
  }
  assert.equal(a.packs().length, 3);
  await b.sync();
  const c = new PairedMachine(folder, "tower");
  await c.sync();
  for (const machine of [b, c]) {
    const [row] = await machine.library.sessions({});
    assert.equal(Deno.readTextFileSync(row?.path ?? ""), texts.join(""));
  }
});

inDirectory.test("a pack that the place lost is sent again on the next day", async (folder) => {
  const [a, b] = [new PairedMachine(folder, "laptop"), new PairedMachine(folder, "desktop")];
  await continueElsewhere(a, b);
  await a.sync();
  for (const path of [...a.packs(), ...b.packs()]) Deno.removeSync(path);
  const c = new PairedMachine(folder, "tower");
  await c.sync();
  assert.deepEqual(await c.listed(), []);
  await a.sync();
  assert.deepEqual(a.packs(), []);
  a.now = b.now = new Date(Date.now() + 24 * 60 * 60 * 1000);
  await b.sync();
  await a.sync();
  assert.deepEqual((await c.sync()).waiting, []);
  const [row] = await c.library.sessions({});
  const both = turn(a.project, 0, "Hello") + turn(a.project, 1, "From the desktop");
  assert.equal(Deno.readTextFileSync(row?.path ?? ""), both);
  assert.equal(Deno.readTextFileSync(a.session()), both);
});

inDirectory.test("a session that was deleted is listed no longer, and again once it is back", async (folder) => {
  const [a, b] = [new PairedMachine(folder, "laptop"), new PairedMachine(folder, "desktop")];
  a.say(0, "Hello");
  a.say(0, "Another", "0199a000-2222-4222-8333-444455556666");
  await a.sync();
  await b.sync();
  assert.equal((await b.listed()).length, 2);
  const kept = `${a.session()}.kept`;
  Deno.renameSync(a.session(), kept);
  await a.sync();
  assert.equal((await a.sync()).pushed.bytes, 0);
  await b.sync();
  assert.deepEqual(await b.listed(), ["claude:0199a000-2222-4222-8333-444455556666 on laptop"]);
  Deno.renameSync(kept, a.session());
  await a.sync();
  await b.sync();
  assert.equal((await b.listed()).length, 2);
  // A machine that went on with it keeps it.
  await b.placeHere(REF);
  Deno.removeSync(a.session());
  await a.sync();
  await b.sync();
  assert.ok((await b.listed()).includes(REF));
});

inDirectory.test("a machine whose ledger was lost sends all anew, also what was rewritten before", async (folder) => {
  const [a, b] = [new PairedMachine(folder, "laptop"), new PairedMachine(folder, "desktop")];
  a.say(0, "Hello");
  await a.sync();
  await b.sync();
  Deno.removeSync(a.session());
  a.say(0, "Rewritten, and longer than before");
  await a.sync();
  await b.sync();
  Deno.removeSync(join(a.root, "machines", "own.json"));
  Deno.removeSync(a.session());
  a.say(0, "Anew");
  await a.sync();
  await b.sync();
  const [row] = await b.library.sessions({});
  assert.equal(Deno.readTextFileSync(row?.path ?? ""), turn(a.project, 0, "Anew"));
});

inDirectory.test("a check sends again what the place lost or changed", async (folder) => {
  const a = new PairedMachine(folder, "laptop");
  for (const number of [0, 1]) {
    a.say(number, `Line ${number}`);
    await a.sync();
  }
  assert.equal((await a.sync(true)).pushed.is_lost, false);
  const [pack = ""] = a.packs();
  const bytes = Deno.readFileSync(pack);
  // Of the same size: a listing does not show it.
  Deno.writeFileSync(pack, bytes.map((byte, at) => at === 20 ? byte ^ 1 : byte));
  assert.equal((await a.sync()).pushed.is_lost, false);
  assert.equal((await a.sync(true)).pushed.is_lost, true);
  const b = new PairedMachine(folder, "desktop");
  assert.deepEqual((await b.sync()).waiting, []);
  const [{ path = "" } = {}] = await b.library.sessions({});
  assert.equal(
    Deno.readTextFileSync(path),
    turn(a.project, 0, "Line 0") + turn(a.project, 1, "Line 1"),
  );
});

inDirectory.test("a machine that uses other words since is named", async (folder) => {
  const [a, b] = [new PairedMachine(folder, "laptop"), new PairedMachine(folder, "desktop")];
  a.say(0, "Hello");
  await a.sync();
  assert.deepEqual((await b.sync()).rekeyed, []);
  b.say(0, "Mine", ID.replace("0199a000", "0199b000"));
  await b.sync();
  await a.changeWords(new Uint8Array(16).fill(1));
  assert.deepEqual((await a.sync()).rekeyed, []);
  assert.deepEqual((await b.sync()).rekeyed, ["laptop"]);
  await b.changeWords(new Uint8Array(16).fill(1));
  for (const machine of [b, a, b]) assert.deepEqual((await machine.sync()).rekeyed, []);
});

inDirectory.test("a machine that moved to another place, or got another id, sends all there", async (folder) => {
  const a = new PairedMachine(folder, "laptop");
  a.say(0, "Hello");
  await a.sync();
  const moved = new PairedMachine(folder, "laptop", new Uint8Array(16).fill(1));
  assert.notEqual(moved.device, a.device);
  assert.equal((await moved.sync()).pushed.sessions, 1);
  const renamed = new PairedMachine(folder, "laptop", new Uint8Array(16).fill(1));
  assert.equal((await renamed.sync()).pushed.sessions, 1);
  assert.equal((await renamed.sync()).pushed.bytes, 0);
  const b = new PairedMachine(folder, "desktop", new Uint8Array(16).fill(1));
  await b.sync();
  const names = [moved, renamed].map(({ device }) => `${REF} on laptop-${device.slice(0, 4)}`);
  const listed = await b.listed();
  assert.equal(listed.length, 1);
  assert.ok(names.includes(listed[0] ?? ""), `${listed}`);
});

inDirectory.test("a session that was deleted is listed no longer after packs were lost", async (folder) => {
  const [a, b] = [new PairedMachine(folder, "laptop"), new PairedMachine(folder, "desktop")];
  a.say(0, "Hello");
  await a.sync();
  await b.sync();
  Deno.removeSync(a.session());
  for (const path of a.packs()) Deno.removeSync(path);
  a.now = new Date(Date.now() + 24 * 60 * 60 * 1000);
  await a.sync();
  // The pack that tells it is lost, too.
  for (const path of a.packs()) Deno.removeSync(path);
  a.now = new Date(Date.now() + 48 * 60 * 60 * 1000);
  await a.sync();
  await b.sync();
  assert.deepEqual(await b.listed(), []);
  assert.equal((await a.sync()).pushed.bytes, 0);
});

inDirectory.test("a pack that the place cut is sent again on the next day", async (folder) => {
  const [a, b] = [new PairedMachine(folder, "laptop"), new PairedMachine(folder, "desktop")];
  a.say(0, "Hello");
  await a.sync();
  for (const path of a.packs()) Deno.truncateSync(path, 40);
  await b.sync();
  assert.deepEqual(await b.listed(), []);
  a.now = new Date(Date.now() + 24 * 60 * 60 * 1000);
  await a.sync();
  await b.sync();
  assert.deepEqual(await b.listed(), [`${REF} on laptop`]);
  a.now = new Date(Date.now() + 48 * 60 * 60 * 1000);
  assert.equal((await a.sync()).pushed.bytes, 0);
});
