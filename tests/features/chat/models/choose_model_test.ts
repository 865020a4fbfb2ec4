/** Which model is chosen, and what is said when none is. */
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  chooseModel,
  type ModelChoice,
} from "../../../../lib/features/chat/models/choose_model.ts";
import { ModelServer } from "../../../_support/model_servers.ts";
import { testData } from "../../../_support/test_data.ts";
import { inDirectory } from "../../../_support/temp_directory.ts";

/** Where nobody listens. */
const NOBODY = "http://127.0.0.1:9";

async function chosen(
  env: Record<string, string>,
  more: Partial<ModelChoice> = {},
): Promise<string> {
  const variables: Record<string, string> = { OLLAMA_HOST: NOBODY, ...env };
  const variable = (name: string): string | undefined => variables[name];
  const { provider, model, context_limit } = await chooseModel({ variable, ...more });
  return `${provider}:${model} ${context_limit}`;
}

Deno.test("the environment names the model, and the user wins over it", async () => {
  const cases = testData<
    { env: Record<string, string>; choice?: Partial<ModelChoice>; chosen: string }[]
  >("chat/chosen_models.json");
  for (const { env, choice, chosen: expected } of cases) {
    assert.equal(await chosen(env, choice), expected);
  }
});

Deno.test("a server that is named without a model is asked which it has; Ollama is found", async () => {
  await using server = new ModelServer("openai");
  assert.equal(await chosen({ OPENAI_BASE_URL: server.url }), "openai:served-model 9000");
  const { host } = new URL(server.url);
  assert.equal(await chosen({ OLLAMA_HOST: host }), "ollama:served-model 32768");
  const named = await chosen({ OLLAMA_HOST: host, OLLAMA_CONTEXT_LENGTH: "4096" }, {
    model: "ollama:qwen3:8b",
  });
  assert.equal(named, "ollama:qwen3:8b 4096");
});

Deno.test("without a model the three ways to set one are told", async () => {
  await assert.rejects(chosen({}), (error: Error & { code?: string }) => {
    assert.equal(error.code, "invalid-config");
    const ways = ["OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "Ollama", "mock"];
    for (const way of ways) {
      assert.ok(error.message.includes(way), way);
    }
    return true;
  });
  await assert.rejects(chosen({}, { model: "anthropic" }), /set ANTHROPIC_API_KEY/);
  await assert.rejects(chosen({}, { model: "openai:m" }), /set OPENAI_API_KEY/);
  await assert.rejects(chosen({ OPENAI_BASE_URL: NOBODY }), /set OPENAI_MODEL/);
});

inDirectory.test("a scripted model answers from its file, then follows commands in the prompt", async (directory) => {
  const path = join(directory, "script.json");
  await Deno.writeTextFile(path, JSON.stringify([{ text: "First." }]));
  const variable = (): undefined => undefined;
  const model = await chooseModel({ variable, model: `mock:${path}` });
  const ask = async (content: string): Promise<string> => {
    const tools = [{ name: "bash", description: "", parameters: {} }];
    const { text, calls } = await model.complete({
      messages: [{ role: "user", content }],
      tools,
    });
    return `${text} ${calls.map(({ name }) => name)}`;
  };
  assert.equal(await ask("hi"), "First. ");
  assert.equal(await ask("hi"), "You said: hi ");
  assert.equal(await ask("run ls"), "I run it. bash");
  assert.equal(await ask("read a b"), " read,read");
  await assert.rejects(ask("fail"), { name: "ModelError", code: "server" });
  await assert.rejects(ask("cut"), { code: "cut-stream" });
  await Deno.writeTextFile(path, "no script");
  await assert.rejects(chooseModel({ variable, model: `mock:${path}` }), {
    code: "invalid-config",
  });
  await assert.rejects(chooseModel({ variable, model: "mock:gone" }), { code: "invalid-config" });
});
