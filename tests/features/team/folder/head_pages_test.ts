/** The pages of heads, with processes that replace a head at once or are killed. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { openFolderStore } from "../../../../lib/features/team/folder/folder_store.ts";
import { openObjectTeam } from "../../../../lib/features/team/objects/object_team_store.ts";
import type { HeadEntry } from "../../../../lib/features/team/objects/head_document.ts";
import { Heads } from "../../../../lib/features/team/objects/heads.ts";
import { initObjects } from "../../../../lib/features/team/objects/init_objects.ts";
import type { SharedForm, TeamStore } from "../../../../lib/features/team/team_store.ts";
import { cutObjects, UNCUT } from "../../../_support/cut_objects.ts";
import { textBelow } from "../../../_support/files_below.ts";
import { FolderTeam } from "../../../_support/folder_team.ts";
import { MemoryObjects } from "../../../_support/memory_objects.ts";
import { withDirectory } from "../../../_support/temp_directory.ts";
import { testsIn } from "../../../_support/tests_in.ts";

const inTeam = testsIn(withTeam);

const DEVICE = { id: crypto.randomUUID(), label: "laptop" };
const TITLE = "a title that was taken back";
const SHA = "2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806";

/** A connection to a place that cannot tell whether an object was replaced meanwhile. */
async function unconditional(place: string | MemoryObjects): Promise<TeamStore> {
  const whole = typeof place === "string" ? openFolderStore(place) : place;
  const objects = cutObjects(whole, UNCUT);
  const store = openObjectTeam({ ...objects, put: (key, bytes) => objects.put(key, bytes) });
  await store.hello(DEVICE);
  return store;
}

/** Shares sessions, in one replacement of the head. */
async function share(
  store: TeamStore,
  sessions: readonly string[],
  { form = "log", device = DEVICE.id }: { form?: SharedForm; device?: string } = {},
): Promise<void> {
  const terms = { project: "p", form, visible: "team" } as const;
  await store.claim(sessions.map((id) => ({ id, ...terms, replace: true })), device);
  const outcomes = await store.append(sessions.map((session) => ({
    ...{ session, n: 1, off: 0, prev: "", len: 4, ...terms, codec: "plain", sha: SHA },
    bytes: new TextEncoder().encode("one\n"),
    summary: { len: 4, made_by: "test", row: { title: session } },
  })));
  assert.ok(outcomes.every(({ status }) => status === "appended"));
}

function numbered(name: string): string[] {
  return Array.from({ length: 12 }, (_, number) => `${name} ${number}`);
}

function hasTitle(folder: string): boolean {
  return textBelow(folder).includes(`"title":"${TITLE}"`);
}

function withTeam(test: (team: FolderTeam) => Promise<void>): Promise<void> {
  return withDirectory(async (folder) =>
    await test(await new FolderTeam(join(folder, "team")).init())
  );
}

async function memoryTeam(): Promise<MemoryObjects> {
  const objects = new MemoryObjects();
  await initObjects(objects, { owner: "ada" });
  return objects;
}

inTeam.test("a head stays readable if a slower process of its device replaces it", async ({ folder }) => {
  await share(await unconditional(folder), numbered("first"));
  const [faster, slower] = [await unconditional(folder), await unconditional(folder)];
  // Both know the same head, and one of them gives it another page.
  for (const store of [faster, slower]) await store.branches();
  await share(faster, numbered("second"));
  await share(slower, ["third"]);
  const branches = await (await unconditional(folder)).branches();
  const listed = new Set(branches.map(({ session }) => session));
  for (const session of [...numbered("first"), "third"]) assert.ok(listed.has(session), session);
});

/** Returns an entry as a push writes it. */
function entryOf(number: number, len: number): HeadEntry {
  const [at, sha] = ["2026-11-21T10:00:00.000Z", SHA];
  const signed = { by: "k".repeat(40), signature: "0".repeat(128) };
  return {
    session: `${number}`.padStart(36, "0"),
    form: "sealed",
    claim: { epoch: 0, at, id: `claim of ${number}` },
    branches: [{ i: 0, prev: "", len, head: sha, began_at: at, changed_at: at, signed }],
  };
}

Deno.test("an event of one of 2,000 sessions costs one page of 64 KB at most, and a head of 4 KB", async () => {
  const objects = new MemoryObjects();
  const writes = new Map<string, number>();
  const counting = cutObjects(objects, UNCUT);
  const { put } = counting;
  const heads = new Heads({
    ...counting,
    put: (key, bytes, tag) => (writes.set(key, bytes.length), put(key, bytes, tag)),
  });
  const place = { owner: "ada", device: DEVICE, project: "p", visible: "team" } as const;
  await heads.list();
  await heads.replace(place, () => Array.from({ length: 2000 }, (_, n) => entryOf(n, 4)));
  for (let round = 1; round <= 60; round++) {
    writes.clear();
    // Of the same session, of a new one, and of old ones in turn.
    const number = [7, 2000 + round, round * 33][round % 3] as number;
    await heads.replace(place, () => [entryOf(number, 4 + round)]);
    const sizes = [...writes.values()].sort((one, other) => other - one);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(total <= 68 * 1024, `round ${round}: ${sizes}`);
    assert.ok(sizes.filter((size) => size > 4 * 1024).length <= 2, `round ${round}: ${sizes}`);
  }
  const reader = new Heads(objects);
  await reader.list();
  const lengths = new Map(
    (await reader.entries({})).map(({ session, branches }) => [Number(session), branches[0]?.len]),
  );
  assert.equal(lengths.size, 2020);
  assert.deepEqual([7, 2058, 33 * 59].map((number) => lengths.get(number)), [64, 62, 63]);
});

