/** Marks that cannot be read: sessions are found, summarized, imported and changed without them. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { importHandle, openLibrary } from "../../../lib/library/mod.ts";
import { openLocalStore } from "../../../lib/core/store/open_store.ts";
import type { LocalStore } from "../../../lib/core/store/local_store.ts";
import { keepPiSession } from "../../commands/_pi_session.ts";
import { inHome, sessionId } from "../../_support/cli_home.ts";
import { keepPrompt } from "../../_support/kept_sessions.ts";
import { user } from "../../_support/log_bytes.ts";
import { inStore } from "../../_support/temp_directory.ts";

/** A folder stands for all that is no file that can be read. */
function blockMarks({ root }: Pick<LocalStore, "root">): void {
  Deno.mkdirSync(join(root, "marks.jsonl"));
}

const TOLD = /^Cannot read marks: .*marks\.jsonl$/;

inStore.test("a summary is given without marks, and says why", async ({ store, directory }) => {
  const id = await keepPrompt(store, directory, "one");
  blockMarks(store);
  const told: string[] = [];
  const row = await store.summarize(store.find(id), ({ message }) => told.push(message));
  assert.equal(row.title, "one");
  assert.equal(told.length, 1);
  assert.match(told[0] ?? "", TOLD);
  assert.equal((await store.load(id)).summary.title, "one");
  assert.equal((await store.remove(id)).session_id, id);
});

inHome.test("a session of a directory is found without marks, in the store and in the library", async (home) => {
  const here = home.keep(sessionId("aaaa1"), [user("here")]);
  home.keep(sessionId("aaaa2"), [user("there")], { cwd: home.path });
  blockMarks({ root: home.store });
  assert.equal(openLocalStore({ root: home.store }).find("aaaa", home.work).session_id, here.id);
  const library = openLibrary({ root: home.store, variable: () => undefined, cwd: home.work });
  assert.equal((await library.open("aaaa")).id, here.id);
});

inHome.test("an import goes on without marks, and says why", async (home) => {
  const { ref } = keepPiSession(home);
  Deno.mkdirSync(home.store, { mode: 0o700 });
  blockMarks({ root: home.store });
  const variable = (name: string): string | undefined => name === "HOME" ? home.path : undefined;
  const library = openLibrary({ root: home.store, variable, cwd: home.work });
  const told: string[] = [];
  const { status } = await importHandle(
    openLocalStore({ root: home.store }),
    await library.open(ref),
    { default_cwd: home.work, onError: ({ message }) => told.push(message) },
  );
  assert.equal(status, "imported");
  // Those of the original, and of its copy.
  assert.equal(new Set(told).size, 1);
  assert.match(told[0] ?? "", TOLD);
  const { status: code, stderr } = await home.run(["import", ref, "--again"]);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^reprise: Cannot read marks: /m);
});
