/** Every code of SessionError, where a caller meets it. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { SessionError, type SessionErrorCode } from "../../../lib/core/event/session_error.ts";
import { MAX_LINE_BYTES } from "../../../lib/core/log/line_splitter.ts";
import { readEvents } from "../../../lib/core/log/read_events.ts";
import { openStore } from "../../../lib/core/store/open_store.ts";
import type { LocalStore } from "../../../lib/core/store/local_store.ts";
import { readConfig } from "../../../lib/core/workspace/config_file.ts";
import { atFullSize } from "../../_support/full_size.ts";
import { user } from "../../_support/log_bytes.ts";
import { withStore } from "../../_support/temp_directory.ts";

const UNIX = Deno.build.os !== "windows";

/** What is done with a store that has one session, `id`, to meet an error. */
type Meeting = (store: LocalStore, id: string, directory: string) => unknown;

/**
 * `disk-full`, `permission` and `sync-failed` need a full disk, another user or a fault:
 * tests/torture. `unreachable` is for servers, `encrypted` and `invalid-key` for sealed files:
 * tests/features/team and tests/text/seal.
 */
type Elsewhere =
  | ("disk-full" | "permission" | "sync-failed")
  | ("unreachable" | "encrypted" | "invalid-key");

const MEETINGS: Record<Exclude<SessionErrorCode, Elsewhere>, Meeting> = {
  "not-found": (store) => store.load("ffff"),
  "ambiguous": async (store, id, directory) => {
    const twin = openStore({ root: store.root, newId: () => id.slice(0, 35) + "f" });
    const session = twin.create({ cwd: directory });
    await session.append(user("p"));
    await session.finish();
    return store.load(id.slice(0, 8));
  },
  "locked": async (store, id) => {
    const held = await store.resume(id);
    return await store.resume(id).finally(() => held.release());
  },
  "unsupported-version": (store, id) => {
    const line = '{"v":3,"seq":9,"kind":"user_message","payload":{}}\n';
    Deno.writeTextFileSync(store.find(id).path, line, { append: true });
    return store.resume(id);
  },
  "invalid-event": async (store, id) => {
    await using session = await store.resume(id);
    await session.append({ kind: "compaction_applied", payload: { status: "" } });
  },
  "exists": async (store, id, directory) => {
    await (await store.fork(id, { id: "job-1" })).release();
    store.create({ cwd: directory, id: "job-1" });
  },
  "invalid-argument": (store) => store.list({ limit: -1 }),
  "closed": async (store, id) => {
    const session = await store.resume(id);
    await session.release();
    await session.append(user("p"));
  },
  "changed": async (store, id) => {
    const session = await store.resume(id);
    await session.rest();
    const other = await store.resume(id);
    await other.append(user("q")).finally(() => other.release());
    await session.append(user("p"));
  },
  "too-large": async (store, id) => {
    await using session = await store.resume(id);
    await session.append(user("x".repeat(MAX_LINE_BYTES)));
  },
  "io": (store, _id, directory) => {
    const session = openStore({ root: join(directory, "file", "store") }).create({
      cwd: directory,
    });
    Deno.writeTextFileSync(join(directory, "file"), "");
    return session.append(user(store.root));
  },
  "damaged": (store, id) => {
    const { path } = store.find(id);
    Deno.writeTextFileSync(path, "noise\n", { append: true });
    return Array.fromAsync(readEvents(path, { mode: "strict" }));
  },
  "unsafe-store": (store, id) => {
    if (UNIX) {
      Deno.chmodSync(store.root, 0o777);
      return store.resume(id);
    }
    return openStore({ root: store.find(id).path }).resume(id);
  },
  "invalid-ref": (store) => store.load("a b"),
  "invalid-config": (store) => {
    Deno.writeTextFileSync(join(store.root, "config.json"), "[]");
    return readConfig(store.root);
  },
  "unsupported-source": (_store, _id, directory) => Array.fromAsync(readEvents(directory)),
};

for (const [code, meet] of Object.entries(MEETINGS)) {
  const name = `${code} is told as a SessionError, with a message that says what failed`;
  // The longest line needs its size. `session_test.ts` meets it in the usual run.
  Deno.test(code === "too-large" ? atFullSize(name) : { name }, async () => {
    await withStore(async (store, directory) => {
      const session = store.create({ cwd: directory });
      await session.append(user("p"));
      await session.finish();
      const meeting = (async () => await meet(store, session.id, directory))();
      await assert.rejects(meeting, (error) => {
        assert.ok(error instanceof SessionError, String(error));
        assert.equal(error.code, code);
        assert.match(error.message, /^Cannot [a-z]+ .*[^.]$/);
        assert.doesNotMatch(error.message, /n't\b/);
        return true;
      });
    });
  });
}
