/** Cold rollouts, which Codex compresses. */
import assert from "node:assert/strict";
import { zstdCompressSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { codexAgent } from "../../../lib/agents/codex/codex_agent.ts";
import { conversation } from "../../../lib/core/projection/conversation/conversation.ts";
import { foldEvents } from "../../../lib/core/projection/projection.ts";
import { locateAll, makeHome, onlySession, readAll } from "../../_support/agent_contract.ts";
import { fixture } from "./_codex_home.ts";

const NAME =
  ".codex/sessions/2026/03/01/rollout-2026-03-01T09-00-00-01a1aaaa-0000-7000-8000-000000000002.jsonl";
const PLAIN = await Deno.readFile(fixture("paginated.jsonl"));

Deno.test("a compressed rollout gives the events of the plain one", async () => {
  await using home = await makeHome({ [`${NAME}.zst`]: zstdCompressSync(PLAIN) });
  const [session] = await locateAll(codexAgent, home.environment);
  assert.ok(session !== undefined && session.path.endsWith(".zst"));
  const head = (await Deno.readFile(session.path)).subarray(0, 64 * 1024);
  assert.ok(codexAgent.recognize(session.path, head));
  const plain = await readAll(
    codexAgent,
    await onlySession(codexAgent, fileURLToPath(fixture("paginated.jsonl"))),
  );
  const { events, account } = await readAll(codexAgent, session);
  assert.deepEqual(events, plain.events);
  assert.equal(account.total, PLAIN.length, "offsets and bytes are those before compression");
  const row = await codexAgent.open(session).summarize();
  assert.equal(row?.last_user_message, "Look around.");
  const tail = await codexAgent.open(session).readTail({ messages: 1 });
  assert.deepEqual(
    foldEvents(conversation({ tools: "omit" }), tail ?? []).messages.at(-1),
    { role: "assistant", content: "Nothing much." },
  );
});

Deno.test("the plain file wins over its compressed sibling", async () => {
  const other = new TextEncoder().encode(new TextDecoder().decode(PLAIN).replace("Look", "Not"));
  await using home = await makeHome({ [`${NAME}.zst`]: zstdCompressSync(other), [NAME]: PLAIN });
  const sessions = await locateAll(codexAgent, home.environment);
  assert.deepEqual(sessions.map(({ path }) => path.endsWith(".jsonl")), [true]);
});

Deno.test("a compressed rollout that is damaged is read as far as it goes", async () => {
  const whole = zstdCompressSync(PLAIN);
  for (const cut of [whole.length - 1, whole.length >> 1, 10, 0]) {
    await using home = await makeHome({ [`${NAME}.zst`]: whole.subarray(0, cut) });
    const [session] = await locateAll(codexAgent, home.environment);
    assert.ok(session !== undefined);
    const { events, account, found } = await readAll(codexAgent, session);
    assert.ok(events.length <= 10);
    assert.equal(account.damage, found.reduce((sum, { length }) => sum + length, 0));
    await codexAgent.open(session).summarize();
  }
  const noise = new Uint8Array([
    ...whole.subarray(0, 4),
    ...crypto.getRandomValues(new Uint8Array(99)),
  ]);
  await using home = await makeHome({ [`${NAME}.zst`]: noise });
  const [session] = await locateAll(codexAgent, home.environment);
  assert.ok(session !== undefined);
  const { events } = await readAll(codexAgent, session);
  assert.deepEqual(events, []);
});

Deno.test("a compressed rollout that unpacks to far more than any session is refused by name", async () => {
  const room = new Uint8Array(65 * 1024 * 1024);
  for (const first of [new Uint8Array(), PLAIN]) {
    room.set(first);
    const bytes = new Uint8Array(zstdCompressSync(room));
    await using home = await makeHome({ [`${NAME}.zst`]: bytes });
    const [session] = await locateAll(codexAgent, home.environment);
    assert.ok(session !== undefined);
    await assert.rejects(readAll(codexAgent, session), /more than 200 times its size.*\.zst$/);
  }
});
