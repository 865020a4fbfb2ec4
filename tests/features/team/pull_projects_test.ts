import assert from "node:assert/strict";
import { join } from "node:path";
import { Machine } from "../../_support/machine.ts";
import { MemoryTeam } from "../../_support/memory_team_store.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

inDirectory.test("a pull takes the chosen projects, and one that is chosen later whole", async (folder) => {
  const team = new MemoryTeam();
  const [site, notes, desktop] = ["site", "notes", "desktop"].map((project) =>
    new Machine({ folder: join(folder, project), project, label: project })
  );
  assert.ok(site && notes && desktop);
  const first = await notes.write(["a note"]);
  await notes.push(team.connect());
  const id = await site.write(["a page"]);
  await site.push(team.connect());
  const pulled = await desktop.pull(team.connect(), { projects: ["site"] });
  assert.deepEqual([...desktop.logs().keys()], [id]);
  assert.equal(pulled.changed, 1);
  const second = await notes.write(["another note"]);
  await notes.push(team.connect());
  await desktop.pull(team.connect(), { projects: ["site"] });
  assert.deepEqual([...desktop.logs().keys()], [id]);
  await desktop.pull(team.connect(), { projects: ["notes", "site"] });
  assert.deepEqual([...desktop.logs().keys()].sort(), [id, first, second].sort());
  const third = await notes.write(["a third"]);
  await notes.push(team.connect());
  await desktop.pull(team.connect(), { projects: ["site"] });
  await desktop.pull(team.connect());
  assert.deepEqual([...desktop.logs().keys()].sort(), [id, first, second, third].sort());
  assert.equal((await desktop.pull(team.connect())).changed, 0);
});
