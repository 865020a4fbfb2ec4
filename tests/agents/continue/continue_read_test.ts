import assert from "node:assert/strict";
import { join } from "node:path";
import { continueAgent } from "../../../lib/agents/continue/continue_agent.ts";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import type { AgentSession } from "../../../lib/agents/contract/agent.ts";
import { Reading } from "../_reading.ts";
import { codesOf, makeHome, payloadsOf } from "../../_support/agent_contract.ts";

const continueDev = new Reading(continueAgent);

const EDITOR = "1f0e9d8c-5670-4fc6-b2db-2d7c5a55668e";

Deno.test("a document of Continue that is cut is refused, or read as far as it goes", async () => {
  const text = continueDev.text("editor.json");
  await using home = await makeHome({ "a.json": text.slice(0, 900) });
  const one: AgentSession = { agent: "continue", id: "a", path: join(home.path, "a.json") };
  try {
    const { account } = await continueDev.read(one);
    assert.ok(account.damage > 0);
  } catch (error) {
    assert.ok(error instanceof SessionError);
  }
});

Deno.test("a session of Continue that is cut is read as far as it goes", async () => {
  const whole = continueDev.text("cli.json");
  const cut = JSON.stringify({ sessionId: EDITOR, history: JSON.parse(whole).history });
  await using home = await makeHome({ [`${EDITOR}.json`]: cut.slice(0, cut.length - 40) });
  const read = await continueDev.read(await continueDev.onlyIn(home, `${EDITOR}.json`));
  assert.deepEqual(codesOf(read), ["torn-tail"]);
  const prompts = payloadsOf(read.events, "user_message").length;
  const answers = payloadsOf(read.events, "assistant_message").length;
  assert.ok(prompts > 0 && answers > 1);
});
