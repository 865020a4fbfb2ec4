/** Sessions that are taken back leave no byte in a store of objects, whatever comes between. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { initObjects } from "../../../../lib/features/team/objects/init_objects.ts";
import { openObjectTeam } from "../../../../lib/features/team/objects/object_team_store.ts";
import type { TeamStore } from "../../../../lib/features/team/team_store.ts";
import { cutObjects, UNCUT } from "../../../_support/cut_objects.ts";
import { filesBelow, textBelow } from "../../../_support/files_below.ts";
import { FolderTeam } from "../../../_support/folder_team.ts";
import { Machine } from "../../../_support/machine.ts";
import { MemoryObjects } from "../../../_support/memory_objects.ts";
import { withDirectory } from "../../../_support/temp_directory.ts";

const SEGMENT = /\/segments\/.*[.](?:plain|zstd)$/;
const TITLE = "a title that was taken back";

async function withMachines(
  test: (team: FolderTeam, laptop: Machine, desktop: Machine) => Promise<void>,
): Promise<void> {
  await withDirectory(async (folder) => {
    const team = await new FolderTeam(join(folder, "team")).init();
    const machine = (label: string): Machine => new Machine({ folder: join(folder, label), label });
    await test(team, machine("laptop"), machine("desktop"));
  });
}

// Slow: each write is cut, with pushes and pulls of two machines around it.
Deno.test("taking back that is cut off at any request is finished by the next pulls", () =>
  withMachines(async (_team, laptop, desktop) => {
    const objects = new MemoryObjects();
    await initObjects(objects, { owner: "ada" });
    const connect = (cut = UNCUT): TeamStore =>
      openObjectTeam(cutObjects(objects, cut), { owner: "ada", is_late: true });
    let cut = 0;
    for (let at = 1, is_whole = false; !is_whole; at++) {
      const id = await laptop.write([TITLE]);
      assert.deepEqual((await laptop.push(connect())).failed, []);
      await desktop.pull(connect());
      await desktop.continue(id, ["on the desktop"]);
      await desktop.push(connect());
      assert.ok(objects.holds(TITLE) && objects.keys.some((key) => SEGMENT.test(key)));
      const store = connect({ left: at, behind: false, at_writes: true });
      try {
        await store.hello(desktop.settings.device);
        is_whole = await store.withdraw(id);
      } catch {
        cut++;
      }
      for (const machine of [desktop, laptop]) await machine.pull(connect());
      const is_left = objects.holds(TITLE) || objects.keys.some((key) => SEGMENT.test(key));
      const reader = connect();
      await reader.hello({ id: crypto.randomUUID(), label: "reader" });
      if ((await reader.branches({ sessions: [id] })).length > 0) {
        // The tombstone was not written: nothing was taken back.
        assert.equal(await reader.withdraw(id), true);
        for (const machine of [desktop, laptop]) await machine.pull(connect());
      } else assert.ok(!is_left, `write ${at}`);
      assert.ok(at < 40, "it never ends");
    }
    assert.ok(cut > 3, `${cut}`);
  }));

Deno.test("bytes that a machine sent before it saw the taking back are deleted by its next push", () =>
  withMachines(async (team, laptop, desktop) => {
    const id = await laptop.write([TITLE]);
    await laptop.push(team.connect());
    // Its files are not seen by the other machine, as in a folder that delivers late.
    const late = join(team.folder, "v1", "segments");
    Deno.renameSync(late, `${late} on its way`);
    await using store = await team.greeted();
    assert.equal(await store.withdraw(id), true);
    Deno.renameSync(`${late} on its way`, late);
    const [path = ""] = textBelow(late).match(/^.+[.](?:plain|zstd)$/m) ?? [];
    Deno.copyFileSync(path, path.replace(/(?=[.]\w+$)/, " (conflicted copy)"));
    const other = await laptop.write(["another"]);
    await laptop.push(team.connect());
    assert.ok(!textBelow(team.folder).includes(TITLE));
    await desktop.pull(team.connect());
    assert.deepEqual([...desktop.logs().keys()], [other]);
    const segments = textBelow(late).match(/[.](?:plain|zstd)$/gm);
    assert.equal(segments?.length, 1);
  }));

// Slow: two machines push and pull.
Deno.test("conflict copies and unlisted bytes that arrive after the taking back are deleted by the next pull", () =>
  withMachines(async (team, laptop, desktop) => {
    const id = await laptop.write([TITLE]);
    await laptop.push(team.connect());
    const folder = join(team.folder, "v1", "segments");
    const [path = "", ...more] = filesBelow(folder);
    assert.deepEqual(more, []);
    const bytes = Deno.readFileSync(path);
    const other = await desktop.write(["another"]);
    await desktop.push(team.connect());
    await using store = await team.greeted();
    assert.equal(await store.withdraw(id), true);
    const kept = filesBelow(folder);
    const [from, to] = [laptop, desktop].map(({ settings }) => settings.device.id);
    const copy = path.replace(/(?=[.]\w+$)/, " (conflicted copy)");
    for (const late of [copy, path.replace(from ?? "", to ?? "")]) {
      Deno.mkdirSync(dirname(late), { recursive: true });
      Deno.writeFileSync(late, bytes);
    }
    assert.equal(filesBelow(folder).length, kept.length + 2);
    await desktop.pull(team.connect());
    assert.deepEqual(filesBelow(folder), kept);
    assert.equal(kept.length, 1);
    await laptop.pull(team.connect());
    assert.ok(laptop.logs().has(other));
  }));

// Slow: two machines push and pull.
Deno.test("conflict copies of heads and bases, which have titles, are deleted by the next pull", () =>
  withMachines(async (team, laptop, desktop) => {
    const id = await laptop.write([TITLE]);
    for (let at = 0; at < 12; at++) await laptop.write([`${at} ${"long ".repeat(40)}`]);
    await laptop.push(team.connect());
    await laptop.write(["settles the others in a base"]);
    await laptop.push(team.connect());
    const folder = join(team.folder, "v1");
    const named = filesBelow(folder).filter((path) => /\/(?:p-)?[0-9a-f]{32,}[.]json$/.test(path));
    assert.deepEqual(named.map((path) => /heads|bases/.exec(path)?.[0]).sort(), ["bases", "heads"]);
    const copies = named.flatMap((path) =>
      [" (conflicted copy)", ".sync-conflict-20261129-101500-ABCDEFG"].map((mark) => {
        const copy = path.replace(/(?=[.]json$)/, mark);
        Deno.writeTextFileSync(copy, TITLE);
        return copy;
      })
    );
    const own = join(dirname(copies[0] ?? ""), "notes (mine).json");
    Deno.writeTextFileSync(own, "{}");
    await using store = await team.greeted();
    assert.equal(await store.withdraw(id), true);
    await desktop.pull(team.connect());
    for (const path of copies) assert.ok(!filesBelow(folder).includes(path), path);
    // Its own base has the title until it hears of the taking back.
    await laptop.pull(team.connect());
    assert.ok(!textBelow(folder).includes(TITLE));
    assert.equal(Deno.readTextFileSync(own), "{}");
  }));