inTeam.test("a page whose head was refused is deleted", async ({ folder }) => {
  const connected = async (): Promise<TeamStore> => {
    const store = openObjectTeam(openFolderStore(folder));
    await store.hello(DEVICE);
    return store;
  };
  const [faster, slower] = [await connected(), await connected()];
  for (const store of [faster, slower]) await store.branches();
  await share(faster, numbered("first"));
  await share(slower, [TITLE, ...numbered("second")]);
  assert.equal(await (await connected()).withdraw(TITLE), true);
  assert.ok(!hasTitle(folder));
  assert.equal((await (await connected()).branches()).length, 24);
});

inTeam.test("a head stays readable if a slower process replaces it after a withdrawal", async ({ folder }) => {
  await share(await unconditional(folder), [TITLE, ...numbered("first")]);
  const [faster, slower] = [await unconditional(folder), await unconditional(folder)];
  for (const store of [faster, slower]) await store.branches();
  assert.equal(await faster.withdraw(TITLE), true);
  await share(slower, ["third"]);
  const branches = await (await unconditional(folder)).branches();
  const listed = branches.map(({ session }) => session).sort();
  assert.deepEqual(listed, [...numbered("first"), "third"].sort());
  assert.ok(!hasTitle(folder));
});

Deno.test("a page that a killed process put is deleted with the next one", async () => {
  const begun = await memoryTeam();
  await share(await unconditional(begun), numbered("first"));
  for (let at = 1, is_whole = false; !is_whole; at++) {
    const objects = new MemoryObjects(begun);
    const cut = { left: at, behind: false, at_writes: true };
    const store = openObjectTeam(cutObjects(objects, cut));
    await store.hello(DEVICE).then(() => share(store, [TITLE, ...numbered("cut")])).then(
      () => is_whole = true,
      () => assert.ok(at < 100, "it never ends"),
    );
    await share(await unconditional(objects), numbered("next"));
    const bases = objects.keys.filter((key) => /^v1\/bases\/.*[.]json$/.test(key));
    assert.ok(bases.length > 0 && bases.length <= 2, `write ${at}: ${bases}`);
  }
});

inTeam.test("pages that no head names are deleted", async ({ folder }) => {
  for (const name of ["first", "second", "third", "fourth"]) {
    await share(await unconditional(folder), numbered(name));
  }
  const bases = textBelow(join(folder, "v1", "bases")).match(/[.]json$/gm);
  // The present one and the one before.
  assert.equal(bases?.length, 2);
});

Deno.test("no page keeps the title of a session that is taken back, wherever that is cut off", async () => {
  const begun = await memoryTeam();
  await share(await unconditional(begun), [TITLE, ...numbered("others")]);
  let is_whole = false;
  for (let at = 1; !is_whole; at++) {
    const objects = new MemoryObjects(begun);
    const cut = { left: at, behind: false, at_writes: true };
    const store = openObjectTeam(cutObjects(objects, cut));
    try {
      await store.hello(DEVICE);
      is_whole = await store.withdraw(TITLE);
    } catch {
      assert.ok(at < 30, "it never ends");
    }
    const next = await unconditional(objects);
    await next.deleteWithdrawn?.();
    const is_there = (await next.branches({ sessions: [TITLE] })).length > 0;
    assert.equal(objects.holds(`"title":"${TITLE}"`), is_there, `write ${at}`);
  }
});

inTeam.test("no page keeps the title of a session that is shared anew under other terms", async ({ folder }) => {
  await share(await unconditional(folder), [TITLE, ...numbered("others")]);
  const store = await unconditional(folder);
  const terms = { project: "p", form: "copy", visible: "team" } as const;
  await store.claim([{ id: TITLE, ...terms, replace: true }], DEVICE.id);
  assert.ok(!hasTitle(folder));
});

inTeam.test("copies of heads keep no title of a session that is taken back", async ({ folder }) => {
  await share(await unconditional(folder), [TITLE]);
  for (let devices = 0; devices < 20; devices++) {
    const store = await unconditional(folder);
    const device = { id: crypto.randomUUID(), label: "another" };
    await store.hello(device);
    if (devices === 19) await store.branches({ project: "p" });
    await share(store, [`session ${devices}`], { device: device.id });
  }
  assert.match(textBelow(folder), /\/fold-/);
  assert.equal(await (await unconditional(folder)).withdraw(TITLE), true);
  assert.ok(!hasTitle(folder));
});
