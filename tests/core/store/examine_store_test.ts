import assert from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import { acquireLock } from "../../../lib/core/log/session_lock.ts";
import { examineStore, type StoreProblem } from "../../../lib/core/store/examine_store.ts";
import type { LocalStore } from "../../../lib/core/store/local_store.ts";
import { roundsOf } from "../../_support/few_rounds.ts";
import { user } from "../../_support/log_bytes.ts";
import { inStore, withStore } from "../../_support/temp_directory.ts";
import { needing, UNIX } from "../../_support/needing.ts";

/** Problems as code and path below the root. */
function problems({ root }: LocalStore): string[] {
  return [...examineStore(root)].map(({ code, path }) => `${code} ${path.slice(root.length)}`);
}

async function kept(store: LocalStore, directory: string): Promise<string> {
  const session = store.create({ cwd: directory });
  await session.append(user("p"));
  await session.finish();
  return session.path;
}

Deno.test(
  needing("a store as it is made has no problem, nor has one that is not there", UNIX),
  async () => {
    await withStore(async (store, directory) => {
      assert.deepEqual(problems(store), []);
      await kept(store, directory);
      const open = store.create({ cwd: directory });
      await open.append(user("p"));
      await store.rename(open.id, "T");
      assert.deepEqual(problems(store), []);
      await open.finish();
      await store.remove(open.id);
      assert.deepEqual(problems(store), []);
    });
  },
);

Deno.test(needing("modes that let others in are found, and mended on request", UNIX), async () => {
  await withStore(async (store, directory) => {
    const path = await kept(store, directory);
    const below = path.slice(store.root.length);
    Deno.chmodSync(path, 0o644);
    Deno.chmodSync(dirname(path), 0o755);
    assert.deepEqual(problems(store), [`mode ${dirname(below)}`, `mode ${below}`]);
    for (const { fix } of examineStore(store.root)) fix?.();
    assert.deepEqual(problems(store), []);
    assert.equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
  });
});

Deno.test(
  needing("leftovers of a killed writer are found and removed, and are no session", UNIX),
  async () => {
    await withStore(async (store, directory) => {
      const path = await kept(store, directory);
      const note = join(dirname(path), "lock.json");
      Deno.writeTextFileSync(note, "{}", { mode: 0o600 });
      const draft = join(store.root, "config.json.1.tmp");
      Deno.writeTextFileSync(draft, "", { mode: 0o600 });
      const unborn = join(dirname(dirname(path)), "unborn");
      Deno.mkdirSync(unborn, { mode: 0o700 });
      Deno.writeTextFileSync(join(unborn, "lock"), "", { mode: 0o600 });
      const found: StoreProblem[] = [...examineStore(store.root)];
      assert.deepEqual(
        found.map(({ code, path }) => [code, path]).sort(),
        [
          ["leftover", draft],
          ["leftover", note],
          ["no-log", unborn],
        ].sort(),
      );
      for (const { fix } of found) fix?.();
      assert.deepEqual(problems(store), [`no-log ${unborn.slice(store.root.length)}`]);
      assert.deepEqual(Deno.readFileSync(path).length > 0, true);
    });
  },
);

Deno.test(
  needing("links, second names and what is no file are found, and not mended", UNIX),
  async () => {
    await withStore(async (store, directory) => {
      const path = await kept(store, directory);
      Deno.linkSync(path, join(directory, "second name"));
      Deno.symlinkSync(directory, join(store.root, "link"));
      const found = [...examineStore(store.root)];
      assert.deepEqual(found.map(({ code }) => code), ["link", "link"]);
      assert.ok(found.every(({ fix }) => fix === undefined));
    });
  },
);

Deno.test(
  needing("logs that hold nothing or cannot be read, and bad settings, are found", UNIX),
  async () => {
    await withStore(async (store, directory) => {
      const paths = [await kept(store, directory), await kept(store, directory)];
      Deno.writeTextFileSync(paths[0] ?? "", "");
      Deno.writeTextFileSync(paths[1] ?? "", "noise\n");
      Deno.writeTextFileSync(join(store.root, "config.json"), "{", { mode: 0o600 });
      const codes = [...examineStore(store.root)].map(({ code }) => code).sort();
      assert.deepEqual(codes, ["config", "no-log", "unreadable"]);
    });
  },
);

Deno.test(
  needing("examining a session that is written says nothing, and changes nothing", UNIX),
  async () => {
    await withStore(async (store, directory) => {
      const session = store.create({ cwd: directory });
      await session.append(user("p"));
      const { mtime } = Deno.statSync(session.path);
      for (let times = 0; times < 20; times++) assert.deepEqual(problems(store), []);
      assert.deepEqual(Deno.statSync(session.path).mtime, mtime);
      assert.deepEqual(await session.append(user("q")), { seq: 3, state: "synced" });
      await session.finish();
    });
  },
);

inStore.test("a session that was never finished is found and mended, but not while it is written", async ({ store, directory }) => {
  const path = await kept(store, directory);
  const draft = `${dirname(path)}.tmp`;
  Deno.mkdirSync(draft, { mode: 0o700 });
  Deno.writeTextFileSync(join(draft, "transcript_events.jsonl"), "half", { mode: 0o600 });
  const holder = { pid: Deno.pid, host: "here", since: "" };
  const lock = await acquireLock(draft, holder);
  assert.deepEqual([...examineStore(store.root)], []);
  lock.release();
  const [leftover, ...others] = [...examineStore(store.root)];
  assert.deepEqual([leftover?.code, leftover?.path, others], ["leftover", draft, []]);
  leftover?.fix?.();
  assert.deepEqual([...examineStore(store.root)], []);
  const names = [...Deno.readDirSync(dirname(dirname(path)))].map(({ name }) => name);
  assert.deepEqual(names, [basename(dirname(path))]);
});

inStore.test("a fork is no leftover at any moment of its making", async ({ store, directory }) => {
  const original = store.create({ cwd: directory });
  await original.append(user("p"));
  await original.finish();
  const { id } = original;
  for (let round = 0; round < roundsOf(20); round++) {
    let done = false;
    const fork = store.makeFork(id).finally(() => done = true);
    while (!done) {
      assert.deepEqual(problems(store), []);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    await fork;
  }
  assert.deepEqual(problems(store), []);
});
