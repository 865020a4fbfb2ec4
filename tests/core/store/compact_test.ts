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
    [{ messages: [ORPHAN] }, /belongs to none of the tool calls: c9/],
    [
      { messages: [{ role: "user", content: "Go on" }, ORPHAN] },
      /belongs to none of the tool calls: c9/,
    ],
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

async function counted(): Promise<Session> {
  const session = memoryStore().create({ cwd: CWD });
  for (const word of ["one", "two", "three"]) {
    const turn = session.turn();
    await turn.user(word);
    await turn.assistant({ text: `${word}!` });
  }
  return session;
}

async function contents(session: Session): Promise<unknown[]> {
  return (await session.conversation()).messages.map(({ content }) => content);
}

Deno.test("a compaction that keeps from a summary is refused with the numbers that can be named", async () => {
  const session = await counted();
  await session.compact({ summary: "S1", keep_last: 4 });
  const said = ["S1", "two", "two!", "three", "three!"];
  assert.deepEqual(await contents(session), said);
  const { messages } = await session.conversation();
  assert.deepEqual(messages.map(({ summary }) => summary), [true, ...Array(4).fill(undefined)]);
  const [summary, two] = messages;
  const refused: [number, RegExp][] = [
    [
      summary?.seq ?? 0,
      /keep_from 8 is the summary.* of these messages: 4, 5, 6, 7; or keep .* keep_last: 4/,
    ],
    [
      2,
      /keep_from 2 is no longer in the conversation, because an earlier compaction replaced it.*: 4, 5, 6, 7/,
    ],
    [99, /keep_from 99 is not the number of an earlier message.*: 4, 5, 6, 7/],
  ];
  for (const [keep_from, message] of refused) {
    const options = { summary: "S2", keep_from };
    await assert.rejects(session.compact(options), { code: "invalid-event", message });
  }
  // As an event of its own, too.
  const payload = { status: "", summary: "S2", first_kept_seq: summary?.seq ?? 0 };
  await assert.rejects(session.append({ kind: "compaction_applied", payload }), {
    code: "invalid-event",
    message: /event 8 \(first_kept_seq\) is itself a compaction/,
  });
  assert.deepEqual(await contents(session), said);
  await session.compact({ summary: "S2", keep_from: two?.seq ?? 0 });
  assert.deepEqual(await contents(session), ["S2", "two", "two!", "three", "three!"]);
  await session.compact({ messages: [{ role: "user", content: "Go on" }] });
  await assert.rejects(session.compact({ summary: "S3", keep_from: 10 }), {
    message: /keep_from 10 is the summary.*there is no message to keep/,
  });
});

Deno.test("a compaction keeps as many last messages as it is told, and no result without its call", async () => {
  for (
    const [keep_last, kept] of [[1, ["three!"]], [2, ["three", "three!"]], [99, [
      ...["one", "one!", "two", "two!", "three", "three!"],
    ]]] as const
  ) {
    const session = await counted();
    await session.compact({ summary: "S", keep_last });
    assert.deepEqual(await contents(session), ["S", ...kept]);
    await session.compact({ summary: "S2", keep_last });
    assert.deepEqual(await contents(session), ["S2", ...kept]);
    await session.release();
  }
  const session = await begun();
  await session.turn().result("c1", { output: "one" });
  await session.compact({ summary: "S", keep_last: 1 });
  const { messages } = await session.conversation();
  assert.deepEqual(messages.map(({ role }) => role), ["user", "assistant", "tool"]);
  const empty = memoryStore().create({ cwd: CWD });
  await empty.compact({ summary: "S", keep_last: 3 });
  assert.deepEqual(await contents(empty), ["S"]);
});

Deno.test("a compaction keeps its tokens, its wish and who began it, and takes nothing else", async () => {
  const store = memoryStore();
  const session = store.create({ cwd: CWD });
  await session.turn().user("Hello");
  const more = {
    tokens_before: 9000,
    tokens_after: 400,
    guidance: "names",
    trigger: "auto",
  } as const;
  await session.compact({ summary: "S", ...more });
  const { transcript } = await store.load(session.id);
  const item = transcript.find(({ type }) => type === "compaction");
  assert.deepEqual({ ...item, ...more }, item);
  const refused: [object, RegExp][] = [
    [{ summary: "S", first_kept_seq: 2 }, /options\.first_kept_seq is not an option; .*keep_from/],
    [
      { summary: "S", keep_form: 2 },
      /options\.keep_form is not an option; did you mean keep_from\?/,
    ],
    [{ summary: "S", keep_from: 2, keep_last: 1 }, /both keep_from and keep_last/],
    [{ messages: [], keep_last: 1 }, /both messages and keep_last/],
    [{ summary: "S", keep_last: 0 }, /keep_last is not a whole number of at least 1/],
    [{ summary: "S", trigger: "user" }, /trigger is not one of manual, auto/],
    [{ summary: "S", tokens_before: -1 }, /tokens_before is negative/],
  ];
  for (const [options, message] of refused) {
    await assert.rejects(session.compact(options), { code: "invalid-event", message });
  }
});
