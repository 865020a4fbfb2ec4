/** Real-world fixtures, where they lie beside the repository. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { qwenAgent } from "../../../lib/agents/qwen/qwen_agent.ts";
import { accountSum } from "../../../lib/source/source_account.ts";
import { conversationOf, onlySession, readAll } from "../../_support/agent_contract.ts";
import { sampleUrl, testRecorded } from "../../_support/samples.ts";

const SAMPLES = fileURLToPath(
  sampleUrl("qwen-code/jazzyalex__agent-sessions"),
);
const PREFIX = "Resources__Fixtures__stage0__agents__qwen__019f0000-0000-7000-8000-00000000000";

testRecorded(
  "every sample of Qwen Code is recognized, read and accounted for",
  SAMPLES,
  async () => {
    let files = 0;
    for (const { name } of Deno.readDirSync(SAMPLES)) {
      const path = `${SAMPLES}/${name}`;
      const bytes = await Deno.readFile(path);
      assert.ok(qwenAgent.recognize(path, bytes.slice(0, 64 * 1024)), name);
      const { events, account } = await readAll(qwenAgent, await onlySession(qwenAgent, path));
      assert.ok(events.length > 1, name);
      assert.equal(account.total, bytes.length);
      assert.equal(accountSum(account), account.total);
      files++;
    }
    assert.equal(files, 6);
  },
);

testRecorded("a sample with a rewind and fragments gives its live branch", SAMPLES, async () => {
  const session = await onlySession(qwenAgent, `${SAMPLES}/${PREFIX}4.jsonl`);
  const { messages } = await conversationOf(qwenAgent, session, { tools: "omit" });
  assert.deepEqual(messages, [
    { role: "user", content: "Begin the active-chain fixture." },
    { role: "user", content: "Continue from the rewound branch." },
    { role: "assistant", content: "Active branch answer." },
  ]);
  const row = await qwenAgent.open(session).summarize();
  assert.deepEqual([row?.title, row?.cwd, row?.models], [
    "Active branch title",
    "/tmp/as-qwen-fixture/old-project",
    ["synthetic-active-model"],
  ]);
});

testRecorded("a sample with two records on one line gives both", SAMPLES, async () => {
  const session = await onlySession(qwenAgent, `${SAMPLES}/${PREFIX}5.jsonl`);
  assert.equal((await conversationOf(qwenAgent, session)).messages.length, 2);
});
