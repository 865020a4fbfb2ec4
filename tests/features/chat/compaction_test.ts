/** A conversation that is made shorter: by hand, by itself, and what the model gets then. */
import { eventually } from "../../_support/eventually.ts";
import assert from "node:assert/strict";
import { Chat } from "../../../lib/features/chat/chat.ts";
import { mockModel } from "../../../lib/features/chat/models/mock_model.ts";
import type { ModelClient, ModelResponse } from "../../../lib/features/chat/models/model.ts";
import { withScene } from "./_chatting.ts";

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
