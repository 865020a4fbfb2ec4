/** Copies in a folder: small pushes, changed lines, lost and late files, and projects. */
import assert from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import type { ObjectStore } from "../../../../lib/features/team/objects/object_store.ts";
import { filesBelow } from "../../../_support/files_below.ts";
import { folderTeam, partsBelow, TeamMember } from "../../../_support/team_member.ts";
import { testsIn } from "../../../_support/tests_in.ts";
import { withDirectory } from "../../../_support/temp_directory.ts";

interface Scene {
  /** The folder of the store. */
  place: string;
  objects: ObjectStore;
  ann: TeamMember;
  ben: TeamMember;
  /** Pushes from ann's machine, pulls to ben's, and expects ben to have what ann has. */
  reach(...ids: string[]): Promise<void>;
}

async function withScene(test: (scene: Scene) => void | Promise<void>): Promise<void> {
  await withDirectory(async (folder) => {
    const place = join(folder, "place");
    const objects = await folderTeam(place);
    const ann = new TeamMember("ann", { folder: join(folder, "ann") });
    const ben = new TeamMember("ben", { folder: join(folder, "ben") });
    const reach = async (...ids: string[]): Promise<void> => {
      assert.deepEqual((await ann.push(objects)).failed, []);
      const { failed, incomplete } = await ben.pull(objects);
      assert.deepEqual([failed, incomplete], [[], []]);
      for (const id of ids) assert.equal(ben.mirror().get(`ann/${id}`), await ann.copy(id));
    };
    await test({ place, objects, ann, ben, reach });
  });
}

const inScene = testsIn(withScene);
const DAY_MS = 24 * 60 * 60 * 1000;
const tomorrow = () => new Date(Date.now() + DAY_MS);

inScene.test("one line more of a long session sends little", async ({ objects, ann, ben, reach }) => {
  const text = Array.from({ length: 400 }, (_, n) => `${n} `.repeat(400));
  const id = await ann.write(text);
  await reach(id);
  await ann.continue(id, ["One line more"]);
  const { sent_bytes } = await ann.push(objects);
  assert.ok(sent_bytes < 2048, `${sent_bytes}`);
  const { received_bytes } = await ben.pull(objects);
  assert.ok(received_bytes < 2048, `${received_bytes}`);
  assert.equal(ben.mirror().get(`ann/${id}`), await ann.copy(id));
});

// Slow: 70 pushes.
inScene.test("many small parts are sent again as one", async ({ place, ann, reach }) => {
  const id = await ann.write(["begin"]);
  for (let n = 0; n < 70; n++) {
    await ann.continue(id, [`line ${n}`]);
    if (n % 10 === 0) await reach(id);
    else await reach();
  }
  await reach(id);
  assert.ok(partsBelow(place).length < 10, `${partsBelow(place).length}`);
});

inScene.test("a lost record is made again from the store", async ({ place, objects, ann, reach }) => {
  const id = await ann.write(["one"]);
  await reach(id);
  const before = partsBelow(place);
  ann.forget();
  const { sent_bytes, pushed } = await ann.push(objects);
  assert.deepEqual([pushed, partsBelow(place)], [0, before]);
  assert.equal(sent_bytes, 0);
});

inScene.test("a file that the store lost is sent again on the next day", async ({ place, objects, ann, ben }) => {
  const ids = [await ann.write(["one"]), await ann.write(["two"])];
  await ann.push(objects);
  await ann.continue(ids[0] ?? "", ["three"]);
  await ann.push(objects);
  const lost = partsBelow(place).find((path) => /^1-0-/.test(basename(path))) ?? "";
  Deno.removeSync(lost);
  assert.equal((await ann.push(objects)).check, undefined);
  assert.deepEqual((await ben.pull(objects)).incomplete, ["ann's laptop"]);
  const { check } = await ann.push(objects, { now: tomorrow });
  assert.equal(check?.restored.length, 1);
  assert.deepEqual((await ben.pull(objects)).incomplete, []);
  for (const id of ids) assert.equal(ben.mirror().get(`ann/${id}`), await ann.copy(id));
});

inScene.test("a check finds changed bytes, and what this machine cannot send again", async ({ place, objects, ann, reach }) => {
  const id = await ann.write(["one"]);
  await reach(id);
  const [path = ""] = partsBelow(place);
  const bytes = Deno.readFileSync(path);
  Deno.writeFileSync(path, bytes.map((byte, at) => at === 9 ? byte ^ 1 : byte));
  assert.deepEqual((await ann.push(objects, { check: true })).check?.restored, [id]);
  await reach(id);
  Deno.removeSync(partsBelow(place).at(-1) ?? "");
  ann.settings.projects = [];
  const { lost } = (await ann.push(objects, { check: true })).check ?? {};
  assert.equal(lost?.[0]?.session, id);
});

