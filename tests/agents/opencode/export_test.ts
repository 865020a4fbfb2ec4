import assert from "node:assert/strict";
import { join } from "node:path";
import { opencodeAgent } from "../../../lib/agents/opencode/opencode_agent.ts";
import type { LogEvent } from "../../../lib/core/event/envelope.ts";
import { isDamage } from "../../../lib/core/log/diagnostic.ts";
import { accountSum } from "../../_support/account_sum.ts";
import { conversationOf, cutsOf, onlySession, readAll } from "../../_support/agent_contract.ts";
import { databaseOf, exported } from "./_store.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

/** What events say, without where they came from. */
function said(events: readonly LogEvent[]): unknown[] {
  return events.map((event) =>
    event.form === "known" ? [event.seq, event.kind, event.time, event.payload] : event
  );
}

inDirectory.test("an export says what the database says, whether it is written in lines or in one", async (folder) => {
  for (const name of ["small", "compaction"]) {
    const session = exported(name);
    const database = join(folder, `${name}.db`);
    await Deno.writeFile(database, databaseOf(session));
    const whole = await readAll(opencodeAgent, await onlySession(opencodeAgent, database));
    for (const indent of [0, 2]) {
      const path = join(folder, `${name}.${indent}.json`);
      await Deno.writeTextFile(path, JSON.stringify(session, null, indent));
      const head = (await Deno.readFile(path)).slice(0, 65536);
      assert.ok(opencodeAgent.recognize(path, head));
      const found = await onlySession(opencodeAgent, path);
      assert.equal(found.id, session.info.id);
      assert.equal(found.cwd, session.info.directory);
      const { events, account } = await readAll(opencodeAgent, found);
      assert.deepEqual(said(events), said(whole.events));
      assert.equal(account.total, (await Deno.stat(path)).size);
      assert.equal(account.events, account.total);
      const row = await opencodeAgent.open(found).summarize();
      assert.equal(
        row?.title,
        (await opencodeAgent.open(found).summarize({ exact: true }))?.title,
      );
    }
  }
});

inDirectory.test("parts of all kinds come out of an export as out of the database", async (folder) => {
  const path = join(folder, "export.json");
  await Deno.writeTextFile(path, JSON.stringify(exported("everything"), null, 2));
  const database = join(folder, "opencode.db");
  await Deno.writeFile(database, databaseOf(exported("everything")));
  const { messages } = await conversationOf(
    opencodeAgent,
    await onlySession(opencodeAgent, path),
  );
  const stored = await conversationOf(opencodeAgent, await onlySession(opencodeAgent, database));
  assert.deepEqual(messages, stored.messages);
  assert.ok(messages.length > 8);
});

/** Reads a file whatever is in it: all bytes are accounted for, and damage is reported. */
async function readWhole(path: string): Promise<LogEvent[]> {
  const session = { agent: "opencode" as const, id: "ses_small", path };
  const { events, account, found } = await readAll(opencodeAgent, session);
  assert.equal(account.total, (await Deno.stat(path)).size);
  assert.equal(accountSum(account), account.total);
  const damage = found.filter(({ code }) => isDamage(code));
  assert.equal(damage.reduce((sum, { length }) => sum + length, 0), account.damage);
  return events;
}

inDirectory.test("an export that is cut at any byte is read as far as it goes", async (folder) => {
  for (const indent of [0, 2]) {
    const path = join(folder, `cut.${indent}.json`);
    const text = JSON.stringify(exported("small"), null, indent);
    let most = 0;
    for (const length of cutsOf(new TextEncoder().encode(text), path)) {
      await Deno.writeTextFile(path, text.slice(0, length));
      const events = await readWhole(path);
      if (length === text.length) most = events.length;
      assert.ok(events.length <= most);
      // The first message is whole long before the end.
      if (length > text.length - 20) assert.ok(events.length >= 2);
    }
    assert.equal(most, 3);
  }
});

inDirectory.test("damage to one message of an export costs that message alone", async (folder) => {
  const path = join(folder, "export.json");
  const text = JSON.stringify(exported("compaction"), null, 2);
  const said = [..."one two three four".split(" "), "answer one", "answer two"];
  for (const word of said) {
    for (const [old, bad] of [[`"${word}"`, `"${word}`], [`"${word}"`, `"${word}"}`]]) {
      await Deno.writeTextFile(path, text.replace(old as string, bad as string));
      const events = await readWhole(path);
      const texts = events.flatMap((event) =>
        event.form === "known" && "content" in event.payload ? [event.payload.content] : []
      );
      for (const other of said) {
        assert.equal(texts.includes(other), other !== word, `${other} beside ${word}`);
      }
    }
  }
});

Deno.test("an export with the message missing, and a text, are none of OpenCode's", () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  assert.ok(!opencodeAgent.recognize("/x/a.json", bytes('{"info":{"id":"x"},"messages":[]}')));
  assert.ok(!opencodeAgent.recognize("/x/a.json", bytes('{"messages":[{"role":"user"}]}')));
  assert.ok(!opencodeAgent.recognize("/x/a.db", bytes("SQLite format 3\0")));
});
