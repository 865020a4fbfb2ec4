/** A chat keeps what was said and done, and asks for what the log says. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { Chat } from "../../../lib/features/chat/chat.ts";
import type { Permit } from "../../../lib/features/chat/chat_options.ts";
import { conversationOf, DIALECTS, logOf, rebuilt, requestAfter, withScene } from "./_chatting.ts";

Deno.test("nothing is on disk before the first message, and a chat without one leaves nothing", async () => {
  await withScene("openai", [], async ({ options, store }) => {
    const chat = await Chat.start(options);
    assert.equal(chat.status().on_disk, false);
    await chat.rename("A title");
    await chat.close();
    assert.deepEqual(await store.list(), []);

    const other = await Chat.start(options);
    await other.rename("A title");
    await other.submit("hi");
    assert.equal(other.status().on_disk, true);
    await other.close();
    const [row] = await store.list();
    assert.deepEqual([row?.title, row?.status, row?.message_count], ["A title", "completed", 2]);
  });
});

for (const dialect of DIALECTS) {
  Deno.test(`a resumed chat asks what it would have asked had it never stopped (${dialect})`, async () => {
    const script = [
      {
        text: "Two files.",
        reasoning: "Which ones?",
        signature: "sig",
        calls: [
          { id: "c1", name: "read", input: { path: "a.txt" } },
          { id: "c2", name: "read", input: { path: "gone.txt" } },
          { id: "c3", name: "bash", input: { command: "exit 3", summary: "Fails" } },
        ],
      },
      { text: "Done.", reasoning: "So it is.", signature: "sig2" },
      { calls: [{ id: "c1", name: "write", input: { path: "b.txt", content: "1\n2\n" } }] },
      { text: "Written." },
    ];
    await withScene(dialect, [...script, ...script], async ({ options, server, work, store }) => {
      await Deno.writeTextFile(join(work, "a.txt"), "x\n");
      const stopping = await Chat.start(options);
      await stopping.submit("Read both");
      await stopping.close();
      const second = await Chat.resume(stopping.status().session_id ?? "", options);
      await second.submit("Write one");
      const path = logOf(second);
      await second.close();
      await Deno.remove(join(work, "b.txt"));
      const expected = await requestAfter(path, "And then?", dialect);
      assert.equal(server.bodies.length, 4);

      const whole = await Chat.start(options);
      await whole.submit("Read both");
      await whole.submit("Write one");
      for (let index = 0; index < 4; index++) {
        assert.deepEqual(server.bodies[index + 4], server.bodies[index], `request ${index}`);
      }
      await whole.submit("And then?");
      assert.deepEqual(conversationOf(server.bodies[8]), expected);
      await whole.close();

      const again = await Chat.resume(second.status().session_id ?? "", options);
      await again.submit("And then?");
      assert.deepEqual(server.bodies[9], server.bodies[8]);
      await again.close();
      assert.equal((await store.list()).length, 2);
    });
  });
}

Deno.test("thinking goes back to Anthropic with its signature, and to OpenAI where it calls", async () => {
  const answer = {
    reasoning: "Hm, so.",
    signature: "sig-1",
    calls: [{ id: "c1", name: "read", input: { path: "x" } }],
  };
  await withScene("anthropic", [answer], async ({ options, server }) => {
    const chat = await Chat.start(options);
    await chat.submit("go");
    await chat.close();
    const [thinking] = server.bodies[1]?.messages[1]?.content as unknown[];
    assert.deepEqual(thinking, { type: "thinking", thinking: "Hm, so.", signature: "sig-1" });
  });
  await withScene("openai", [answer], async ({ options, server }) => {
    const chat = await Chat.start(options);
    await chat.submit("go");
    await chat.close();
    assert.equal(server.bodies[1]?.messages[2]?.reasoning_content, "Hm, so.");
  });
});

Deno.test("a question holds the whole command, and a long one is asked about every time", async () => {
  const long = `true ${"x".repeat(9000)}; echo end`;
  const tall = `true${"\n".repeat(300)}echo end`;
  const commands = ["echo a\necho b", long, tall, long, "echo c"];
  const steps = commands.flatMap((command, index) => [
    { calls: [{ id: `${index}`, name: "bash", input: { command, summary: "Nothing" } }] },
    {},
  ]);
  await withScene("openai", steps, async ({ options, screen }) => {
    const chat = await Chat.start(options);
    screen.answer = "always";
    for (const command of commands) await chat.submit(command.slice(0, 9));
    await chat.close();
    const [first, ...others] = screen.requests;
    assert.deepEqual([first?.asked, first?.left_out], ["echo a\necho b", 0]);
    assert.equal(others.length, 3, "what was said always holds for what can be read whole");
    for (const [index, whole] of [long, tall, long].entries()) {
      const { asked = "", left_out = 0 } = others[index] ?? {};
      assert.ok(whole.startsWith(asked) && asked.length < whole.length);
      assert.equal(asked.length + left_out, whole.length);
    }
  });
});

Deno.test("an `always` for a command that was cut in the question holds for nothing", async () => {
  const commands = [`true ${"x".repeat(9000)}`, "echo short"];
  const steps = commands.flatMap((command, index) => [
    { calls: [{ id: `${index}`, name: "bash", input: { command } }] },
    {},
  ]);
  await withScene("openai", steps, async ({ options, screen }) => {
    const chat = await Chat.start(options);
    screen.answer = "always";
    for (const command of commands) await chat.submit(command.slice(0, 9));
    await chat.close();
    assert.deepEqual(screen.requests.map(({ left_out }) => left_out > 0), [true, false]);
  });
});

Deno.test("the time of a call is the tool's alone, and one that was not made has none", async () => {
  const call = (id: string): { id: string; name: string; input: unknown } => ({
    id,
    name: "bash",
    input: { command: "exit 0" },
  });
  await withScene(
    "openai",
    [{ calls: [call("1")] }, {}, { calls: [call("2")] }, {}],
    async ({ options, screen }) => {
      const began = performance.now();
      const permit: Permit = () => {
        const answer = screen.permissions.push("asked") === 1 ? "yes" : "no";
        return new Promise((resolve) => setTimeout(() => resolve(answer), 50));
      };
      const chat = await Chat.start({ ...options, permit });
      await chat.submit("one");
      const turn_ns = (performance.now() - began) * 1e6;
      await chat.submit("two");
      await chat.close();
      const [made, refused] = screen.items.filter((item) => item.type === "bash");
      const took_ns = made?.duration_ns ?? 0;
      assert.ok(took_ns > 0 && took_ns < turn_ns - 5e7, `${took_ns} of ${turn_ns}`);
      assert.deepEqual([refused?.status, refused?.duration_ns], ["skipped", undefined]);
    },
  );
});

Deno.test("without saving nothing is written, and the chat works all the same", async () => {
  await withScene("openai", [], async ({ options, store, server, directory }) => {
    const chat = await Chat.start({ ...options, save: false });
    await chat.submit("one");
    await chat.submit("two");
    assert.equal(server.bodies[1]?.messages.length, 4);
    assert.equal(chat.status().session_id, undefined);
    await chat.close();
    assert.deepEqual(await store.list(), []);
    assert.deepEqual([...Deno.readDirSync(directory)].map(({ name }) => name), ["work"]);
  });
});

Deno.test("a fork goes on from here, and the session before it stays as it was", async () => {
  await withScene("openai", [], async ({ options, store, server }) => {
    const chat = await Chat.start(options);
    await chat.submit("one");
    const first = chat.status().session_id ?? "";
    const path = logOf(chat);
    const forked = await chat.fork();
    assert.notEqual(forked, first);
    assert.equal(chat.status().session_id, forked);
    const before = await rebuilt(path);
    await chat.submit("two");
    await chat.close();
    assert.deepEqual(await rebuilt(path), before);
    assert.equal(server.bodies[1]?.messages.length, 4);
    const rows = await store.list();
    assert.deepEqual(rows.map(({ parent }) => parent?.session_id).sort(), [first, undefined]);
  });
});

Deno.test("a session with another writer is locked, and its fork continues", async () => {
  await withScene("openai", [], async ({ options, server }) => {
    const chat = await Chat.start(options);
    await chat.submit("one");
    const id = chat.status().session_id ?? "";
    await assert.rejects(Chat.resume(id, options), { name: "SessionError", code: "locked" });
    const fork = await Chat.forkFrom(id, options);
    await fork.submit("two");
    assert.deepEqual(server.bodies[1]?.messages.length, 4);
    await fork.close();
    await chat.submit("three");
    await chat.close();
  });
});

Deno.test("one turn at a time, and none after the end", async () => {
  await withScene("openai", [], async ({ options }) => {
    const chat = await Chat.start(options);
    const first = chat.submit("one");
    await assert.rejects(chat.submit("two"), /the model is still answering; wait/);
    assert.equal(await first, "completed");
    await chat.close();
    await chat.close();
    await assert.rejects(chat.submit("three"), /the chat is closed/);
  });
});

Deno.test("a call whose input nests deeper than a log can hold is kept as text, and refused", async () => {
  let input: unknown = {};
  for (let level = 0; level < 600; level++) input = { path: input };
  const script = [{ calls: [{ id: "c1", name: "read", input }] }, { text: "I see." }];
  await withScene("openai", script, async ({ options, screen }) => {
    const chat = await Chat.start(options);
    assert.equal(await chat.submit("Read it"), "completed");
    const [tool] = screen.items.filter(({ type }) => type === "tool");
    assert.ok(tool?.type === "tool" && tool.status === "error");
    assert.equal(tool.input, JSON.stringify(input));
    await chat.close();
  });
});
