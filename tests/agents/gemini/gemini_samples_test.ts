/** Chats that Gemini CLI itself wrote, and others. Skipped where they are not at hand. */
import assert from "node:assert/strict";
import { outputText } from "../../../lib/event/audience.ts";
import { geminiAgent } from "../../../lib/agents/gemini/gemini_agent.ts";
import { isFault } from "../../../lib/log/diagnostic.ts";
import { payloadsOf } from "../../_support/agent_contract.ts";
import { inShort } from "../_in_short.ts";
import { Reading } from "../_reading.ts";
import { recordingsBelow, sampleUrl, testRecorded } from "../../_support/samples.ts";

const gemini = new Reading(geminiAgent);
const SAMPLES = sampleUrl("gemini-cli/");

const FILES = recordingsBelow(SAMPLES.pathname, /\.jsonl?$/)
  .filter((path) => !/(?:projects|schema_drift)[^/]*$/.test(path));

testRecorded(
  "each sample of Gemini CLI is read whole, and providers take its conversation",
  SAMPLES,
  async () => {
    assert.ok(FILES.length >= 10);
    for (const pathname of FILES) {
      assert.ok(geminiAgent.recognize(pathname, await Deno.readFile(pathname)), pathname);
      const session = await gemini.only(pathname);
      const { events, found, account } = await gemini.read(session);
      assert.equal(account.total, Deno.statSync(pathname).size, pathname);
      const faults = found.filter(({ code }) => isFault(code));
      assert.equal(faults.length, pathname.endsWith("foreign-accepted-minimal.jsonl") ? 1 : 0);
      assert.ok(events.length > 0 && events.every(({ form }) => form === "known"));
      const { messages, findings } = await gemini.conversation(session);
      assert.deepEqual(findings.filter(({ code }) => code === "orphan-settlement"), []);
      assert.deepEqual(await gemini.accepted(session), messages);
    }
  },
);

testRecorded("the chat that Gemini CLI 0.61 resumed holds each turn once", SAMPLES, async () => {
  const path = new URL("self-generated-0.61.0/resumed-same-minute.jsonl", SAMPLES).pathname;
  const session = await gemini.only(path);
  const { messages } = await gemini.conversation(session);
  assert.deepEqual(inShort(messages), [
    ["user", "USETOOL please ünïcode"],
    ["assistant", ["text", "tool_call"]],
    ["tool", ["tool_result"]],
    ["assistant", "mock reply 7 ünï"],
    ["user", "second turn"],
    ["assistant", "mock reply 8 ünï"],
  ]);
  const { events, account } = await gemini.read(session);
  assert.deepEqual(
    payloadsOf(events, "bash_end").map(({ output = "" }) => outputText(output, "user")),
    ["one ✓"],
  );
  assert.equal(payloadsOf(events, "session_started")[0]?.cwd, "/home/dev/src/cc-proj");
  assert.ok(account.dead > 0);
});
