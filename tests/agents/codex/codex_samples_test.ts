/** Rollouts that Codex itself wrote: 0.169.0, and 0.40 in 2025. Skipped where they are not at hand. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { outputText } from "../../../lib/core/event/audience.ts";
import { codexAgent } from "../../../lib/agents/codex/codex_agent.ts";
import { isFault } from "../../../lib/core/log/diagnostic.ts";
import { locateAll, payloadsOf } from "../../_support/agent_contract.ts";
import { accountSum } from "../../_support/account_sum.ts";
import { foldEvents } from "../../../lib/core/projection/projection.ts";
import { transcript } from "../../../lib/core/projection/transcript/transcript.ts";
import { summary } from "../../../lib/core/projection/summary.ts";
import { Reading } from "../_reading.ts";
import { recordingsBelow, sampleUrl, testRecorded } from "../../_support/samples.ts";

const codex = new Reading(codexAgent);
const SAMPLES = sampleUrl("codex/");
const ROLLOUT = /rollout-.*\.jsonl$/;
const OWN = new URL("self-generated-0.169.0/", SAMPLES);

const PARENT = "01a1ffd4-7c73-7802-befb-d89adc0983f9";
const FORK = "01a1ffd4-8013-73b1-a9e7-822b38eb243f";

testRecorded(
  "each sample of Codex is read whole, and providers take its conversation",
  OWN,
  async () => {
    const files = recordingsBelow(fileURLToPath(SAMPLES), ROLLOUT);
    assert.ok(files.length >= 6);
    for (const path of files) {
      const head = (await Deno.readFile(path)).subarray(0, 64 * 1024);
      assert.ok(codexAgent.recognize(path, head), path);
      const session = await codex.only(path);
      const { events, found, account } = await codex.read(session);
      assert.equal(account.total, Deno.statSync(path).size);
      assert.equal(accountSum(account), account.total);
      const faults = found.filter(({ code }) => isFault(code));
      assert.equal(faults.length, path.includes("foreign") ? 1 : 0, path);
      assert.ok(events.every(({ form }) => form === "known"));
      const { messages, findings } = await codex.conversation(session);
      assert.ok(messages.length > 0);
      assert.deepEqual(findings.filter(({ code }) => code === "orphan-settlement"), []);
      assert.deepEqual(await codex.accepted(session), messages);
      const row = await codexAgent.open(session).summarize();
      const folded = foldEvents(summary(), events);
      for (const field of ["title", "first_user_message", "cwd", "updated_at"] as const) {
        assert.equal(row?.[field], folded[field], `${field} of ${path}`);
      }
    }
  },
);

testRecorded(
  "the thread that Codex 0.169 compacted goes on from its replacement history",
  OWN,
  async () => {
    const environment = {
      home: "/nowhere",
      os: Deno.build.os,
      variable: (name: string) => name === "CODEX_HOME" ? fileURLToPath(OWN) : undefined,
    };
    const sessions = await locateAll(codexAgent, environment);
    assert.deepEqual(sessions.map(({ id }) => id).sort(), [PARENT, FORK].sort());
    const [fork, parent] = sessions;
    assert.ok(parent?.archived && fork !== undefined && !fork.archived);
    const row = await codexAgent.open(parent).summarize();
    assert.deepEqual(
      [row?.title, row?.cwd, row?.archived, row?.first_user_message],
      ["My ünïcode name", "/home/dev/src/cc-proj", true, "USETOOL please ünïcode"],
    );
    const { messages } = await codex.conversation(parent);
    assert.deepEqual(messages.map(({ role }) => role), [
      ..."user system user user user user assistant user assistant".split(" "),
    ]);
    assert.deepEqual(messages.slice(-4).map(({ content }) => content), [
      "after compact",
      "mock reply 41 ünï ✓",
      "after rollback",
      "mock reply 42 ünï ✓",
    ]);
    const { events } = await codex.read(parent);
    assert.deepEqual(
      payloadsOf(events, "bash_end").map(({ exit_code, output = "" }) => [
        exit_code,
        outputText(output, "user"),
      ]),
      [
        [0, "one ✓\n"],
        [2, "ls: cannot access '/nonexistent': No such file or directory\n"],
      ],
    );
    const shown = foldEvents(transcript(), events).map(({ type }) => type);
    assert.deepEqual(shown, [
      ..."session attached attached attached message bash bash message message message compaction"
        .split(" "),
      ..."message message message message".split(" "),
    ]);
  },
);

testRecorded("the fork of Codex 0.169 goes on from the archived thread", OWN, async () => {
  const [path = ""] = recordingsBelow(fileURLToPath(new URL("sessions", OWN)), ROLLOUT);
  const session = await codex.only(path);
  const { messages } = await codex.conversation(session);
  assert.deepEqual(messages.slice(0, 3).map(({ role }) => role), ["system", "user", "user"]);
  assert.match(JSON.stringify(messages[0]), /<skills_instructions>/);
  assert.match(String(messages[1]?.content), /^<environment_context>/);
  assert.deepEqual(
    messages.slice(2).flatMap(({ role, content }) =>
      typeof content === "string" ? [[role, content]] : []
    ),
    [
      ["user", "USETOOL please ünïcode"],
      ["assistant", "mock reply 37 ünï ✓"],
      ["user", "second turn"],
      ["assistant", "mock reply 38 ünï ✓"],
      ["user", "forked turn"],
      ["assistant", "mock reply 39 ünï ✓"],
    ],
  );
  assert.equal((await codexAgent.open(session).summarize())?.title, "forked turn");
});
