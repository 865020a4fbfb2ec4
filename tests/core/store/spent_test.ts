/** What responses cost that are no messages: cut off, failed, or turned into a summary. */
import assert from "node:assert/strict";
import { memoryStore } from "../../../lib/core/store/memory_store.ts";
import type { Session } from "../../../lib/core/store/session.ts";
import { responseUsage } from "../../../lib/core/projection/response_usage.ts";

const spent = { model: "m", usage: { input: 9, output: 3 }, cost_usd: 0.5 };

/** Ends a turn in one of the ways in which a response is no message. */
const ENDINGS: Record<string, (session: Session) => Promise<unknown>> = {
  interrupted: (session) => session.turn("t").interrupted("A po", spent),
  fail: (session) => session.turn("t").fail("529", { reason: "cancelled", ...spent }),
  compact: (session) => session.compact({ summary: "They counted.", spent }),
};

for (const [name, end] of Object.entries(ENDINGS)) {
  Deno.test(`${name} counts what the response cost, and adds no message for it`, async () => {
    const store = memoryStore();
    const [plain, counted] = [store.create({ cwd: "/w" }), store.create({ cwd: "/w" })];
    for (const session of [plain, counted]) await session.turn("t").user("hi");
    await end(counted);
    const { usage, cost_usd, models, message_count } = counted.summary;
    assert.deepEqual([usage, cost_usd, models], [spent.usage, 0.5, ["m"]]);
    const { messages } = await counted.conversation();
    assert.equal(messages.length, name === "interrupted" ? 2 : 1);
    assert.equal(message_count, name === "interrupted" ? 2 : 1);
    const { transcript } = await store.load(counted.id);
    const said = transcript.filter(({ type }) => type === "message");
    assert.equal(said.length, name === "interrupted" ? 2 : 1);
    const projection = responseUsage();
    let state = projection.initial();
    for await (const events of store.events(counted.id)) {
      for (const event of events) state = projection.apply(state, event);
    }
    assert.deepEqual(projection.result(state).map(({ cost_usd }) => cost_usd), [0.5]);
  });
}

Deno.test("a response's cost is refused under names that would not be counted", async () => {
  const session = memoryStore().create({ cwd: "/w" });
  await session.turn().user("hi");
  const turn = session.turn();
  const wrong = { cost: 3 } as object;
  await assert.rejects(turn.interrupted("half", wrong), { code: "invalid-event", message: /cost/ });
  await assert.rejects(turn.fail("x", wrong), { code: "invalid-event", message: /cost/ });
  const usage = { tokens: 3 } as object;
  await assert.rejects(turn.fail("x", { usage }), { code: "invalid-event", message: /tokens/ });
  await assert.rejects(session.compact({ summary: "s", spent: wrong }), { code: "invalid-event" });
  assert.equal(session.last_seq, 2);
});

Deno.test("a cost without a value adds no event", async () => {
  const session = memoryStore().create({ cwd: "/w", app: { name: "a", version: "1" } });
  await session.turn().user("hi");
  // Types allow this unless TypeScript has `exactOptionalPropertyTypes`.
  await session.turn().fail("529", { usage: undefined, cost_usd: undefined } as object);
  assert.equal(session.last_seq, 3);
  const sub = session.subagent({ app: undefined } as object);
  await sub.turn().user("hi");
  assert.equal(sub.summary.app, "a");
});
