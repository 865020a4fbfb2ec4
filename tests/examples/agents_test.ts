/** The examples are agents that work: they call, they keep, and they go on where they stopped. */
import assert from "node:assert/strict";
import { MockLanguageModelV4 } from "npm:ai@7.0.173/test";
import { toMessages } from "../../mod.ts";
import { ModelServer } from "../_support/model_servers.ts";
import { withStore } from "../_support/temp_directory.ts";
import { aiSdkAgent } from "./ai_sdk_agent.ts";
import { fetchAgent } from "./fetch_agent.ts";
import { openAiAgentsAgent } from "./openai_agents_agent.ts";

Deno.test("the agent on fetch calls its tool, and goes on in the same session", async () => {
  await using server = new ModelServer("openai", [
    { calls: [{ id: "c1", name: "now", input: {} }] },
    { text: "It is late." },
    { text: "Good night." },
  ]);
  await withStore(async (store) => {
    const { url } = server;
    const ref = await fetchAgent({ store, url, prompt: "What time is it?" });
    const before = (await store.load(ref)).messages;
    assert.deepEqual(before.map(({ role }) => role), ["user", "assistant", "tool", "assistant"]);
    assert.equal(await fetchAgent({ store, url, prompt: "Thanks", ref }), ref);
    const asked = [...before, { role: "user" as const, content: "Thanks" }];
    assert.deepEqual(server.bodies[2]?.messages, toMessages(asked, "openai").messages);
    const [row] = await store.list();
    assert.deepEqual([row?.title, row?.turn_count, row?.status], [
      "What time is it?",
      2,
      "completed",
    ]);
  });
});

/** A model that calls once in its life, then only talks. */
function callingModel(): MockLanguageModelV4 {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  };
  let asked = 0;
  return new MockLanguageModelV4({
    doGenerate: () => {
      const first = asked++ === 0;
      const input = JSON.stringify({ path: "a.txt" });
      return Promise.resolve({
        content: first
          ? [{ type: "tool-call", toolCallId: "c1", toolName: "size", input }]
          : [{ type: "text", text: "Done." }],
        finishReason: { unified: first ? "tool-calls" : "stop", raw: undefined },
        usage,
        warnings: [],
      });
    },
  });
}

Deno.test("the agent on the AI SDK calls its tool, and goes on in the same session", async () => {
  const model = callingModel();
  await withStore(async (store) => {
    const ref = await aiSdkAgent({ store, model, prompt: "How long is a.txt?" });
    const { messages } = await store.load(ref);
    assert.deepEqual(messages.map(({ role }) => role), ["user", "assistant", "tool", "assistant"]);
    await aiSdkAgent({ store, model, prompt: "Again", ref });
    assert.deepEqual(model.doGenerateCalls.map(({ prompt }) => prompt.length), [1, 3, 5]);
    assert.equal((await store.load(ref)).messages.length, 6);
  });
});

Deno.test("the agent on OpenAI Agents calls its tool, and goes on in the same session", async () => {
  await using server = new ModelServer("openai", [
    { calls: [{ id: "c1", name: "now", input: {} }] },
    { text: "It is noon." },
    { text: "Good night." },
  ]);
  await withStore(async (store) => {
    const { url } = server;
    const ref = await openAiAgentsAgent({ store, url, prompt: "What time is it?" });
    const before = (await store.load(ref)).messages;
    assert.deepEqual(before.map(({ role }) => role), ["user", "assistant", "tool", "assistant"]);
    assert.equal(await openAiAgentsAgent({ store, url, prompt: "Thanks", ref }), ref);
    const [instructions, ...sent] = server.bodies[2]?.messages ?? [];
    assert.equal(instructions?.role, "system");
    assert.deepEqual(sent.map(({ role }) => role), [
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
    assert.equal(JSON.stringify(sent[2]?.content).includes("noon"), true);
    const [row] = await store.list();
    assert.deepEqual([row?.title, row?.turn_count, row?.status], [
      "What time is it?",
      2,
      "completed",
    ]);
  });
});

/** Lines that name what Reprise has: its modules, store, sessions and turns. */
function linesThatNameReprise(source: string): string[] {
  const code = source.replaceAll(/\/\*[^]*?\*\//g, "");
  const names = /mod\.ts"|\b(?:[Ss]tore|[Ss]ession|[Tt]urn|agentsSession)\b/;
  return code.split("\n").filter((line) => names.test(line));
}

Deno.test("the examples need at most 25, 20 and 10 lines that name Reprise", async () => {
  const most = { fetch_agent: 25, ai_sdk_agent: 20, openai_agents_agent: 10 };
  for (const [name, count] of Object.entries(most)) {
    const source = await Deno.readTextFile(new URL(`${name}.ts`, import.meta.url));
    const lines = linesThatNameReprise(source);
    assert.ok(lines.length <= count, `${name}: ${lines.length}\n${lines.join("\n")}`);
    assert.ok(lines.length >= 5, `${name}: nothing was counted`);
  }
  const sample = '/** A session. */\nimport type { X } from "../../mod.ts";\nawait turn.user(a);\n';
  assert.equal(linesThatNameReprise(`${sample}const a = 1;\nreturn b;\n`).length, 2);
});
