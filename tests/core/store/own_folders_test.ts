/** Folders of the store that lead out of it, or that others can write: nothing is written there. */
import assert from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { examineStore } from "../../../lib/core/store/examine_store.ts";
import { LogWriter, type WriteError } from "../../../lib/core/log/log_writer.ts";
import { openLibrary } from "../../../lib/library/library.ts";
import { indexPath } from "../../../lib/library/catalogue/cache/search_database.ts";
import { indexStatus } from "../../../lib/library/search/index/index_status.ts";
import { updateIndex } from "../../../lib/library/search/index/index_update.ts";
import type { LocalStore } from "../../../lib/core/store/local_store.ts";
import { listed } from "../../_support/listed.ts";
import { user } from "../../_support/log_bytes.ts";
import { snapshot } from "../../_support/store_snapshot.ts";
import { withDirectory, withStore } from "../../_support/temp_directory.ts";
import { needing, UNIX } from "../../_support/needing.ts";

function refusal(code: string): (error: unknown) => boolean {
  return (error) => error instanceof SessionError && error.code === code;
}

async function keepOne(store: LocalStore, cwd: string): Promise<string> {
  const session = store.create({ cwd });
  await session.append(user("hello"));
  await session.finish();
  return session.id;
}

/** Moves a folder out of the store, and leaves a link in its place. */
function linkOut(path: string, directory: string): string {
  const outside = join(directory, `outside-${basename(path)}`);
  Deno.renameSync(path, outside);
  Deno.symlinkSync(outside, path);
  return outside;
}

Deno.test(
  needing("P8 a store whose sessions lie behind a link is neither read nor written", UNIX),
  async () => {
    await withStore(async (store, directory) => {
      const id = await keepOne(store, directory);
      const outside = linkOut(join(store.root, "sessions"), directory);
      const before = snapshot(outside);
      const refused = refusal("unsafe-store");
      await assert.rejects(store.list(), refused);
      await assert.rejects(store.resume(id), refused);
      await assert.rejects(store.remove(id), refused);
      await assert.rejects(store.prune({ before: new Date() }), refused);
      const other = store.create({ cwd: join(directory, "other") });
      await assert.rejects(other.append(user("no")), refused);
      await other.finish().catch(() => {});
      assert.deepEqual(snapshot(outside), before);
      assert.ok(
        [...examineStore(store.root)].some(({ code, path }) =>
          code === "link" && path === join(store.root, "sessions")
        ),
      );
    });
  },
);

Deno.test(needing("P8 nothing is moved to a trash that lies behind a link", UNIX), async () => {
  await withStore(async (store, directory) => {
    const [one, other] = [await keepOne(store, directory), await keepOne(store, directory)];
    await store.remove(one);
    const outside = linkOut(join(store.root, "trash"), directory);
    const before = snapshot(outside);
    await assert.rejects(store.remove(other), refusal("unsafe-store"));
    await assert.rejects(store.restore(one), refusal("unsafe-store"));
    await assert.rejects(store.emptyTrash(), refusal("unsafe-store"));
    const errors: SessionError[] = [];
    const limits = { before: new Date(Date.now() + 86_400_000) };
    await store.prune({ ...limits, onError: (error) => errors.push(error) });
    assert.deepEqual(errors.map(({ code }) => code), ["unsafe-store"]);
    assert.deepEqual(snapshot(outside), before);
    assert.equal((await store.list()).length, 1);
  });
});

Deno.test(needing("P8 no index is read or built behind a link", UNIX), async () => {
  await withStore(async (store, directory) => {
    await keepOne(store, directory);
    const library = openLibrary({ root: store.root, variable: () => undefined });
    const sessions = await library.sessions();
    const cache = join(directory, "cache");
    await updateIndex(cache, sessions);
    const outside = linkOut(indexPath(cache), directory);
    const before = snapshot(outside);
    assert.equal(indexStatus(cache, sessions).state, "damaged");
    await updateIndex(cache, sessions);
    assert.equal(indexStatus(cache, sessions).state, "current");
    assert.deepEqual(snapshot(outside), before);
    linkOut(cache, directory);
    await assert.rejects(updateIndex(cache, sessions), refusal("unsafe-store"));
  });
});

