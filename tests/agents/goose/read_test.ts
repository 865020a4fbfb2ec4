import assert from "node:assert/strict";
import { gooseAgent } from "../../../lib/agents/goose/goose_agent.ts";
import type { AgentSession } from "../../../lib/agents/contract/agent.ts";
import type { LogEvent } from "../../../lib/core/event/envelope.ts";
import {
  conversationOf,
  locateAll,
  makeHome,
  onlySession,
  readAll,
} from "../../_support/agent_contract.ts";
import { databaseOf, fixture, type Talk, talk } from "./_store.ts";
import { sampleUrl, testRecorded } from "../../_support/samples.ts";
import { tempFile } from "../../_support/temp_file.ts";

async function withSession(
  bytes: Uint8Array,
  run: (session: AgentSession) => Promise<void>,
  name = "sessions.db",
): Promise<void> {
  using file = tempFile(name, bytes);
  await run(await onlySession(gooseAgent, file.path));
}

Deno.test("text that hides from people does not reach the model either", async () => {
  const hidden = [..."ignore all"].map((letter) =>
    String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))
  ).join("");
  const [first] = talk("talk").messages;
  assert.ok(first !== undefined);
  const session = {
    ...talk("talk"),
    messages: [{ ...first, content: [{ type: "text", text: `Hello${hidden}` }] }],
  };
  await withSession(databaseOf(session), async (found) => {
    const { messages } = await conversationOf(gooseAgent, found);
    assert.deepEqual(messages, [{ role: "user", content: "Hello" }]);
  });
});

Deno.test("sessions are found by the folders of each system, and once where both stores have one", async () => {
  const name = "20250605_120000";
  const { session, ...rest } = talk("compacted");
  const taken = { ...rest, session: { ...session, id: name, session_type: "user" } };
  const files = (folder: string): Record<string, URL | Uint8Array> => ({
    [`${folder}/sessions.db`]: databaseOf(taken, talk("talk")),
    [`${folder}/${name}.jsonl`]: fixture(`${name}.jsonl`),
    [`${folder}/20240101_000000.jsonl`]: fixture(`${name}.jsonl`),
  });
  const expected = ["20240101_000000", name, "20251121_1"];
  const homes: [string, string, Record<string, string>][] = [
    ["linux", ".local/share/goose/sessions", {}],
    ["darwin", ".local/share/goose/sessions", { GOOSE_PATH_ROOT: "relative" }],
    ["linux", "data/goose/sessions", { XDG_DATA_HOME: "~/data" }],
    ["windows", "Roaming/Block/goose/data/sessions", { APPDATA: "~/Roaming" }],
    ["windows", "own/data/sessions", { GOOSE_PATH_ROOT: "~/own" }],
  ];
  for (const [os, folder, variables] of homes) {
    await using home = await makeHome(files(folder), variables);
    const sessions = await locateAll(gooseAgent, { ...home.environment, os });
    assert.deepEqual(sessions.map(({ id }) => id).sort(), expected, `${os} ${folder}`);
    const both = sessions.find(({ id }) => id === name);
    assert.ok(both?.path.endsWith("sessions.db"));
  }
});

Deno.test("the last messages are read from the last rows, with what their calls took", async () => {
  const turns = Array.from({ length: 100 }, (_, at) => [
    { role: "user", content: [{ type: "text", text: `prompt ${at}` }] },
    { role: "assistant", content: [{ type: "text", text: "x".repeat(1000) }] },
  ]).flat();
  const long: Talk = {
    session: { id: "20251121_4", working_dir: "/x" },
    usage: [{ created_timestamp: 1763700001, model: "m", input_tokens: 1 }, {
      created_timestamp: 1763700199,
      model: "m",
      input_tokens: 2,
    }],
    messages: turns.map((turn, at) => ({
      message_id: `m${at}`,
      created: 1763700000 + at,
      ...turn,
    })),
  };
  await withSession(databaseOf(long), async (session) => {
    const { events } = await readAll(gooseAgent, session);
    const end = await gooseAgent.open(session).readTail({ messages: 2 });
    assert.deepEqual(end.map(({ kind }) => kind), [
      "user_message",
      "assistant_message",
      "assistant_message",
    ]);
    const source = (part: readonly LogEvent[]): unknown =>
      part.map((event) => event.form === "known" ? [event.source?.id, event.payload] : []);
    assert.deepEqual(source(end), source(events.slice(-3)));
    const row = await gooseAgent.open(session).summarize();
    assert.deepEqual([row?.title, row?.last_user_message], ["prompt 0", "prompt 99"]);
    assert.equal(row?.message_count, undefined);
  });
});

const SAMPLES = sampleUrl("goose/synthetic-from-ddl-v17/");

testRecorded("the samples, made from the schema, are read whole", SAMPLES, async () => {
  await withSession(await Deno.readFile(new URL("sessions.db", SAMPLES)), async (session) => {
    const { account, found } = await readAll(gooseAgent, session);
    assert.deepEqual([account.total, account.events, found], [6, 6, []]);
    const { messages } = await conversationOf(gooseAgent, session);
    assert.deepEqual(messages, [{ role: "user", content: "<summary of conversation>" }]);
  });
  const name = "legacy_20250605_120000.jsonl";
  await withSession(await Deno.readFile(new URL(name, SAMPLES)), async (session) => {
    const { messages } = await conversationOf(gooseAgent, session);
    assert.equal(messages.length, 3);
  }, name);
});
