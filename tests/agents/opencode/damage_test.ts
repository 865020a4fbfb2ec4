import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { opencodeAgent } from "../../../lib/agents/opencode/opencode_agent.ts";
import type { AgentSession } from "../../../lib/source/agent.ts";
import { SessionError } from "../../../lib/event/session_error.ts";
import { onlySession, readAll } from "../../_support/agent_contract.ts";
import { insert } from "../../_support/database_bytes.ts";
import { databaseOf, exported, schemaBytes } from "./_store.ts";
import { type TempFile, tempFile } from "../../_support/temp_file.ts";

interface Made extends TempFile {
  session: AgentSession;
}

async function withDatabase(bytes: Uint8Array, run: (made: Made) => Promise<void>): Promise<void> {
  using file = tempFile("opencode.db", bytes);
  await run({ ...file, session: await onlySession(opencodeAgent, file.path) });
}

function change(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

/** Rows that name the session, in all tables. */
function countRows(path: string, id: string): number {
  const database = new DatabaseSync(path);
  const tables: [string, string][] = [
    ["session", "id"],
    ["message", "session_id"],
    ["part", "session_id"],
    ["todo", "session_id"],
    ["event", "aggregate_id"],
    ["session_message", "session_id"],
  ];
  const rows = tables.map(([table, column]) =>
    database.prepare(`SELECT count(*) AS rows FROM ${table} WHERE ${column} = ?`).get(id)?.rows
  );
  database.close();
  return rows.reduce<number>((sum, count) => sum + Number(count), 0);
}

Deno.test("every row of a session is accounted for, in whichever table it lies", async () => {
  await withDatabase(databaseOf(exported("everything")), async ({ path, session }) => {
    change(
      path,
      `INSERT INTO todo VALUES ('ses_everything', 'Do it', 0), ('ses_other', 'Not ours', 0);
       INSERT INTO event VALUES ('evt_1', 'ses_everything', 1, 'session.created.1', '{}');
       INSERT INTO part VALUES ('prt_lost', 'msg_gone', 'ses_everything', 1, 1, '{"type":"text"}');`,
    );
    const { account } = await readAll(opencodeAgent, session);
    assert.equal(account.unit, "rows");
    assert.equal(account.total, countRows(path, "ses_everything"));
    assert.equal(account.dead, 1);
    assert.equal(account.side.todo, 1);
    assert.equal(account.side.event, 1);
    assert.equal(account.side["part/step-finish"], 3);
  });
});

Deno.test("a row whose JSON is broken is reported, and its neighbours are read", async () => {
  await withDatabase(databaseOf(exported("compaction")), async ({ path, session }) => {
    const whole = await readAll(opencodeAgent, session);
    change(path, "UPDATE part SET data = substr(data, 1, 9) WHERE id = 'prt_c02'");
    change(path, "UPDATE message SET data = 'null' WHERE id = 'msg_c05'");
    const { events, found, account } = await readAll(opencodeAgent, session);
    assert.deepEqual(found.map(({ code, length }) => [code, length]), [
      ["malformed-line", 1],
      ["malformed-line", 1],
    ]);
    assert.match(found[0]?.detail ?? "", /prt_c02/);
    assert.equal(account.damage, 2);
    assert.equal(account.total, countRows(path, "ses_compaction"));
    assert.ok(events.length >= whole.events.length - 1);
    // The text of the lost message is still there, though nobody knows who said it.
    const kept = events.find((event) => event.form === "known" && event.source?.id === "prt_c05");
    assert.equal(kept?.kind, "extension");
  });
});

Deno.test("cells that hold anything are taken for what they are", async () => {
  await withDatabase(databaseOf(exported("small")), async ({ path, session }) => {
    change(
      path,
      `UPDATE session SET time_created = 9223372036854775807, title = x'f0288cbc', revert = '[',
         time_archived = 'never';
       UPDATE message SET data = CAST('{"role":"user","time":7}' AS BLOB) WHERE id = 'msg_1';
       UPDATE part SET data = '{"type":"tool","state":[]}' WHERE id = 'prt_2';`,
    );
    const { events, found } = await readAll(opencodeAgent, session);
    assert.deepEqual(found, []);
    assert.deepEqual(events.map(({ kind }) => kind), [
      "session_started",
      "user_message",
      "assistant_message",
      "tool_end",
    ]);
  });
});

Deno.test("tables of other versions are read as far as they are known", async () => {
  const bytes = schemaBytes(["schema_drifted"], (database) => {
    insert(database, "session", { id: "ses_1", directory: "/x", title: "Drifted", mood: "fine" });
    insert(database, "message", {
      id: "msg_1",
      session_id: "ses_1",
      time_created: 1763700000000,
      data: '{"role":"user","time":{"created":1763700000000},"novelty":true}',
    });
    insert(database, "part", {
      id: "prt_1",
      message_id: "msg_1",
      data: '{"type":"text","text":"hi","novelty":true}',
    });
  });
  await withDatabase(bytes, async ({ session }) => {
    const { events, account } = await readAll(opencodeAgent, session);
    assert.deepEqual(events.map(({ kind }) => kind), ["session_started", "user_message"]);
    assert.equal(account.total, 3);
    assert.equal((await opencodeAgent.open(session).summarize())?.title, "Drifted");
  });
});

Deno.test("a session that is not in its database any more is not found", async () => {
  await withDatabase(databaseOf(exported("small")), async ({ session }) => {
    const gone = { ...session, id: "ses_gone" };
    await assert.rejects(
      readAll(opencodeAgent, gone),
      (error) => error instanceof SessionError && error.code === "not-found",
    );
    assert.equal((await readAll(opencodeAgent, session)).events.length, 3);
  });
});

Deno.test("pages that are overwritten cost what lies in them, and no more", async () => {
  const big = exported("everything");
  for (const { parts } of big.messages) {
    for (const part of parts) if (part.type === "text") part.text = `${part.text} `.repeat(400);
  }
  await withDatabase(databaseOf(big), async ({ path, session }) => {
    const bytes = await Deno.readFile(path);
    const whole = (await readAll(opencodeAgent, session)).events.length;
    let partial = 0;
    for (let page = 1; page * 4096 < bytes.length; page++) {
      const damaged = bytes.slice();
      damaged.fill(0xa5, page * 4096, (page + 1) * 4096);
      await Deno.writeFile(path, damaged);
      try {
        const { events, found } = await readAll(opencodeAgent, session);
        if (events.length > 2 && found.length > 0) partial++;
        assert.ok(events.length <= whole + found.length);
      } catch (error) {
        assert.ok(error instanceof SessionError, String(error));
      }
    }
    assert.ok(partial > 0);
  });
});

function listing(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => {
    const { size, mtime, mode } = Deno.statSync(join(folder, name));
    return `${name} ${size} ${mtime?.getTime()} ${mode}`;
  }).sort();
}

