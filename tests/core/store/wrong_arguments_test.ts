/** What a program without types may give to a store: only typed errors. The most are scenes. */
import assert from "node:assert/strict";
import { tooOldRuntime } from "../../../lib/core/platform/runtime.ts";
import { checkRuntime } from "../../../lib/core/store/checked_arguments.ts";
import { memoryStore, openStore } from "../../../mod.ts";
import { openLocalStore } from "../../../lib/core/store/mod.ts";
import { openLibrary, usageOf } from "../../../lib/library/mod.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

// deno-lint-ignore no-explicit-any -- that is what such a program gives
const any = (value: unknown): any => value;

inDirectory.test("a clock that fails later is a typed error of a fork, too", async (root) => {
  for (const make of [memoryStore, (given: object) => openStore({ root, ...given })]) {
    let time = new Date("2026-11-21T20:21:50.004Z");
    const store = make({ now: () => time });
    const session = store.create({ cwd: root });
    await session.append({ kind: "user_message", payload: { content: "hi" } });
    await session.release();
    time = new Date(NaN);
    await assert.rejects(store.fork(session.id), { code: "invalid-argument", message: /now/ });
  }
});

inDirectory.test("a library and a store's own calls name the option that is meant", async (root) => {
  const refused = (meant: string): object => ({
    code: "invalid-argument",
    message: new RegExp(`is not an option; did you mean ${meant}\\?`),
  });
  assert.throws(() => openLibrary(any({ rooot: root })), refused("root"));
  assert.throws(() => openLibrary(any({ rooot: undefined })), refused("root"));
  const store = openLocalStore({ root });
  await assert.rejects(store.prune(any({ max_byte: 1 })), refused("max_bytes"));
  await assert.rejects(store.emptyTrash(any({ dryRun: true })), refused("dry_run"));
  await assert.rejects(store.makeFork("3f6a", any({ sequ: 1 })), refused("seq"));
  await assert.rejects(store.merge([], any({ titel: "x" })), refused("title"));
  const library = openLibrary({ root, variable: () => undefined });
  await assert.rejects(library.query(any({ agent: ["pi"] })), refused("agents"));
  await assert.rejects(library.open("3f6a", any({ key: {} })), refused("keys"));
});

inDirectory.test("usageOf tells days in UTC unless it is told otherwise", async (root) => {
  const now = (): Date => new Date("2026-11-21T23:30:00.000Z");
  const session = openStore({ root, now }).create({ cwd: root });
  await session.turn().assistant({ text: "Hi", usage: { input: 5, output: 2 } });
  await session.finish();
  const library = openLibrary({ root, variable: () => undefined });
  const [used] = await usageOf((await library.query()).entries);
  assert.deepEqual(used?.rows.map(({ day, usage }) => [day, usage]), [
    ["2026-11-21", { input: 5, output: 2 }],
  ]);
});

Deno.test("a runtime that could write a session, but not read it, is refused at once", () => {
  checkRuntime();
  const reason = tooOldRuntime(null);
  assert.match(reason ?? "", /^(Node|Bun) \S+ is too old; install (Node|Bun) \d+\.\d/);
  const message = `Cannot open store: ${reason}`;
  assert.throws(() => checkRuntime(reason), { code: "unsupported-version", message });
});