Deno.test(
  needing("P8 a log that links to a file outside is told, and not read", UNIX),
  async () => {
    await withStore(async (store, directory) => {
      const [id, good] = [await keepOne(store, directory), await keepOne(store, directory)];
      linkOut(store.find(id).path, directory);
      const errors: SessionError[] = [];
      const rows = await store.list({ onError: (error) => errors.push(error) });
      assert.deepEqual(rows.map(({ session_id }) => session_id), [good]);
      assert.deepEqual(errors.map(({ code }) => code), ["unsafe-store"]);
      await assert.rejects(store.load(id), refusal("unsafe-store"));
      await assert.rejects(store.resume(id), refusal("unsafe-store"));
    });
  },
);

Deno.test(
  needing("P8 a folder of the store that others can write takes no events", UNIX),
  async () => {
    await withStore(async (store, directory) => {
      const id = await keepOne(store, directory);
      const session = store.find(id).directory;
      for (const folder of [session, dirname(session), dirname(dirname(session))]) {
        Deno.chmodSync(store.root, 0o755);
        Deno.chmodSync(folder, 0o777);
        await assert.rejects(store.resume(id), refusal("unsafe-store"), folder);
        await assert.rejects(store.remove(id), refusal("unsafe-store"), folder);
        assert.equal((await store.list()).length, 1);
        Deno.chmodSync(folder, 0o700);
      }
      await (await store.resume(id)).finish();
    });
  },
);

Deno.test(
  needing("P8 the mode of a file with a second name is not changed by a fix", UNIX),
  async () => {
    await withDirectory((directory) => {
      const root = join(directory, "store");
      Deno.mkdirSync(root, { mode: 0o700 });
      const outside = join(directory, "outside");
      Deno.writeTextFileSync(outside, "", { mode: 0o644 });
      Deno.linkSync(outside, join(root, "marks.jsonl"));
      const found = [...examineStore(root)];
      assert.deepEqual(found.map(({ code }) => code).sort(), ["link", "mode"]);
      for (const { fix } of found) fix?.();
      assert.equal((Deno.statSync(outside).mode ?? 0) & 0o777, 0o644);
    });
  },
);

Deno.test(
  needing("a log whose folder is deleted while it is written is not told as synced", UNIX),
  async () => {
    await withDirectory(async (directory) => {
      const folder = join(directory, "session");
      Deno.mkdirSync(folder);
      const writer = LogWriter.create(join(folder, "log"));
      writer.write([new TextEncoder().encode("one\n")]);
      await writer.sync();
      Deno.removeSync(folder, { recursive: true });
      writer.write([new TextEncoder().encode("two\n")]);
      await assert.rejects(writer.sync(), (error: SessionError) => {
        assert.match(error.message, /deleted while it was being written/);
        return error.code === "sync-failed" && error.data.written === false;
      });
      assert.throws(
        () => writer.write([new TextEncoder().encode("three\n")]),
        (error: WriteError) => error.whole === 0 && refusal("not-found")(error.reason),
      );
      await writer.close();
    });
  },
);

for (const year of [-1, 0, 10_000, 12_026, 270_000]) {
  Deno.test(`a session that was begun in the year ${year} is listed`, async () => {
    const begun = new Date(0);
    begun.setUTCFullYear(year);
    await withStore(async (store, directory) => {
      const id = await keepOne(store, directory);
      const [row] = await store.list();
      assert.deepEqual([row?.session_id, row?.created_at], [id, begun.toISOString()]);
      assert.equal(store.find(id).created_at, begun.toISOString());
      const library = openLibrary({ root: store.root, variable: () => undefined });
      assert.deepEqual((await listed(library)).map(({ session_id }) => session_id), [id]);
    }, { now: () => begun });
  });
}
