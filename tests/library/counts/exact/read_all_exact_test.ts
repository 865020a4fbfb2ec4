import assert from "node:assert/strict";
import { readAllExact } from "../../../../lib/library/counts/exact/read_all_exact.ts";
import type { AgentSession } from "../../../../lib/agents/contract/agent.ts";
import { keepPiSession } from "../../../commands/_pi_session.ts";
import { type CliHome, inHome } from "../../../_support/cli_home.ts";

/** Sessions of pi, and one that is not there. */
function sessionsIn(home: CliHome): AgentSession[] {
  const ids = Array.from({ length: 6 }, (_, index) => `${1000 + index}aaaa`);
  const sessions = ids.map((id): AgentSession => {
    return { agent: "pi", id, path: keepPiSession(home, id, `Question ${id}`).path };
  });
  return [...sessions, { agent: "pi", id: "gone", path: `${home.path}/gone.jsonl` }];
}

inHome.test("readAllExact gives what one thread reads, whoever reads it, and why it cannot", async (home) => {
  const sessions = sessionsIn(home);
  const alone = await readAllExact(sessions, { workers: 0 });
  assert.equal(alone.size, sessions.length);
  for (const session of sessions.slice(0, -1)) {
    const summary = alone.get(session)?.summary;
    assert.deepEqual([summary?.session_id, summary?.message_count], [session.id, 1]);
  }
  assert.equal(alone.get(sessions.at(-1) as AgentSession)?.error?.code, "not-found");
  const read: string[] = [];
  const onRead = ({ id }: AgentSession): unknown => read.push(id);
  const shared = await readAllExact(sessions, { workers: 2, onRead });
  assert.deepEqual(read.sort(), sessions.map(({ id }) => id).sort());
  for (const session of sessions) assert.deepEqual(shared.get(session), alone.get(session));
});

inHome.test("readAllExact reads what a thread took that died", async (home) => {
  const sessions = sessionsIn(home);
  const worker = new URL("_dying_worker.ts", import.meta.url);
  const reads = await readAllExact(sessions, { workers: 2, worker });
  assert.deepEqual(new Set(reads.keys()), new Set(sessions));
});
