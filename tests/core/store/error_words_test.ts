/** Messages of the store: they name calls of the library, and both stores say the same. */
import assert from "node:assert/strict";
import { isSessionError, memoryStore, openStore, type Store } from "../../../mod.ts";
import { withDirectory } from "../../_support/temp_directory.ts";

async function messageOf(action: () => unknown): Promise<string> {
  try {
    await action();
  } catch (error) {
    assert.ok(isSessionError(error), String(error));
    assert.ok(error.hint !== undefined && error.message.includes(error.hint), error.message);
    // A folder is read in no order.
    return error.message.replace(/matches 2 sessions: .*;/, "matches 2 sessions: …;");
  }
  assert.fail("nothing was thrown");
}

/** What a store says of sessions that are not there, are several, or are open in this program. */
async function said(store: Store, cwd: string): Promise<string[]> {
  const session = store.create({ cwd });
  await session.turn().user("Hello");
  const other = store.create({ cwd });
  await other.turn().user("Hello");
  const messages = [
    await messageOf(() => store.load("ffff")),
    await messageOf(() => store.load("3f6a")),
    await messageOf(() => store.resume(session.id)),
    await messageOf(() => store.remove(session.id)),
  ];
  for (const one of [session, other]) await one.release();
  return messages;
}

Deno.test("both stores say what to do in calls of the library, also of a session that is open here", async () => {
  await withDirectory(async (root) => {
    let ids = 0;
    const newId = (): string => `3f6a2b91-0000-4000-8000-${String(++ids).padStart(12, "0")}`;
    const onDisk = await said(openStore({ root, newId }), root);
    ids = 0;
    assert.deepEqual(await said(memoryStore({ newId }), root), onDisk);
    assert.match(onDisk.join("\n"), /store\.list\(\) has all sessions/);
    const here = "this program already has the session open; use the open Session object, or close";
    assert.match(onDisk[2] ?? "", new RegExp(`^Cannot open session for writing: ${here}`));
    assert.match(onDisk[3] ?? "", new RegExp(`^Cannot remove session: ${here}`));
    for (const message of onDisk) assert.doesNotMatch(message, /reprise [a-z]/);
  });
});
