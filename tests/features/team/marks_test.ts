/** Tags, pins and notes of shared sessions, between two machines. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { makeIdentity, recipientOf } from "../../../lib/text/seal/mod.ts";
import { appendMark, readMarks } from "../../../lib/core/store/marks.ts";
import { makeDatabase, openDatabaseTeam } from "../../_support/database_team.ts";
import type { TeamStore } from "../../../lib/features/team/team_store.ts";
import { FolderTeam } from "../../_support/folder_team.ts";
import { Machine } from "../../_support/machine.ts";
import { MemoryTeam } from "../../_support/memory_team_store.ts";
import { needing } from "../../_support/needing.ts";
import { POSTGRES, withPostgres } from "../../_support/postgres.ts";
import { inDirectory, withDirectory } from "../../_support/temp_directory.ts";

function at(second: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
}

function marksOf({ root }: Machine, id: string): unknown[] {
  const { tags, pinned, note } = readMarks(root).get(id) ?? {};
  return [tags?.value, pinned?.value, note?.value];
}

/** Tags travel, and the latest of two machines wins, also where it takes away. */
async function travel(folder: string, connect: () => TeamStore): Promise<void> {
  const laptop = new Machine({ folder: join(folder, "laptop") });
  const desktop = new Machine({ folder: join(folder, "desktop"), label: "desktop" });
  const id = await laptop.write(["one"]);
  appendMark(laptop.root, { ref: id, tags: ["bug", "release"], time: at(1) });
  appendMark(laptop.root, { ref: id, pinned: true, time: at(1) });
  appendMark(laptop.root, { ref: id, note: "Look at “a” again", time: at(1) });
  assert.equal((await laptop.push(connect())).marks, 3);
  assert.equal((await desktop.pull(connect())).marks, 3);
  assert.deepEqual(marksOf(desktop, id), [["bug", "release"], true, "Look at “a” again"]);
  appendMark(desktop.root, { ref: id, tags: [], time: at(3) });
  appendMark(desktop.root, { ref: id, pinned: false, time: at(3) });
  appendMark(laptop.root, { ref: id, tags: ["late"], time: at(2) });
  await laptop.push(connect());
  await desktop.push(connect());
  await laptop.pull(connect());
  for (const machine of [laptop, desktop]) {
    assert.deepEqual(marksOf(machine, id), [[], false, "Look at “a” again"]);
  }
  assert.equal((await laptop.push(connect())).marks, 0);
}

inDirectory.test("tags, pins and notes travel, the latest wins on both machines", (folder) => {
  const team = new MemoryTeam();
  return travel(folder, () => team.connect());
});

inDirectory.test("tags, pins and notes travel by a folder, with a connection for each push", async (folder) => {
  const team = await new FolderTeam(join(folder, "team")).init();
  await travel(folder, () => team.connect());
});

// Slow: a server gets a database with a store.
Deno.test(
  needing("tags, pins and notes travel over PostgreSQL", POSTGRES),
  () =>
    withPostgres(async (server) => {
      const url = await server.database("marks");
      await makeDatabase(url);
      await server.sql("create role ada login password 'pw'; grant reprise_member to ada");
      const ada = Object.assign(new URL(url), { username: "ada", password: "pw" }).href;
      await using store = await openDatabaseTeam(ada);
      await withDirectory((folder) => travel(folder, () => store));
    }),
);

inDirectory.test("tags and notes of a copy leave without secrets", async (folder) => {
  const team = new MemoryTeam();
  const laptop = new Machine({ folder, form: "copy" });
  const id = await laptop.write(["one"]);
  const secret = "password: hunter2-hunter2";
  appendMark(laptop.root, { ref: id, tags: ["bug", secret], time: at(1) });
  appendMark(laptop.root, { ref: id, note: secret, time: at(1) });
  await laptop.push(team.connect());
  const hidden = "password: [redacted:password:1]";
  assert.deepEqual(team.marks.map(({ value }) => value), [["bug", hidden], hidden]);
});

inDirectory.test("a session that the store has under other terms, or withdrawn, sends no marks", async (folder) => {
  const team = new MemoryTeam();
  const recipients = [await recipientOf(await makeIdentity())];
  const sealed = new Machine({ folder, form: "sealed", recipients });
  const id = await sealed.write(["one"]);
  await sealed.push(team.connect());
  const plain = new Machine({ folder });
  appendMark(plain.root, { ref: id, note: "in the clear", time: at(1) });
  const pushed = await plain.push(team.connect());
  assert.deepEqual([pushed.other_terms.length, pushed.marks, team.marks], [1, 0, []]);
  const gone = await plain.write(["two"]);
  await plain.push(team.connect());
  await team.connect().withdraw(gone);
  await plain.continue(gone, ["more"]);
  appendMark(plain.root, { ref: gone, note: "in the clear", time: at(2) });
  const { withdrawn, marks } = await plain.push(team.connect());
  assert.deepEqual([withdrawn, marks, team.marks], [[gone], 0, []]);
});

inDirectory.test("a session that is replaced leaves no marks, and sends those of its new form", async (folder) => {
  const team = await new FolderTeam(join(folder, "team")).init();
  const exact = new Machine({ folder });
  const id = await exact.write(["one"]);
  appendMark(exact.root, { ref: id, note: "password: hunter2-hunter2", time: at(1) });
  assert.equal((await exact.push(team.connect())).marks, 1);
  const notes = async () => (await (await team.greeted()).marks(0)).marks.map(({ value }) => value);
  const copy = new Machine({ folder, form: "copy" });
  assert.equal((await copy.push(team.connect(), { replace: true })).marks, 1);
  assert.deepEqual(await notes(), ["password: [redacted:password:1]"]);
  const recipients = [await recipientOf(await makeIdentity())];
  const sealed = new Machine({ folder, form: "sealed", recipients });
  assert.equal((await sealed.push(team.connect(), { replace: true })).marks, 0);
  assert.deepEqual(await notes(), []);
});

inDirectory.test("marks of another shape are not taken", async (folder) => {
  const team = new MemoryTeam();
  const machine = new Machine({ folder });
  const id = await machine.write(["one"]);
  await machine.push(team.connect());
  const wrong = [["tags", "bug"], ["tags", [1]], ["pinned", "yes"], ["note", {}], ["size", 1]];
  for (const [index, [field, value]] of wrong.entries()) {
    const mark = { ref: id, field, value, time: at(index), device: "other", owner: "ada" };
    team.marks.push({ ...mark, seen: team.nextSeen() } as typeof team.marks[number]);
  }
  assert.equal((await machine.pull(team.connect())).marks, 0);
  assert.deepEqual(marksOf(machine, id), [undefined, undefined, undefined]);
});
