/** Chats that Gemini CLI itself wrote, and others. Skipped where they are not at hand. */
import assert from "node:assert/strict";
import { outputText } from "../../../lib/event/audience.ts";
import { geminiAgent } from "../../../lib/agents/gemini/gemini_agent.ts";
import { isFault } from "../../../lib/log/diagnostic.ts";
import { toMessages } from "../../../lib/shape/message_shape.ts";
import { conversationOf, onlySession, payloadsOf, readAll } from "../../_support/agent_contract.ts";
import { aiSdkFaults, anthropicFaults, openAiFaults } from "../../_support/provider_rules.ts";
import { inShort } from "../_in_short.ts";
import { needing, recorded } from "../../_support/needing.ts";
import { sampleUrl } from "../../_support/samples.ts";

const SAMPLES = sampleUrl("gemini-cli/");

function chats(folder: URL): URL[] {
  try {
    return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
      if (isDirectory) return chats(new URL(`${name}/`, folder));
      const chat = /\.jsonl?$/.test(name) && !/projects|schema_drift/.test(name);
      return chat ? [new URL(name, folder)] : [];
    });
  } catch {
    // NotFound: no samples here.
    return [];
  }
}

const FILES = chats(SAMPLES);

Deno.test({
  ...needing(
    "each sample of Gemini CLI is read whole, and providers take its conversation",
    recorded(FILES.length > 0),
  ),
  async fn(): Promise<void> {
    assert.ok(FILES.length >= 10);
    for (const { pathname } of FILES) {
      assert.ok(geminiAgent.recognize(pathname, await Deno.readFile(pathname)), pathname);
      const session = await onlySession(geminiAgent, pathname);
      const { events, found, account } = await readAll(geminiAgent, session);
      assert.equal(account.total, Deno.statSync(pathname).size, pathname);
      const faults = found.filter(({ code }) => isFault(code));
      assert.equal(faults.length, pathname.endsWith("foreign-accepted-minimal.jsonl") ? 1 : 0);
      assert.ok(events.length > 0 && events.every(({ form }) => form === "known"));
      const { messages, findings } = await conversationOf(geminiAgent, session);
      assert.deepEqual(findings.filter(({ code }) => code === "orphan-settlement"), []);
      assert.deepEqual(openAiFaults(toMessages(messages, "openai")), []);
      assert.deepEqual(anthropicFaults(toMessages(messages, "anthropic")), []);
      assert.deepEqual(aiSdkFaults(toMessages(messages, "ai-sdk")), []);
    }
  },
});

Deno.test({
  ...needing(
    "the chat that Gemini CLI 0.61 resumed holds each turn once",
    recorded(FILES.length > 0),
  ),
  async fn(): Promise<void> {
    const path = new URL("self-generated-0.61.0/resumed-same-minute.jsonl", SAMPLES).pathname;
    const session = await onlySession(geminiAgent, path);
    const { messages } = await conversationOf(geminiAgent, session);
    assert.deepEqual(inShort(messages), [
      ["user", "USETOOL please ünïcode"],
      ["assistant", ["text", "tool_call"]],
      ["tool", ["tool_result"]],
      ["assistant", "mock reply 7 ünï"],
      ["user", "second turn"],
      ["assistant", "mock reply 8 ünï"],
    ]);
    const { events, account } = await readAll(geminiAgent, session);
    assert.deepEqual(
      payloadsOf(events, "bash_end").map(({ output = "" }) => outputText(output, "user")),
      ["one ✓"],
    );
    assert.equal(payloadsOf(events, "session_started")[0]?.cwd, "/home/dev/src/cc-proj");
    assert.ok(account.dead > 0);
  },
});
