/** OpenClaw's sessions in its databases: schema 23 of 2026.9.6, as far as it is read. */
import assert from "node:assert/strict";
import { zstdCompressSync } from "node:zlib";
import { openclawAgent } from "../../../lib/agents/pi/openclaw/openclaw_agent.ts";
import {
  conversationOf,
  locateAll,
  makeHome,
  payloadsOf,
  readAll,
  testAgentContract,
} from "../../_support/agent_contract.ts";
import { databaseBytes } from "../../_support/database_bytes.ts";

const ID = "847d19de-2763-4aa5-b1ca-5c743dcfaa9d";
const FILE = ".openclaw/agents/main/agent/openclaw-agent.sqlite";
const LINES = new URL("../../../testdata/agents/pi/openclaw.jsonl", import.meta.url);

const SCHEMA = `
CREATE TABLE session_nodes (session_key TEXT PRIMARY KEY, current_session_id TEXT, label TEXT,
  display_name TEXT, archived_at INTEGER);
CREATE TABLE session_windows (session_id TEXT PRIMARY KEY, session_key TEXT, updated_at INTEGER);
CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER,
  event_zstd BLOB, PRIMARY KEY (session_id, seq));
CREATE TABLE transcript_event_identities (session_id TEXT, event_id TEXT, seq INTEGER,
  event_type TEXT, parent_id TEXT, PRIMARY KEY (session_id, event_id));`;

type Entry = Record<string, unknown> & { type: string; id: string };

function entriesOf(text: string): Entry[] {
  return text.trim().split("\n").map((line) => JSON.parse(line) as Entry);
}

const ENTRIES = entriesOf(await Deno.readTextFile(LINES));

/** Two prompts beside the branch that the last leaf chooses. */
const BRANCHED: Entry[] = [
  ...ENTRIES,
  ...["left", "also left"].map((content, at): Entry => ({
    ...{ type: "message", id: `left${at}`, timestamp: "2026-11-27T15:31:00.000Z" },
    parentId: at === 0 ? ENTRIES.at(-1)?.id : "left0",
    message: { role: "user", content },
  })),
  {
    ...{ type: "leaf", id: "leaf", parentId: "left1", targetId: ENTRIES.at(-1)?.id },
    timestamp: "2026-11-27T15:32:00.000Z",
  },
  {
    ...{ type: "message", id: "right", parentId: "leaf" },
    timestamp: "2026-11-27T15:33:00.000Z",
    message: { role: "user", content: "right" },
  },
];

interface Stored {
  entries?: readonly Entry[];
  label?: string;
  compressed?: number;
  change?: (bytes: Uint8Array) => Uint8Array;
}

function databaseOf(
  { entries = ENTRIES, label, compressed, change = (bytes) => bytes }: Stored = {},
): Uint8Array {
  return databaseBytes((database) => {
    database.exec(SCHEMA);
    const put = (table: string, ...values: (string | number | null | Uint8Array)[]): void => {
      const marks = values.map(() => "?").join(", ");
      database.prepare(`INSERT INTO ${table} VALUES (${marks})`).run(...values);
    };
    put("session_nodes", "agent:main:main", ID, label ?? null, null, null);
    put("session_windows", ID, "agent:main:main", 1795792963817);
    put("session_windows", "empty", "agent:main:main", 1);
    for (const [seq, entry] of entries.entries()) {
      const json = JSON.stringify(entry);
      if (seq !== compressed) put("transcript_events", ID, seq, json, seq, null);
      else put("transcript_events", ID, seq, null, seq, change(zstdCompressSync(json)));
      const parent = typeof entry.parentId === "string" ? entry.parentId : null;
      put("transcript_event_identities", ID, entry.id, seq, entry.type, parent);
    }
  });
}

testAgentContract("openclaw in its database", {
  agent: openclawAgent,
  files: { [FILE]: databaseOf({ entries: BRANCHED }) },
  ids: [ID],
  unit: "rows",
});

Deno.test("a session in a database reads as it did in its file, which it replaces", async () => {
  await using home = await makeHome({
    [FILE]: databaseOf(),
    [`.openclaw/agents/main/sessions/${ID}.jsonl`]: LINES,
    [`.openclaw/agents/work/sessions/${ID}.jsonl`]: LINES,
  });
  const [database, file, ...more] = await locateAll(openclawAgent, home.environment);
  assert.ok(database !== undefined && file !== undefined && more.length === 0);
  assert.match(database.path, /main.*sqlite$/);
  assert.match(file.path, /work.*jsonl$/);
  const messages = await Promise.all(
    [database, file].map(async (session) =>
      (await conversationOf(openclawAgent, session)).messages
    ),
  );
  assert.deepEqual(messages[0], messages[1]);
  assert.equal(messages[0]?.length, 2);
});

Deno.test("entries beside the active branch are another thread", async () => {
  await using home = await makeHome({ [FILE]: databaseOf({ entries: BRANCHED, label: "Named" }) });
  const [session] = await locateAll(openclawAgent, home.environment);
  assert.ok(session !== undefined);
  const reader = openclawAgent.open(session);
  const threads = await reader.threads();
  assert.deepEqual(
    threads.map(({ id, kind, records, title }) => [id, kind, records, title]).slice(1),
    [["left0", "branch", 2, "left"]],
  );
  const said = async (thread?: string): Promise<unknown[]> => {
    const { events } = await readAll(
      openclawAgent,
      session,
      thread === undefined ? {} : { thread },
    );
    return payloadsOf(events, "user_message").map(({ content }) => content);
  };
  assert.deepEqual(await said(), ["Say something", "And now?", "right"]);
  assert.deepEqual(await said("left0"), ["left", "also left"]);
  assert.equal((await reader.summarize())?.title, "Named");
});

Deno.test("a compressed entry is read; a damaged one is reported", async () => {
  const compressed = ENTRIES.findIndex((entry) => /"role":"assistant"/.test(JSON.stringify(entry)));
  const read = async (change?: (bytes: Uint8Array) => Uint8Array): Promise<unknown> => {
    const stored = change === undefined ? { compressed } : { compressed, change };
    await using home = await makeHome({ [FILE]: databaseOf(stored) });
    const [session] = await locateAll(openclawAgent, home.environment);
    assert.ok(session !== undefined);
    const { events, found, account } = await readAll(openclawAgent, session, { unit: "rows" });
    const answers = payloadsOf(events, "assistant_message").length;
    return [answers, account.damage, found.map(({ detail }) => detail)];
  };
  assert.deepEqual(await read((bytes) => bytes.subarray(0, 9)), [1, 1, [
    `entry ${compressed} is not JSON`,
  ]]);
  assert.deepEqual(await read(), [2, 0, []]);
});