inScene.test("a lost head is written again", async ({ place, objects, ann, ben, reach }) => {
  const id = await ann.write(["one"]);
  await ann.push(objects);
  for (const path of filesBelow(join(place, "v1/heads/u-ann"))) Deno.removeSync(path);
  assert.deepEqual((await ben.pull(objects)).pulled, []);
  await ann.push(objects, { now: tomorrow });
  await reach(id);
});

inScene.test("a session whose project got another name moves to it", async ({ place, objects, ann, ben }) => {
  const id = await ann.write(["one"]);
  await ann.push(objects);
  for (const one of [ann, ben]) {
    one.settings.projects = [{ project: "other", directory: one.directory }];
  }
  await ann.push(objects);
  assert.equal(new Set(partsBelow(place).map((path) => dirname(dirname(path)))).size, 1);
  assert.deepEqual((await ben.pull(objects)).pulled, [`team:ann/${id}`]);
});

inScene.test("files that come late wait, and a copy that was pulled before stays", async ({ place, objects, ann, ben, reach }) => {
  const id = await ann.write(["one"]);
  await reach(id);
  const first = ben.mirror().get(`ann/${id}`);
  await ann.continue(id, ["it stands bare: horse-battery-9-staple"]);
  await ann.push(objects);
  await ann.continue(id, ["DB_PASSWORD=horse-battery-9-staple"]);
  await ann.push(objects);
  const parts = partsBelow(place).map((path) => ({ path, bytes: Deno.readFileSync(path) }));
  for (const { path } of parts) Deno.removeSync(path);
  for (const { path, bytes } of parts.toReversed()) {
    assert.equal((await ben.pull(objects)).incomplete.length, 1);
    assert.equal(ben.mirror().get(`ann/${id}`), first);
    Deno.writeFileSync(path, bytes.subarray(0, 5));
    await ben.pull(objects);
    // A conflict copy beside it.
    Deno.writeFileSync(`${path}.sync-conflict`, bytes);
    Deno.writeFileSync(path, bytes);
  }
  await reach(id);
  await ann.push(objects, { now: tomorrow });
  assert.ok(partsBelow(place).every((path) => !path.endsWith("conflict")));
});

inScene.test("the machine that pushed last counts, of two of a member", async ({ objects, ann, ben }) => {
  await withDirectory(async (folder) => {
    const second = new TeamMember("ann", { folder });
    const id = await ann.write(["one"]);
    await ann.push(objects);
    for (const [name, target] of [["sessions", second.root]] as const) {
      copyFolder(join(ann.root, name), join(target, name));
    }
    second.settings.projects = [{ project: "example.org/app", directory: ann.directory }];
    await second.continue(id, ["on the second machine"]);
    await second.push(objects, { now: tomorrow });
    await ben.pull(objects);
    assert.match(ben.mirror().get(`ann/${id}`) ?? "", /on the second machine/);
    assert.deepEqual((await ben.pull(objects)).pulled, []);
    // Each machine reads what the other one sent.
    await ann.pull(objects);
    assert.match(ann.mirror().get(id) ?? "", /on the second machine/);
  });
});

function copyFolder(from: string, to: string): void {
  Deno.mkdirSync(to, { recursive: true });
  for (const { name, isDirectory } of Deno.readDirSync(from)) {
    if (isDirectory) copyFolder(join(from, name), join(to, name));
    else Deno.copyFileSync(join(from, name), join(to, name));
  }
}

inScene.test("a store that lies is believed in nothing that leaves the mirror", async ({ place, objects, ann, ben }) => {
  const id = await ann.write(["one"]);
  await ann.push(objects);
  const [path = ""] = partsBelow(place);
  const [head = ""] = filesBelow(join(place, "v1/heads/u-ann"));
  const [bytes, text] = [Deno.readFileSync(path), Deno.readTextFileSync(head)];
  // A part with other bytes of the same length, and a head of somebody else.
  Deno.writeFileSync(path, bytes.map((byte, at) => at > 4 ? byte ^ 3 : byte));
  const { failed } = await ben.pull(objects);
  assert.match(failed[0]?.message ?? "", /was damaged or changed at byte 0/);
  Deno.writeTextFileSync(head, text.replaceAll('"ann"', '"bob"'));
  assert.deepEqual((await ben.pull(objects)).pulled, []);
  Deno.writeTextFileSync(head, "{}");
  assert.deepEqual((await ben.pull(objects)).pulled, []);
  assert.deepEqual([...ben.mirror()], []);
  Deno.writeTextFileSync(head, text);
  Deno.writeFileSync(path, bytes);
  assert.deepEqual((await ben.pull(objects)).pulled, [`team:ann/${id}`]);
});
