import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { LogEvent } from "../../../../lib/core/event/envelope.ts";
import { SessionError } from "../../../../lib/core/event/session_error.ts";
import {
  EventDigest,
  fileState,
  hashEvents,
  hashFile,
} from "../../../../lib/core/store/import/source_state.ts";
import {
  checkSourceCopy,
  copySource,
  hasSourceCopy,
  manifestPath,
  readManifest,
  type SourceCopyPlan,
} from "../../../../lib/core/store/import/source_copy.ts";
import type { LocalStore } from "../../../../lib/core/store/local_store.ts";
import { assistant, logOf, readNow, user } from "../../../_support/log_bytes.ts";
import { snapshot } from "../../../_support/store_snapshot.ts";
import { inStore } from "../../../_support/temp_directory.ts";

const NOW = new Date("2026-11-22T08:00:00.000Z");

async function* batches(): AsyncGenerator<readonly LogEvent[]> {
  yield readNow(logOf([user("Hello"), assistant("Hi!")])).events;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Imports a talk and keeps files beside it. */
async function keep(
  store: LocalStore,
  cwd: string,
  plan: Partial<SourceCopyPlan>,
): Promise<string> {
  const digest = new EventDigest();
  const { path } = await store.import({
    ...{ agent: "pi", id: "p1", path: "/gone", cwd, digest, events: batches() },
    async attach(directory): Promise<void> {
      await copySource(directory, { agent: "pi", id: "p1", files: [], digest, now: NOW, ...plan });
    },
  });
  return join(path, "..");
}

function isRefused(message: RegExp): (error: unknown) => boolean {
  return (error) =>
    error instanceof SessionError && error.code === "io" && message.test(error.message);
}

inStore.test("files are copied byte for byte, and the manifest says what they are", async ({ store, directory }) => {
  const folder = join(directory, "agent");
  Deno.mkdirSync(join(folder, "p1", "more"), { recursive: true });
  const contents = [
    new Uint8Array(300_000).fill(7),
    new Uint8Array([0, 255, 10]),
    new Uint8Array(),
  ];
  const files = ["p1.jsonl", "p1/more/a.bin", "p1/empty"].map((name) => join(folder, name));
  for (const [index, path] of files.entries()) {
    Deno.writeFileSync(path, contents[index] as Uint8Array);
  }
  const before = snapshot(folder);
  const kept = await keep(store, directory, { files, sha256: sha256(contents[0] as Uint8Array) });
  assert.deepEqual(snapshot(folder), before);
  const manifest = readManifest(kept);
  assert.deepEqual(
    manifest?.files,
    files.map((path, index) => ({
      name: path.slice(folder.length + 1),
      path,
      bytes: contents[index]?.length,
      sha256: sha256(contents[index] as Uint8Array),
    })),
  );
  assert.deepEqual([manifest?.agent, manifest?.id, manifest?.kept_at], [
    "pi",
    "p1",
    NOW.toISOString(),
  ]);
  assert.equal(manifest?.events.count, 2);
  assert.equal(manifest?.log_bytes, Deno.statSync(join(kept, "transcript_events.jsonl")).size);
  for (const [index, { name }] of manifest?.files.entries() ?? []) {
    const copy = join(kept, "source", name);
    assert.deepEqual(Deno.readFileSync(copy), contents[index]);
    if (Deno.build.os !== "windows") assert.equal((Deno.statSync(copy).mode ?? 0) & 0o777, 0o600);
  }
  assert.deepEqual(await checkSourceCopy(kept), []);
  Deno.writeTextFileSync(join(kept, "source", "p1", "empty"), "x");
  Deno.removeSync(join(kept, "source", "p1.jsonl"));
  const wrong = await checkSourceCopy(kept);
  assert.match(wrong[0] ?? "", /^p1.jsonl cannot be read: /);
  assert.equal(wrong[1], "p1/empty differs from the backup");
  assert.equal(wrong.length, 2);
});

inStore.test("a manifest that is gone or damaged is told, and no reason to fail", async ({ store, directory }) => {
  const path = join(directory, "p1.jsonl");
  Deno.writeTextFileSync(path, "text");
  const kept = await keep(store, directory, { files: [path] });
  assert.equal(hasSourceCopy(kept), true);
  assert.deepEqual(await checkSourceCopy(kept), []);
  for (const text of ["{", "[]", '{"files":[{}],"log_bytes":1}', undefined]) {
    if (text === undefined) Deno.removeSync(manifestPath(kept));
    else Deno.writeTextFileSync(manifestPath(kept), text);
    assert.equal(readManifest(kept), undefined);
    assert.deepEqual(await checkSourceCopy(kept), ["manifest.json is missing or damaged"]);
  }
  assert.deepEqual([hasSourceCopy(directory), await checkSourceCopy(directory)], [false, []]);
});

inStore.test("a session without a file of its own is kept by its events", async ({ store, directory }) => {
  const kept = await keep(store, directory, {});
  assert.deepEqual(readManifest(kept)?.files, []);
  assert.match(readManifest(kept)?.events.sha256 ?? "", /^[0-9a-f]{64}$/);
  assert.deepEqual(await checkSourceCopy(kept), []);
});

inStore.test("backup discards files that changed while being read", async ({ store, directory }) => {
  const path = join(directory, "p1.jsonl");
  Deno.writeTextFileSync(path, "grown since");
  const other = new EventDigest();
  const cases: [Partial<SourceCopyPlan>, RegExp][] = [
    [{ files: [path], sha256: sha256(new Uint8Array()) }, /the file changed while it was read/],
    [{ digest: other }, /the copy does not match the data read from pi:p1/],
  ];
  for (const [plan, message] of cases) {
    await assert.rejects(keep(store, directory, plan), isRefused(message));
    assert.deepEqual(await store.list(), []);
  }
  await assert.rejects(
    keep(store, directory, { files: [join(directory, "none")] }),
    SessionError,
  );
  assert.deepEqual(await store.list(), []);
  await keep(store, directory, { files: [path], sha256: await hashFile(path) });
  assert.equal((await store.list()).length, 1);
});

inStore.test("a session that was only imported has no manifest", async ({ store, directory }) => {
  const { path } = await store.import({
    ...{ agent: "pi", id: "p1", path: "/gone", cwd: directory, events: batches() },
  });
  const folder = join(path, "..");
  assert.equal(readManifest(folder), undefined);
  Deno.mkdirSync(join(folder, "source"));
  Deno.writeTextFileSync(manifestPath(folder), "[1]");
  assert.equal(readManifest(folder), undefined);
});

Deno.test("a digest of events tells what they say from where they lie", async () => {
  const events = readNow(logOf([user("Hello"), assistant("Hi!")])).events;
  const moved = events.map((event) => ({ ...event, position: { offset: 9, length: 9, line: 9 } }));
  const other = readNow(logOf([user("Hello"), assistant("Hi?")])).events;
  async function hash(given: readonly LogEvent[]): Promise<string> {
    return await hashEvents(ReadableStream.from([given]));
  }
  assert.equal(await hash(events), await hash(moved));
  assert.notEqual(await hash(events), await hash(other));
  assert.notEqual(await hash(events), await hash(events.slice(0, 1)));
});

inStore.test("a file's state is its size, its time and its hash", async ({ directory }) => {
  const path = join(directory, "a");
  Deno.writeTextFileSync(path, "abc");
  Deno.utimeSync(path, NOW, NOW);
  assert.deepEqual(fileState(path), { bytes: 3, modified_at: NOW.toISOString() });
  assert.equal(await hashFile(path), sha256(new TextEncoder().encode("abc")));
  assert.throws(() => fileState(join(directory, "b")), SessionError);
  await assert.rejects(hashFile(join(directory, "b")), SessionError);
});

inStore.test("a file of the agent that is called as the manifest is kept beside it", async ({ store, directory }) => {
  const files = ["session.json", "manifest.json"].map((name) => join(directory, name));
  for (const path of files) Deno.writeTextFileSync(path, `of ${path}`);
  const kept = await keep(store, directory, { files });
  const manifest = readManifest(kept);
  assert.deepEqual(manifest?.files.map(({ path }) => path), files);
  for (const { name, path } of manifest?.files ?? []) {
    assert.equal(Deno.readTextFileSync(join(kept, "source", name)), `of ${path}`);
  }
  assert.deepEqual(await checkSourceCopy(kept), []);
});
