import assert from "node:assert/strict";
import { readNow } from "../../_support/log_bytes.ts";
import { inStore } from "../../_support/temp_directory.ts";

inStore.test("a turn names itself and its responses", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  const turn = session.turn();
  await turn.user("hi");
  await turn.assistant({ text: "I look.", calls: [{ name: "look", input: {} }] });
  await turn.assistant({ text: "Again." });
  const events = readNow(Deno.readFileSync(session.path)).events.slice(1);
  assert.deepEqual([...new Set(events.map((event) => "turn_id" in event ? event.turn_id : ""))], [
    turn.id,
  ]);
  const ids = events.flatMap((event) =>
    event.form === "known" && event.kind === "assistant_message" ? [event.payload.message_id] : []
  );
  assert.equal(new Set(ids).size, 2);
  await session.release();
});
