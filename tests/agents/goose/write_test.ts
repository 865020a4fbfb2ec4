import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "npm:fast-check@4.10.2";
import { gooseAgent } from "../../../lib/agents/goose/goose_agent.ts";
import type { AgentSession } from "../../../lib/agents/contract/agent.ts";
import type { HandedMessage } from "../../../lib/agents/contract/session_writer.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import {
  anyMessages,
  failedOrNot,
  handedItems,
  nastyMessages,
  NOW,
  NOWHERE,
  prompt,
  readItems,
  rowOf,
  said,
  START,
  testWriter,
  textOf,
  writerOf,
} from "../_written.ts";
import { databaseOf, type Talk } from "./_store.ts";

const writer = await writerOf(gooseAgent);

/** A document that goose imports. */
interface Document {
  id: string;
  name: string;
  user_set_name: boolean;
  working_dir: string;
  created_at: string;
  conversation: { role: string; created: number; content: unknown[]; metadata: unknown }[];
}

async function documentOf(messages: readonly HandedMessage[], title?: string): Promise<Document> {
  const start = { ...START, ...(title === undefined ? {} : { title }) };
  const text = await textOf(writer, start, messages);
  assert.doesNotMatch(text, /[\u2028\u2029\r]|\n\n/);
  assert.ok(text.endsWith("\n]}\n"));
  return JSON.parse(text) as Document;
}

/** Reads a document from a database into which goose 1.52.0 took it: its rows are as here. */
async function inDatabase(
  { id, name, working_dir, created_at, conversation }: Document,
  use: (session: AgentSession) => Promise<void> | void,
): Promise<void> {
  const made_at = created_at.slice(0, 19).replace("T", " ");
  const talk: Talk = {
    session: { id, name, working_dir, created_at: made_at, updated_at: made_at },
    messages: conversation.map((message, at) => ({ message_id: `msg_${at}`, ...message })),
  };
  await withDirectory(async (folder) => {
    const path = join(folder, "sessions.db");
    await Deno.writeFile(path, databaseOf(talk));
    await use({ agent: "goose", id, path });
  });
}

// A database made by parsing keeps no numbers as they were written.
function withoutNumbers(item: string): string {
  return item.replace(/\{"id":.*/, "");
}

async function assertReadBack(messages: readonly HandedMessage[]): Promise<void> {
  await inDatabase(await documentOf(messages), async (session) => {
    const items = handedItems(messages, { result: failedOrNot });
    const read = await readItems(gooseAgent, session);
    assert.deepEqual(read.map(withoutNumbers), items.map(withoutNumbers));
  });
}

testWriter("a document for goose", writer);

Deno.test("a document for goose reads back as what was handed over", async () => {
  await assertReadBack(nastyMessages(writer));
});

// Slow: each random conversation is in a database of its own.
Deno.test("any conversation reads back from a document for goose", async () => {
  await fc.assert(fc.asyncProperty(anyMessages(writer), assertReadBack), { numRuns: 12, seed: 67 });
});

Deno.test("a session for goose has its title, or one that goose may replace", async () => {
  const titled = await documentOf([prompt(said("Hello"))], "The title");
  assert.deepEqual([titled.name, titled.user_set_name], ["The title", true]);
  const untitled = await documentOf([prompt(said("Hello"))]);
  assert.deepEqual([untitled.name, untitled.user_set_name], ["Handed over from codex:1", false]);
  await inDatabase(titled, async (session) => {
    const { title, cwd, created_at } = await rowOf(gooseAgent, session);
    assert.deepEqual([title, cwd, created_at], ["The title", "/w", "2026-08-01T10:00:00.000Z"]);
  });
  assert.deepEqual((await documentOf([])).conversation, []);
});

Deno.test("goose takes the document by its import, and names the session itself", () => {
  const id = writer.newSessionId(NOW);
  const { path, named_by, ...placed } = writer.place(NOWHERE, { ...START, id }, "/tmp/x");
  assert.match(path, /^\/tmp\/x\/handed-over-new-[0-9a-f]{12}\.json$/);
  assert.deepEqual(placed, {
    prepare: [["goose", "session", "import", path]],
    kept_in: "/home/nobody/agent/sessions/sessions.db",
    remove: ["goose", "session", "remove", "--session-id", id],
  });
  // Output of 1.52.0.
  const printed = "Detected format: goose\nSession imported:\n20261127_3 - My title\n";
  assert.equal(named_by?.exec(printed)?.[1], "20261127_3");
});

Deno.test("the calls of a session in goose are found as they were", async () => {
  const messages = nastyMessages(writer);
  await inDatabase(await documentOf(messages), (session) => {
    const originalOf = writer.handedOriginals?.(session);
    const calls = messages.flatMap((one) => one.role === "assistant" ? one.calls : []);
    assert.ok(calls.length > 6);
    for (const { id, original } of calls) {
      const found = originalOf?.(id) as { from: string; calls: Record<string, { name: string }> };
      assert.deepEqual([found.from, found.calls[id]?.name], ["codex:1", original.name]);
    }
    assert.equal(originalOf?.("call_of_goose"), undefined);
  });
  assert.equal(
    writer.handedOriginals?.({ agent: "goose", id: "1", path: "/a.jsonl" })("c"),
    undefined,
  );
});
