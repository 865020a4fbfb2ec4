/** A conversation that is made shorter: by hand, by itself, and what the model gets then. */
import { eventually } from "../../_support/eventually.ts";
import assert from "node:assert/strict";
import { Chat } from "../../../lib/features/chat/chat.ts";
import { mockModel } from "../../../lib/features/chat/models/mock_model.ts";
import type { ModelClient, ModelResponse } from "../../../lib/features/chat/models/model.ts";
import {
  clientOf,
  conversationOf,
  DIALECTS,
  kindsIn,
  logOf,
  rebuilt,
  requestAfter,
  seenIn,
  withScene,
} from "./_chatting.ts";

for (const dialect of DIALECTS) {
  Deno.test(`/compact: a summary and the last turn take the place of all (${dialect})`, async () => {
    const script = [
      { text: "First answer.", reasoning: "Hm.", signature: "s" },
      { text: "Second answer." },
      { text: "They talked twice." },
      { text: "Third." },
      { text: "Fourth." },
    ];
    await withScene(dialect, script, async ({ options, screen, server }) => {
      const chat = await Chat.start(options);
      await chat.submit("one");
      await chat.submit("two");
      assert.deepEqual(await chat.compact("keep the numbers"), { result: "applied" });
      const asked = JSON.stringify(server.bodies[2]);
      assert.match(asked, /First answer\./);
      assert.match(asked, /keep the numbers/);
      assert.equal(server.bodies[2]?.tools, undefined);

      const path = logOf(chat);
      const expected = await requestAfter(path, "three", dialect);
      await chat.submit("three");
      assert.deepEqual(conversationOf(server.bodies[3]), expected);
      assert.match(JSON.stringify(expected), /They talked twice\..*two.*Second answer\..*three/);
      assert.doesNotMatch(JSON.stringify(expected), /First answer/);
      assert.deepEqual(screen.items, await seenIn(path));
      const line = screen.items.find(({ type }) => type === "compaction");
      assert.ok(line?.type === "compaction" && line.trigger === "manual");
      assert.equal(line.summary, "They talked twice.");
      await chat.close();

      const resumed = await Chat.resume(chat.status().session_id ?? "", options);
      assert.deepEqual(resumed.messages(), chat.messages());
      await resumed.submit("four");
      await resumed.close();
    });
  });
}

Deno.test("near the window's end it compacts by itself, in the middle of a turn as well", async () => {
  const script = [
    { text: "Some.", usage: { input: 500, output: 5 } },
    {
      calls: [{ id: "c", name: "bash", input: { command: "echo hi" } }],
      usage: { input: 900, output: 9 },
    },
    { text: "All said so far." },
    { text: "Done." },
  ];
  await withScene("openai", script, async ({ options, screen, server }) => {
    const model = clientOf(server, {}, 1000);
    const chat = await Chat.start({ ...options, model, tools: [] });
    await chat.submit("one");
    assert.equal(await chat.submit("two"), "completed");
    assert.deepEqual(screen.codes(), ["compacting"]);
    const path = logOf(chat);
    const kinds = (await kindsIn(path)).slice(4);
    assert.deepEqual(kinds, [
      "user_message",
      "assistant_message",
      // There is no such tool: nothing began.
      "tool_end",
      "compaction_applied",
      "assistant_message",
      "workspace_snapshot",
    ]);
    assert.match(JSON.stringify(server.bodies[3]), /All said so far\.[^]*two/);
    assert.deepEqual(chat.messages(), (await rebuilt(path)).messages);
    await chat.close();
  });
});

Deno.test("a conversation that the server finds too long is compacted, and asked again", async () => {
  const too_long = { status: 400, body: "prompt is too long: 210000 tokens > 200000 maximum" };
  const script = [{ text: "One." }, too_long, { text: "Short." }, { text: "Now it fits." }];
  await withScene("anthropic", script, async ({ options, screen, server }) => {
    const chat = await Chat.start(options);
    await chat.submit("one");
    assert.equal(await chat.submit("two"), "completed");
    assert.deepEqual(screen.codes(), ["compacting"]);
    assert.equal(server.asked.length, 4);
    await chat.close();
  });
});

