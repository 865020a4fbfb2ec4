/** Real-world fixtures, where they lie beside the repository. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { copilotAgent } from "../../../lib/agents/copilot/copilot_agent.ts";
import { accountSum } from "../../../lib/source/source_account.ts";
import { conversationOf, onlySession, payloadsOf, readAll } from "../../_support/agent_contract.ts";
import { sampleUrl, testRecorded } from "../../_support/samples.ts";

const SAMPLES = fileURLToPath(
  sampleUrl("copilot-cli/jazzyalex__agent-sessions"),
);

testRecorded(
  "every sample of Copilot CLI is recognized, read and accounted for",
  SAMPLES,
  async () => {
    let files = 0;
    for (const { name } of Deno.readDirSync(SAMPLES)) {
      const path = `${SAMPLES}/${name}`;
      const bytes = await Deno.readFile(path);
      assert.ok(copilotAgent.recognize(path, bytes.slice(0, 64 * 1024)), name);
      const session = await onlySession(copilotAgent, path);
      const { events, account, found } = await readAll(copilotAgent, session);
      assert.equal(account.events, bytes.length);
      assert.equal(accountSum(account), account.total);
      assert.deepEqual(found, [], name);
      assert.ok(events.every(({ form }) => form === "known"), name);
      const { messages } = await conversationOf(copilotAgent, session);
      assert.ok(messages.length > 0, name);
      assert.match((await copilotAgent.open(session).summarize())?.cwd ?? "", /^\/tmp\/\w+$/, name);
      files++;
    }
    assert.equal(files, 4);
  },
);

testRecorded("a sample's call that starts before its answer is told of once", SAMPLES, async () => {
  const path = `${SAMPLES}/Resources__Fixtures__stage0__agents__copilot__schema_drift.jsonl`;
  const session = await onlySession(copilotAgent, path);
  const { events } = await readAll(copilotAgent, session);
  assert.deepEqual(payloadsOf(events, "bash_start").map(({ call_id }) => call_id), ["call_1"]);
  const { messages, findings } = await conversationOf(copilotAgent, session);
  assert.deepEqual(messages.map(({ role }) => role), ["assistant", "tool", "assistant"]);
  assert.deepEqual(findings.map(({ code }) => code), ["orphan-settlement"]);
});
