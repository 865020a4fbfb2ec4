import assert from "node:assert/strict";
import { join } from "node:path";
import { clineAgent } from "../../../lib/agents/cline/cline_agent.ts";
import { makeHome } from "../../_support/agent_contract.ts";
import { placeOf } from "../../_support/agent_place.ts";
import {
  answer,
  call,
  NOW,
  prompt,
  said,
  START,
  testReadBack,
  testWriter,
  writerOf,
} from "../_written.ts";

const writer = await writerOf(clineAgent);

testWriter("a session of Cline", writer, {
  proven: true,
  images: ["png", "jpeg", "gif", "webp"],
});
testReadBack("a session of Cline", clineAgent, { updated_at: "2026-08-01T10:00:11.000Z" });

Deno.test("a session of Cline is a folder with a manifest that names the chosen model", async () => {
  const settings = { lastUsedProvider: "anthropic" };
  const providers = { anthropic: { settings: { model: "claude-opus-4-5" } } };
  await using home = await makeHome({
    ".cline/data/settings/providers.json": JSON.stringify({ ...settings, providers }),
  });
  const id = writer.newSessionId(NOW);
  assert.match(id, /^1795415415250_[0-9a-f]{5}$/);
  const place = placeOf("cline", home.environment);
  const placed = writer.place(place, { ...START, id, title: "T" }, "/tmp");
  const folder = join(home.path, ".cline/data/sessions", id);
  assert.equal(placed.path, join(folder, `${id}.messages.json`));
  assert.deepEqual(placed.prepare, [["cline", "history", "--json", "--limit", "1"]]);
  const [manifest] = placed.beside ?? [];
  assert.equal(manifest?.path, join(folder, `${id}.json`));
  const told = JSON.parse(manifest?.text ?? "");
  assert.deepEqual([told.session_id, told.provider, told.model, told.cwd, told.metadata], [
    ...[id, "anthropic", "claude-opus-4-5", "/w"],
    { title: "T", handed_over_from: "codex:1" },
  ]);
});

Deno.test("each result in a session of Cline names its tool", async () => {
  const calls = [call(writer, "find", { output: [said("a")] }), call(writer, "look")];
  const messages = [prompt(said("Look")), answer("", calls), answer("Done")];
  const session = { ...START, messages: ReadableStream.from(messages) };
  const place = placeOf("cline", { home: "/nowhere", os: "linux", variable: () => undefined });
  const text = (await Array.fromAsync(writer.write(session, place))).join("");
  const document = JSON.parse(text);
  const blocks = document.messages.flatMap(({ content }: { content: unknown[] }) => content);
  const results = blocks.filter(({ type }: { type: string }) => type === "tool_result");
  assert.deepEqual(results.map(({ name }: { name: string }) => name), ["find", "look"]);
});
