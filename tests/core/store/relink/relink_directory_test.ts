import assert from "node:assert/strict";
import { join } from "node:path";
import { readMarks } from "../../../../lib/core/store/marks.ts";
import {
  directorySpellings,
  relinkDirectories,
  unlinkDirectories,
} from "../../../../lib/core/store/relink/relink_directory.ts";
import { openLocalStore } from "../../../../lib/core/store/open_store.ts";
import type { LocalStore } from "../../../../lib/core/store/local_store.ts";
import { keepPrompt, START, ticking } from "../../../_support/kept_sessions.ts";
import { withDirectory, withStore } from "../../../_support/temp_directory.ts";
import { needing, UNIX } from "../../../_support/needing.ts";

async function titles(store: LocalStore, cwd?: string): Promise<string[]> {
  return (await store.list(cwd === undefined ? {} : { cwd })).map(({ title }) => title);
}

Deno.test(
  needing("a directory that is gone is known by its real path, as far as there is one", UNIX),
  async () => {
    await withDirectory((directory) => {
      Deno.mkdirSync(join(directory, "real"));
      Deno.symlinkSync(join(directory, "real"), join(directory, "link"));
      assert.deepEqual(directorySpellings(join(directory, "real", "gone")), [
        join(directory, "real", "gone"),
      ]);
      assert.deepEqual(directorySpellings(join(directory, "link", "gone", "x")), [
        join(directory, "link", "gone", "x"),
        join(directory, "real", "gone", "x"),
      ]);
      // Where a link was left behind in its place, the old name is what the sessions know.
      assert.deepEqual(directorySpellings(join(directory, "link")), [
        join(directory, "link"),
        join(directory, "real"),
      ]);
      assert.deepEqual(directorySpellings("/"), ["/"]);
    });
  },
);

Deno.test("relinked sessions are listed and found from their new directory, and no more from the old one", async () => {
  await withStore(async (store, directory) => {
    const [old, now] = [join(directory, "old"), join(directory, "now")];
    const moved = await keepPrompt(store, old, "moved");
    await keepPrompt(store, join(old, "sub"), "below");
    await keepPrompt(store, now, "native");
    relinkDirectories(store.root, directorySpellings(old), now, new Date(START + 60_000).toJSON());
    assert.deepEqual(await titles(store, now), ["native", "moved"]);
    assert.deepEqual(await titles(store, join(now, "sub")), ["below"]);
    assert.deepEqual(await titles(store, old), []);
    const rows = await store.list();
    assert.deepEqual(rows.map(({ cwd }) => cwd), [now, join(now, "sub"), now]);
    assert.equal((await store.summarize(store.find(moved))).cwd, now);
    assert.equal((await store.load(moved)).summary.cwd, now);
    const { path } = store.find(moved);
    assert.match(Deno.readTextFileSync(path), new RegExp(`"cwd":${JSON.stringify(old)}`));
    assert.equal((await store.last({ cwd: join(now, "sub") }))?.title, "below");

    unlinkDirectories(store.root, directorySpellings(old), new Date(START + 61_000).toJSON());
    assert.equal(readMarks(store.root).relinks, undefined);
    assert.deepEqual(await titles(store, now), ["native"]);
    assert.deepEqual(await titles(store, old), ["moved"]);
  }, ticking());
});

Deno.test("sessions that are begun in the old directory after a relink belong to it", async () => {
  await withStore(async (store, directory) => {
    const [old, now] = [join(directory, "old"), join(directory, "now")];
    await keepPrompt(store, old, "before");
    relinkDirectories(store.root, [old], now, new Date(START + 5000).toJSON());
    const late = openLocalStore({ root: store.root, now: () => new Date(START + 3_600_000) });
    await keepPrompt(late, old, "after");
    assert.deepEqual(await titles(late, old), ["after"]);
    assert.deepEqual(await titles(late, now), ["before"]);
    assert.deepEqual((await titles(late)).sort(), ["after", "before"]);
  }, ticking());
});

Deno.test("a reference means the sessions that were relinked to its directory first", async () => {
  const ids = ["aaaa0000", "aaaa1111", "aaaa2222"].map((id) => `${id}-0000-4000-8000-000000000000`);
  let next = 0;
  await withStore(async (store, directory) => {
    const [old, now, other] = ["old", "now", "other"].map((name) => join(directory, name));
    const [first] = [
      await keepPrompt(store, old ?? "", "a"),
      await keepPrompt(store, other ?? "", "b"),
    ];
    assert.throws(() => store.find("aaaa", now), /Cannot choose session/);
    relinkDirectories(store.root, [old ?? ""], now ?? "", new Date(START + 60_000).toJSON());
    assert.equal(store.find("AAAA", now).session_id, first);
    assert.throws(() => store.find("aaa", now), /at least 4 characters/);
    assert.throws(() => store.find("bbbb", now), /Cannot find session/);
    await keepPrompt(store, now ?? "", "c");
    assert.throws(() => store.find("aaaa", now), /Cannot choose session/);
  }, { ...ticking(), newId: () => ids[next++] ?? "" });
});

Deno.test("a session that was relinked by itself goes along when its new directory moves", async () => {
  await withStore(async (store, directory) => {
    const id = await keepPrompt(store, join(directory, "old"), "alone");
    const mark = { ref: id, relinked: "/one", time: new Date(START + 10_000).toJSON() };
    Deno.writeTextFileSync(join(store.root, "marks.jsonl"), JSON.stringify(mark) + "\n", {
      mode: 0o600,
    });
    assert.deepEqual(await titles(store, "/one"), ["alone"]);
    relinkDirectories(store.root, ["/one"], "/two", new Date(START + 20_000).toJSON());
    assert.deepEqual(await titles(store, "/two"), ["alone"]);
    assert.deepEqual(await titles(store, "/one"), []);
  }, ticking());
});
