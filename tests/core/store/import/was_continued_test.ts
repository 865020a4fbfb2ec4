import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type { LogEvent } from "../../../../lib/core/event/envelope.ts";
import { SessionError } from "../../../../lib/core/event/session_error.ts";
import { EventDigest } from "../../../../lib/core/store/import/source_state.ts";
import {
  wasContinued,
  wasContinuedSince,
} from "../../../../lib/core/store/import/was_continued.ts";
import { copySource, readManifest } from "../../../../lib/core/store/import/source_copy.ts";
import type { LocalStore } from "../../../../lib/core/store/local_store.ts";
import { logOf, readNow, user } from "../../../_support/log_bytes.ts";
import { inStore } from "../../../_support/temp_directory.ts";

async function* batches(): AsyncGenerator<readonly LogEvent[]> {
  yield readNow(logOf([user("Hello")])).events;
}

/** Keeps a talk of another agent; gives the id and the log of the copy. */
async function keep(store: LocalStore, cwd: string): Promise<{ id: string; path: string }> {
  const original = join(cwd, "p1.jsonl");
  Deno.writeTextFileSync(original, "its own\n");
  const digest = new EventDigest();
  const about = { agent: "pi", id: "p1", digest };
  const { session_id, path } = await store.import({
    ...about,
    path: original,
    cwd,
    events: batches(),
    async attach(directory): Promise<void> {
      const now = new Date(Date.now() + 60_000);
      await copySource(directory, { ...about, files: [original], now });
    },
  });
  return { id: session_id, path };
}

/** Whether somebody went on with it, which a copy that says nothing of its own is not. */
function isGoneOn(path: string): boolean {
  const manifest = readManifest(dirname(path));
  assert.ok(manifest);
  const gone_on = wasContinuedSince(path, manifest);
  assert.equal(wasContinued(path), gone_on);
  return gone_on;
}

inStore.test("a kept session that was put away and taken back is as it was kept", async ({ store, directory }) => {
  const { id, path } = await keep(store, directory);
  const { size } = Deno.statSync(path);
  assert.equal(isGoneOn(path), false);
  for (const archived of [true, false, true, false]) {
    await store.archive(id, archived);
    assert.equal(isGoneOn(path), false);
  }
  assert.ok(Deno.statSync(path).size > size);
  await store.rename(id, "Mine now");
  assert.equal(isGoneOn(path), true);
  // Nor does a later archiving hide it.
  await store.archive(id);
  assert.equal(isGoneOn(path), true);
});

inStore.test("events that are not about archiving continue a session", async ({ store, directory }) => {
  const { id, path } = await keep(store, directory);
  await store.archive(id);
  const archived = Deno.readFileSync(path);
  const line = '{"v":1,"seq":9,"kind":"session_archived","payload":{"archived":true}}\n';
  for (const more of ["x", "\n", line, '{"v":1,"seq":9,"kind":"ses', " ".repeat(70_000)]) {
    Deno.writeFileSync(path, archived);
    assert.equal(isGoneOn(path), false);
    Deno.writeTextFileSync(path, more, { append: true });
    assert.equal(isGoneOn(path), true, more.slice(0, 50));
  }
  Deno.truncateSync(path, 100);
  assert.equal(isGoneOn(path), true);
  const manifest = readManifest(dirname(path));
  Deno.removeSync(path);
  assert.ok(manifest);
  assert.throws(() => wasContinuedSince(path, manifest), SessionError);
  assert.throws(() => wasContinued(path), SessionError);
});