Deno.test("a summary that fails, or is stopped, changes nothing", async () => {
  const script = [{ text: "One." }, { status: 400, body: "no" }, {
    text: "a b c",
    broken: "silent" as const,
  }];
  await withScene("openai", script, async ({ options, server }) => {
    const chat = await Chat.start(options);
    assert.deepEqual(await chat.compact(), { result: "nothing" });
    await chat.submit("one");
    const before = chat.messages();
    const failed = await chat.compact();
    assert.equal(failed.result, "failed");
    assert.match(failed.message ?? "", /status 400: no/);
    const stop = new AbortController();
    const stopped = chat.compact(undefined, { signal: stop.signal });
    await eventually(() => server.asked.length >= 3);
    stop.abort();
    assert.deepEqual(await stopped, { result: "cancelled" });
    assert.deepEqual(chat.messages(), before);
    await chat.close();
  });
});

Deno.test("a compaction that does not help is not made again before every request", async () => {
  const call = { calls: [{ id: "c", name: "fly", input: {} }], usage: { input: 900, output: 9 } };
  const refused = { status: 400, body: "no summary" };
  await withScene(
    "openai",
    [call, refused, call, call, {}],
    async ({ options, screen, server }) => {
      const chat = await Chat.start({ ...options, model: clientOf(server, {}, 1000), tools: [] });
      assert.equal(await chat.submit("one"), "completed");
      assert.deepEqual(screen.codes(), ["compacting", "compaction-failed"]);
      assert.equal(server.asked.length, 5);
      await chat.close();
    },
  );
});

Deno.test("a resumed chat uses the present model, and reports a changed branch", async () => {
  await withScene("openai", [{ text: "From the server." }], async ({ options, screen, work }) => {
    const git = (...args: string[]): void => {
      new Deno.Command("git", { args, cwd: work, stdout: "null", stderr: "null" }).outputSync();
    };
    git("init", "--initial-branch=first");
    const chat = await Chat.start(options);
    await chat.submit("one");
    await chat.close();
    assert.equal(chat.status().git_branch, "first");
    git("symbolic-ref", "HEAD", "refs/heads/second");
    const resumed = await Chat.resume(chat.status().session_id ?? "", {
      ...options,
      model: mockModel({ steps: [{ text: "From the mock." }] }),
    });
    assert.deepEqual(screen.codes(), ["branch-changed"]);
    assert.match(screen.notices[0]?.message ?? "", /first.*second/);
    assert.ok(resumed.status().context_estimated && resumed.status().context_used > 0);
    await resumed.submit("two");
    await resumed.close();
    const models = screen.items.flatMap((item) => item.type === "message" ? [item.model] : []);
    assert.deepEqual(models, [undefined, "served-model", undefined, "mock"]);
  });
});

Deno.test("without a provider's count, answers and interrupted texts take room too", async () => {
  const stop = new AbortController();
  const long = "word ".repeat(100);
  const answers = [{ text: long }, { text: long, delay_ms: 1 }];
  await withScene("openai", [], async ({ options, screen }) => {
    const mock = mockModel({ steps: answers });
    const model: ModelClient = {
      ...mock,
      async complete(request, given): Promise<ModelResponse> {
        const { context_used: _, ...response } = await mock.complete(request, given);
        return response;
      },
    };
    const chat = await Chat.start({ ...options, model });
    const used = [chat.status().context_used];
    await chat.submit("one");
    used.push(chat.status().context_used);
    const before = screen.live.length;
    screen.onLive = (live) => live.length > before + 200 ? stop.abort() : undefined;
    assert.equal(await chat.submit("two", { signal: stop.signal }), "cancelled");
    used.push(chat.status().context_used);
    await chat.close();
    const [empty = 0, answered = 0, interrupted = 0] = used;
    assert.ok(answered - empty > long.length / 4, `${used}`);
    assert.ok(interrupted - answered > 200 / 4, `${used}`);
  });
});
