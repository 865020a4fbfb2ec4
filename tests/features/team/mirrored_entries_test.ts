import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { openLibrary } from "../../../lib/library/mod.ts";
import { mirroredEntries } from "../../../lib/features/team/mirrored_entries.ts";
import { writeSyncSettings } from "../../../lib/features/team/sync_settings.ts";
import { user } from "../../_support/log_bytes.ts";
import { mirror, type MirroredSession } from "../../_support/mirrored.ts";
import { sessionId } from "../../_support/cli_home.ts";
import { setRemote } from "../../_support/team_homes.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

const ID = sessionId("aaaa");

/** Mirrors a session of a project, with the note that a pull leaves beside it. */
function pulled(root: string, session: MirroredSession, project: string, form: string): void {
  const path = mirror(root, session, [user("x")]);
  const note = { project, form, len: 1, head: "00" };
  Deno.writeTextFileSync(join(dirname(path), "branch.json"), JSON.stringify(note));
}

function refs(root: string, query?: Parameters<typeof mirroredEntries>[1]): string[] {
  return mirroredEntries(openLibrary({ root }), query).map(({ ref }) => ref).sort();
}

inDirectory.test("mirrored sessions are those of a project, by its name here or by its remote", (root) => {
  const [site, notes] = [join(root, "site"), join(root, "notes")];
  for (const path of [site, notes]) Deno.mkdirSync(path);
  setRemote(site, "git@example.com:acme/site.git");
  pulled(root, { session: ID, owner: "ann" }, "example.com/acme/site", "copy");
  pulled(root, { session: `claude:${ID}`, owner: "ann" }, "my notes", "copy");
  mirror(root, { session: ID, owner: "ben" }, [user("half of a pull")]);
  assert.deepEqual(refs(root, { directories: [site] }), [`team:ann/${ID}`]);
  assert.deepEqual(refs(root, { directories: [notes] }), []);
  writeSyncSettings(root, {
    ...{ version: 1, url: "postgresql://h/d" },
    device: { id: crypto.randomUUID(), label: "x" },
    projects: [{ directory: notes, project: "my notes", form: "copy", visible: "team" }],
  });
  assert.deepEqual(refs(root, { directories: [notes] }), [`team:ann/claude:${ID}`]);
  assert.equal(refs(root).length, 3);
  Deno.writeTextFileSync(join(root, "sync.json"), "{ no settings");
  assert.deepEqual(refs(root, { directories: [notes] }), []);
  assert.deepEqual(refs(root, { directories: [site] }), [`team:ann/${ID}`]);
});

inDirectory.test("a copy of a session that is here comes not twice, and another end of it does", (root) => {
  pulled(root, { session: ID }, "site", "log");
  pulled(root, { session: ID, n: 2 }, "site", "log");
  pulled(root, { session: `pi:${ID}` }, "site", "copy");
  pulled(root, { session: ID, owner: "ann" }, "site", "copy");
  const here = new Set([ID, `pi:${ID}`]);
  assert.deepEqual(refs(root, { here }), [`team:${ID}`, `team:${ID}@2`, `team:ann/${ID}`]);
  assert.equal(refs(root).length, 4);
});
