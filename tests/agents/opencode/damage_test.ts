import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { opencodeAgent } from "../../../lib/agents/opencode/opencode_agent.ts";
import type { AgentSession } from "../../../lib/agents/contract/agent.ts";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { onlySession, readAll } from "../../_support/agent_contract.ts";
import { databaseOf, exported } from "./_store.ts";
import { type TempFile, tempFile } from "../../_support/temp_file.ts";

interface Made extends TempFile {
  session: AgentSession;
}

async function withDatabase(bytes: Uint8Array, run: (made: Made) => Promise<void>): Promise<void> {
  using file = tempFile("opencode.db", bytes);
  await run({ ...file, session: await onlySession(opencodeAgent, file.path) });
}

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
