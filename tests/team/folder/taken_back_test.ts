/** Sessions that are taken back leave no byte in a store of objects, whatever comes between. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { openFolderStore } from "../../../lib/team/folder/folder_store.ts";
import { openObjectTeam } from "../../../lib/team/objects/object_team_store.ts";
import { cutObjects } from "../../_support/cut_objects.ts";
import { textBelow } from "../../_support/files_below.ts";
import { FolderTeam } from "../../_support/folder_team.ts";
import { Machine } from "../../_support/machine.ts";
import { withDirectory } from "../../_support/temp_directory.ts";

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

// Slow: each request is cut, with pushes and pulls of two machines around it.
Deno.test("taking back that is cut off at any request is finished by the next pulls", () =>
  withMachines(async (team, laptop, desktop) => {
    let cut = 0;
    for (let at = 1, is_whole = false; !is_whole; at++) {
      const id = await laptop.write([TITLE]);
      assert.deepEqual((await laptop.push(team.connect())).failed, []);
      await desktop.pull(team.connect());
      await desktop.continue(id, ["on the desktop"]);
      await desktop.push(team.connect());
      const objects = cutObjects(openFolderStore(team.folder), { left: at, behind: false });
      const store = openObjectTeam(objects, { owner: "ada", is_late: true });
      try {
        await store.hello(desktop.settings.device);
        is_whole = await store.withdraw(id);
      } catch {
        cut++;
      }
      for (const machine of [desktop, laptop]) await machine.pull(team.connect());
      const left = textBelow(team.folder);
      const reader = await team.greeted();
      if ((await reader.branches({ sessions: [id] })).length > 0) {
        // The tombstone was not written: nothing was taken back.
        assert.equal(await reader.withdraw(id), true);
        for (const machine of [desktop, laptop]) await machine.pull(team.connect());
      } else assert.ok(!/\/segments\/.*[.](?:plain|zstd)$/m.test(left) && !left.includes(TITLE));
      assert.ok(at < 40, "it never ends");
    }
    assert.ok(cut > 4, `${cut}`);
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
