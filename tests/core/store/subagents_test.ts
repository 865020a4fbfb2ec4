import assert from "node:assert/strict";
import { openLocalStore } from "../../../lib/core/store/open_store.ts";
import { openLibrary } from "../../../lib/library/mod.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

inDirectory.test(
  "lists of the library leave out subagents, and searches do not",
  async (root) => {
    const store = openLocalStore({ root });
    const session = store.create({ cwd: root });
    await session.turn().user("Parent");
    const sub = session.subagent();
    await sub.turn().user("Child");
    for (const one of [session, sub]) await one.release();
    const library = openLibrary({ root, variable: () => undefined });
    for (const options of [{}, { rows: true }]) {
      const { entries } = await library.query(options);
      assert.deepEqual(entries.map(({ ref }) => ref), [session.id]);
      const all = await library.query({ ...options, archived: "any" });
      assert.equal(all.entries.length, 2);
    }
    assert.equal((await (await library.open(sub.id)).summary()).title, "Child");
  },
);
