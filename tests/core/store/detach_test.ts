import assert from "node:assert/strict";
import { fromMessages, openStore } from "../../../mod.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

inDirectory.test("a full disk keeps none of several events that it has no room for", async (root) => {
  const store = openStore({ root });
  const messages = ["One", "Two", "Three"].map((content) => ({ role: "user" as const, content }));
  const events = fromMessages("openai", messages);
  const { writeSync } = Deno.FsFile.prototype;
  let room = Infinity;
  Deno.FsFile.prototype.writeSync = function (bytes): number {
    if (room <= 0) throw Object.assign(new Error("No space left on device"), { code: "ENOSPC" });
    const some = bytes.subarray(0, room);
    room -= some.length;
    return writeSync.call(this, some);
  };
  try {
    for (const is_new of [true, false]) {
      room = 1e6;
      const session = store.create({ cwd: root });
      if (!is_new) await session.appendAll(events);
      const before = Number(!is_new && session.last_seq);
      const other = store.create({ cwd: root });
      if (!is_new) await other.appendAll(events);
      const free = room;
      await other.appendAll(events);
      const needed = free - room;
      await other.release();
      // Room for some of the events: how long the first one is depends on the directory's name.
      room = Math.floor(0.8 * needed);
      await assert.rejects(session.appendAll(events), { code: "disk-full" });
      assert.equal(session.last_seq, before);
      await session.detach();
      await session.appendAll(events);
      room = Infinity;
      await session.finish();
      const { messages, findings } = await store.load(session.id);
      assert.deepEqual([messages.length, findings], [is_new ? 3 : 6, []]);
    }
  } finally {
    Deno.FsFile.prototype.writeSync = writeSync;
  }
});
