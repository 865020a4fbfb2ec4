/** Compactions that would leave the model without what it needs are refused. */
import assert from "node:assert/strict";
import type { Message } from "../../../lib/core/event/message.ts";
import { memoryStore, type Session } from "../../../mod.ts";

const CWD = "/home/ada/src";

async function begun(): Promise<Session> {
  const session = memoryStore().create({ cwd: CWD });
  const turn = session.turn();
  await turn.user("Read a.txt");
  await turn.assistant({ calls: [{ id: "c1", name: "read", input: {} }] });
  return session;
}

const ORPHAN: Message = {
  role: "tool",
  content: [{ type: "tool_result", call_id: "c9", name: "read", status: "ok", output: "x" }],
};

Deno.test("a compaction that leaves nothing for the model, or drops a part, is refused", async () => {
  const session = await begun();
  const before = (await session.conversation()).messages;
  const refused: [Parameters<Session["compact"]>[0], RegExp][] = [
    [{}, /neither messages nor a summary/],
    [{ summary: "" }, /summary is blank/],
    [{ summary: " \n" }, /summary is blank/],
    [{ messages: [ORPHAN] }, /result without a call: c9/],
    [{ messages: [{ role: "user", content: "Go on" }, ORPHAN] }, /result without a call: c9/],
    [{ messages: [{ role: "user", content: " " }] }, /messages are blank/],
    [{ messages: [{ role: "user", content: [] }] }, /messages are blank/],
    [{ messages: [], summary: "They read it" }, /both messages and summary/],
    [
      { messages: [{ role: "user", content: "Go on" }], keep_from: 2 },
      /both messages and keep_from/,
    ],
  ];
  for (const [options, message] of refused) {
    await assert.rejects(session.compact(options), { code: "invalid-event", message });
  }
  assert.deepEqual((await session.conversation()).messages, before);
  await session.compact({ messages: [] });
  assert.deepEqual((await session.conversation()).messages, []);
  await session.release();
});

Deno.test("a result of a call that a compaction replaced is refused, and of one that it kept reaches the model", async () => {
  const refused = { code: "invalid-event", message: /c1/ };
  const result = { call_id: "c1", name: "read", status: "ok", output: "one" } as const;
  for (
    const options of [{ summary: "They read it" }, { messages: [] }, { summary: "S", keep_from: 4 }]
  ) {
    const session = await begun();
    const turn = session.turn();
    if ("keep_from" in options) await turn.user("Meanwhile");
    await session.compact(options);
    await assert.rejects(turn.result("c1", { output: "one" }), refused);
    await assert.rejects(session.append({ kind: "tool_end", payload: result }), refused);
    await assert.rejects(turn.start("c1"), refused);
    // A new call may have its name.
    await turn.assistant({ calls: [{ id: "c1", name: "read", input: {} }] });
    await turn.result("c1", { output: "two" });
    await session.release();
  }
  for (const keep_from of [2, 3, 4]) {
    const session = await begun();
    await session.turn().start("c1");
    await session.compact({ summary: "They read it", keep_from });
    await session.turn().result("c1", { output: "one" });
    const { messages } = await session.conversation();
    assert.match(JSON.stringify(messages.at(-1)), /"output":"one"/, `kept from ${keep_from}`);
    await session.release();
  }
});