Deno.test("a database in use, or left by a crash, is read with its log and not touched", async () => {
  using live = tempFile("opencode.db", databaseOf(exported("small")));
  const writer = new DatabaseSync(live.path);
  writer.exec("PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0");
  writer.exec("UPDATE session SET title = 'Still in the log'");
  using crashed = tempFile("opencode.db", Deno.readFileSync(live.path));
  Deno.copyFileSync(`${live.path}-wal`, `${crashed.path}-wal`);
  for (const place of [live.folder, crashed.folder]) {
    const before = listing(place);
    const session = await onlySession(opencodeAgent, join(place, "opencode.db"));
    assert.equal((await readAll(opencodeAgent, session)).events.length, 3);
    assert.equal((await opencodeAgent.open(session).summarize())?.title, "Still in the log");
    assert.deepEqual(listing(place), before);
  }
  writer.close();
});

Deno.test("reading may be stopped, and the database is closed then", async () => {
  await withDatabase(databaseOf(exported("compaction")), async ({ session }) => {
    const stop = new AbortController();
    stop.abort();
    await assert.rejects(readAll(opencodeAgent, session, { signal: stop.signal }));
    for await (const events of opencodeAgent.open(session).read()) {
      assert.ok(events.length > 0);
      break;
    }
  });
});
