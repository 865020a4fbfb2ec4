import assert from "node:assert/strict";
import { join } from "node:path";
import { opencodeAgent } from "../../../lib/agents/opencode/opencode_agent.ts";
import { toMessages } from "../../../lib/text/shape/message_shape.ts";
import { conversationOf, onlySession, readAll } from "../../_support/agent_contract.ts";
import { openAiFaults } from "../../_support/provider_rules.ts";
import { sampleUrl, testRecorded } from "../../_support/samples.ts";
import { tempFile } from "../../_support/temp_file.ts";

const SAMPLES = sampleUrl("opencode/");
const OWN = "self-generated-1.18.34";

/** A sample in a folder of its own, for samples may not be writable. */
async function withSample(name: string, run: (path: string) => Promise<void>): Promise<void> {
  const bytes = await Deno.readFile(new URL(name, SAMPLES));
  using file = tempFile(name.split("/").at(-1) ?? "", bytes);
  await run(file.path);
}

const DATABASE = `${OWN}/opencode.db`;

testRecorded(
  "the database that OpenCode 1.18.34 wrote is read whole",
  new URL(DATABASE, SAMPLES),
  () =>
    withSample(DATABASE, async (path) => {
      const sessions = await opencodeAgent.sessionsIn(path);
      assert.deepEqual(sessions.map(({ id }) => id), [
        "ses_2aaaaaaaaffeTESTaaaaaaaaaa",
        "ses_e00272354ffeZbzwbNP6bpvEk6",
        "ses_e0026571effe4EZ2MngmKgjVKu",
        "ses_e00269d60ffekZyFJYkkUexw08",
      ]);
      const rows: [number, number][] = [];
      for (const session of sessions) {
        const { found, account } = await readAll(opencodeAgent, session);
        assert.deepEqual(found, []);
        rows.push([account.total, account.events]);
        const row = await opencodeAgent.open(session).summarize({ exact: true });
        // What the agent itself sums up in its row of the session.
        if (session.id === "ses_e00269d60ffekZyFJYkkUexw08") {
          assert.equal(row?.title, "Renamed ünïcode");
          assert.equal(row?.usage?.input, 50);
          assert.equal(row?.usage?.output, 100);
          assert.equal(row?.cost_usd?.toFixed(5), "0.00165");
        }
      }
      assert.deepEqual(rows, [[6, 6], [24, 5], [59, 17], [104, 20]]);
    }),
);

testRecorded(
  "the export of OpenCode 1.18.34 says what its database says",
  new URL(DATABASE, SAMPLES),
  () =>
    withSample(DATABASE, (database) =>
      withSample(`${OWN}/export.json`, async (path) => {
        const session = await onlySession(opencodeAgent, path);
        const stored = { ...session, path: database };
        const { messages } = await conversationOf(opencodeAgent, session);
        assert.deepEqual(messages, (await conversationOf(opencodeAgent, stored)).messages);
        assert.deepEqual(messages, [
          { role: "user", content: "What did we do so far?" },
          {
            role: "assistant",
            content: "mock reply 5: <summary>mock compact summary of the talk</summary>",
          },
          { role: "user", content: '"after compact"' },
          { role: "assistant", content: "mock reply 6: ok done" },
        ]);
        const one = await readAll(opencodeAgent, session);
        const other = await readAll(opencodeAgent, stored);
        assert.deepEqual(
          one.events.map(({ kind, seq }) => [kind, seq]),
          other.events.map(({ kind, seq }) => [kind, seq]),
        );
      })),
);

testRecorded("older files of other versions are read", new URL(DATABASE, SAMPLES), async () => {
  const folder = await Deno.makeTempDir();
  const prefix = "jazzyalex__agent-sessions";
  for (const { name } of Deno.readDirSync(new URL(`${prefix}/`, SAMPLES))) {
    // The sample's name is its path in its repository, with `__` for the separators.
    const path = name.replace("Resources__Fixtures__stage0__agents__opencode__", "")
      .replaceAll("__", "/");
    await Deno.mkdir(join(folder, path, ".."), { recursive: true });
    await Deno.copyFile(new URL(`${prefix}/${name}`, SAMPLES), join(folder, path));
  }
  const read = async (path: string): Promise<string[]> => {
    const session = await onlySession(opencodeAgent, join(folder, path));
    const { events, found } = await readAll(opencodeAgent, session, { unit: "rows" });
    assert.deepEqual(found, []);
    const { messages } = await conversationOf(opencodeAgent, session);
    assert.deepEqual(openAiFaults(toMessages(messages, "openai")), []);
    return events.map(({ kind }) => kind);
  };
  assert.deepEqual(await read("storage_v2/session/proj_test/ses_s_stage0_small.json"), [
    "session_started",
    "user_message",
    "assistant_message",
    "tool_end",
  ]);
  const large = await read("storage_v2/session/proj_test/ses_s_stage0_large.json");
  assert.ok(large.includes("assistant_interrupted"));
  await Deno.remove(folder, { recursive: true });
});
