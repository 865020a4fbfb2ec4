import assert from "node:assert/strict";
import type { LogEvent } from "../../lib/core/event/envelope.ts";
import type { Agent, AgentSession } from "../../lib/agents/contract/agent.ts";
import { MAIN_THREAD, type SessionThread } from "../../lib/core/projection/session_thread.ts";
import { readAll } from "../_support/agent_contract.ts";
import { agentFiles } from "../_support/agent_files.ts";

/** Agents whose threads are tested with their readers. */
const ELSEWHERE: ReadonlySet<string> = new Set(["claude", "codex"]);

function sourceIds(events: readonly LogEvent[]): Set<string> {
  return new Set(
    events.flatMap((event) => event.form === "known" ? event.source?.id ?? [] : []),
  );
}

async function idsByThread(
  agent: Agent,
  session: AgentSession,
  threads: readonly SessionThread[],
): Promise<Map<string, Set<string>>> {
  const ids = new Map<string, Set<string>>();
  for (const { id } of threads) {
    const { events } = await readAll(agent, session, { thread: id });
    ids.set(id, sourceIds(events));
  }
  return ids;
}

/** The ids of a file's records of the talk, as its agent gives them, where it is of that form. */
function recordIds(
  agent: string,
  path: string,
  side: Readonly<Record<string, number>>,
): string[] | undefined {
  const key = { pi: "id", qwen: "uuid" }[agent];
  if (key === undefined || !path.endsWith(".jsonl")) return undefined;
  return Deno.readTextFileSync(path).split("\n").flatMap((line) => {
    try {
      const record = JSON.parse(line.replace(/^\ufeff/, ""));
      const own = record.type !== "session" && !((record.subtype ?? record.type) in side);
      return own && typeof record[key] === "string" ? [record[key]] : [];
    } catch {
      // Damaged: it may hold none.
      return [];
    }
  });
}

// Slow: each thread of each agent's fixtures is read.
Deno.test("every record of a session is on one of its threads, each of which can be read", async () => {
  let sides = 0;
  let records = 0;
  for await (const { agent, session } of agentFiles()) {
    if (ELSEWHERE.has(agent.name)) continue;
    const threads = await agent.open(session).threads();
    const where = `${agent.name} ${session.path}`;
    assert.deepEqual(
      threads.map(({ kind }) => kind === "main"),
      threads.map((_, at) => at === 0),
      where,
    );
    assert.equal(threads[0]?.id, MAIN_THREAD, where);
    const ids = threads.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length, where);
    const found = await idsByThread(agent, session, threads);
    const shown = (await readAll(agent, session)).events.filter(({ kind }) => kind !== "extension");
    const main = sourceIds(shown);
    for (const { id, parent, records } of threads.slice(1)) {
      sides++;
      // In a sample all ids were made one.
      if (id.startsWith("[trimmed")) continue;
      assert.ok(parent === undefined || ids.includes(parent.thread), where);
      assert.ok(records > 0, where);
      const own = [...found.get(id) ?? []].filter((one) => !main.has(one));
      assert.ok(own.length > 0, `${where}: thread ${id} says nothing of its own`);
    }
    const all = new Set([...found.values()].flatMap((own) => [...own]));
    const { account } = await readAll(agent, session);
    for (const id of recordIds(agent.name, session.path, account.side) ?? []) {
      records++;
      assert.ok(all.has(id), `${where}: ${id} is on no thread`);
    }
  }
  assert.ok(sides > 3 && records > 50, `${sides} threads, ${records} records`);
});
