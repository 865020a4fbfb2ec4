import assert from "node:assert/strict";
import { join } from "node:path";
import { claudeAgent } from "../../../../lib/agents/claude/claude_agent.ts";
import { codexAgent } from "../../../../lib/agents/codex/codex_agent.ts";
import { piAgent } from "../../../../lib/agents/pi/pi_agent.ts";
import { indexStatus } from "../../../../lib/library/search/index/index_status.ts";
import { searchSessions, updateIndex } from "../../../../lib/library/search/mod.ts";
import type { Agent, AgentSession } from "../../../../lib/agents/contract/agent.ts";
import { makeAgentLog } from "../../../bench/agent_logs.ts";
import { CliHome, inHome } from "../../../_support/cli_home.ts";
import { assertSameNearest } from "../_nearest.ts";
import { requestFor } from "../_reference.ts";

const LF = 0x0a;

/** An agent whose sessions only grow, and how it writes a prompt. */
interface Case {
  agent: Agent;
  name: "pi" | "claude";
  entry(id: string, parent: string | undefined, text: string): string;
  idIn(line: string | undefined): string;
}

const CASES: readonly Case[] = [
  { agent: piAgent, name: "pi", entry: piEntry, idIn: (line) => JSON.parse(line ?? "").id },
  {
    agent: claudeAgent,
    name: "claude",
    entry: claudeRecord,
    idIn: (line) => JSON.parse(line ?? "").uuid,
  },
];

/** A home with the bytes of a long session, and a file that has none of them yet. */
async function longSession(
  home: CliHome,
  { name }: Case,
  size = 300_000,
): Promise<{ bytes: Uint8Array; path: string }> {
  const whole = join(home.path, "whole.jsonl");
  makeAgentLog(name, whole, size);
  return { bytes: await Deno.readFile(whole), path: join(home.path, "grows.jsonl") };
}

async function sessionIn({ agent }: Pick<Case, "agent">, path: string): Promise<AgentSession> {
  const [session] = await agent.sessionsIn(path);
  assert.ok(session !== undefined);
  return session;
}

/** Holds what the index finds to what a scan finds. */
async function assertComplete(cache: string, session: AgentSession): Promise<void> {
  assert.equal(indexStatus(cache, [session]).state, "current");
  for (const query of ["export", "zebra", "seven zebras"]) {
    const request = { ...requestFor(query), count_all: true };
    const found = await searchSessions([session], request, { cache });
    const wanted = await searchSessions([session], request);
    assert.deepEqual([found.hits, found.scanned_bytes], [wanted.hits, 0], query);
  }
  assert.ok(await assertSameNearest([session], ["exports of zebras", "the answer"], cache) > 0);
}

function piEntry(id: string, parentId: string | undefined, text: string): string {
  const message = { role: "user", content: [{ type: "text", text }] };
  const timestamp = "2026-11-21T10:00:00.000Z";
  return `${JSON.stringify({ type: "message", id, parentId, timestamp, message })}\n`;
}

function claudeRecord(uuid: string, parentUuid: string | undefined, text: string): string {
  const record = { parentUuid, isSidechain: false, type: "user", uuid };
  const message = { role: "user", content: text };
  return `${JSON.stringify({ ...record, message, timestamp: "2026-11-21T10:00:00.000Z" })}\n`;
}

/** Tests each agent. */
function testGrown(name: string, run: (one: Case) => Promise<void>): void {
  for (const one of CASES) Deno.test(`${name}: ${one.name}`, () => run(one));
}

// Slow: places are a quarter of a megabyte apart.
testGrown(
  "a session of another agent that grew is read on from a place, wherever it was cut",
  async (one) => {
    await using home = new CliHome();
    const { bytes, path } = await longSession(home, one, 500_000);
    let size = 0;
    let read_on = 0;
    for (let part = 0.7; part <= 1; part += 0.1) {
      const cut = Math.round(part * bytes.length);
      // Every other time the last line is whole.
      const end = Math.round(part * 10) % 2 === 0 ? cut : bytes.lastIndexOf(LF, cut) + 1;
      Deno.writeFileSync(path, bytes.subarray(size, end), { append: true, create: true });
      const session = await sessionIn(one, path);
      const { read_bytes } = await updateIndex(home.cache, [session]);
      if (read_bytes === end - size && size > 0) read_on++;
      else assert.equal(read_bytes, end);
      await assertComplete(home.cache, session);
      size = end;
    }
    assert.ok(read_on >= 2, `${read_on}`);
  },
);

// Slow: places are a quarter of a megabyte apart.
testGrown("a session that grew a branch, or was written over, is indexed anew", async (one) => {
  await using home = new CliHome();
  const { bytes, path } = await longSession(home, one);
  Deno.writeFileSync(path, bytes);
  const lines = new TextDecoder().decode(bytes).trimEnd().split("\n");
  const session = await sessionIn(one, path);
  await updateIndex(home.cache, [session]);
  const last = one.idIn(lines.at(-1));
  const append = async (text: string): Promise<void> => {
    Deno.writeTextFileSync(path, text, { append: true });
    await updateIndex(home.cache, [session]);
    await assertComplete(home.cache, session);
  };
  await append(one.entry("z1", last, "one zebra"));
  await append(one.entry("z2", "z1", "two zebras"));
  await append(one.entry("z3", one.idIn(lines.at(-40)), "seven zebras on a branch"));
  await append(one.entry("z4", "z3", "eight zebras"));
  const swapped = Deno.readTextFileSync(path).replace("eight zebras", "seven zebras");
  Deno.writeTextFileSync(path, swapped);
  await append("");
});

// Slow: a search itself adds up to 4 MB to the index.
testGrown("a session that grew is searched whole until the index is updated", async (one) => {
  await using home = new CliHome();
  const { bytes, path } = await longSession(home, one);
  Deno.writeFileSync(path, bytes);
  const session = await sessionIn(one, path);
  await updateIndex(home.cache, [session]);
  const last = one.idIn(new TextDecoder().decode(bytes).trimEnd().split("\n").at(-1));
  // More than a search adds to an index by itself.
  const long = one.entry("z1", last, `zebra ${"-".repeat(5_000_000)}`);
  Deno.writeTextFileSync(path, long, { append: true });
  for (const query of ["zebra", "export"]) {
    const request = { ...requestFor(query), count_all: true };
    const found = await searchSessions([session], request, { cache: home.cache });
    const wanted = await searchSessions([session], request);
    assert.deepEqual(found.hits, wanted.hits, query);
    assert.equal(found.scanned_bytes, bytes.length + long.length);
  }
  assert.equal(indexStatus(home.cache, [session]).behind_bytes, long.length);
});

inHome.test("a session of Claude Code whose title was given since is indexed anew", async (home) => {
  const [, one] = CASES as [Case, Case];
  const { bytes, path } = await longSession(home, one);
  Deno.writeFileSync(path, bytes);
  const session = await sessionIn(one, path);
  await updateIndex(home.cache, [session]);
  const last = one.idIn(new TextDecoder().decode(bytes).trimEnd().split("\n").at(-1));
  const titled = JSON.stringify({ type: "custom-title", customTitle: "Zebras", sessionId: "x" });
  // The title is an event of its own, so that all that follow have other numbers.
  Deno.writeTextFileSync(path, `${one.entry("z1", last, "one zebra")}${titled}\n`, {
    append: true,
  });
  await updateIndex(home.cache, [session]);
  await assertComplete(home.cache, session);
});

const THREAD = "01a1ffd4-8013-43b1-89e7-822b38eb0000";
const SPAWNED = "01a1ffd4-8013-43b1-89e7-822b38eb0001";

function record(type: string, payload: object): string {
  return `${JSON.stringify({ timestamp: "2026-11-21T10:00:00.000Z", type, payload })}\n`;
}

function prompt(text: string): string {
  const content = [{ type: "input_text", text }];
  return record("response_item", { type: "message", role: "user", content });
}

// Slow: places are a quarter of a megabyte apart.
inHome.test("a thread that started others is read on from a place while these stay as they are", async (home) => {
  const rollout = (id: string): string =>
    join(home.path, `rollout-2026-11-01T08-00-00-${id}.jsonl`);
  makeAgentLog("codex", rollout(THREAD), 300_000, { id: THREAD });
  const spawn = { subagent: { thread_spawn: { parent_thread_id: THREAD } } };
  const head = record("session_meta", { id: SPAWNED, cwd: "/w", source: spawn });
  Deno.writeTextFileSync(rollout(SPAWNED), head + prompt("one zebra of a thread"));
  const appended = async (id: string, text: string): Promise<number> => {
    Deno.writeTextFileSync(rollout(id), text, { append: true });
    const session = await sessionIn({ agent: codexAgent }, rollout(THREAD));
    const { read_bytes } = await updateIndex(home.cache, [session]);
    await assertComplete(home.cache, session);
    return read_bytes;
  };
  const sizeOf = (): number => Deno.statSync(rollout(THREAD)).size;
  assert.equal(await appended(THREAD, ""), sizeOf());
  for (const text of [prompt("two zebras"), prompt("seven zebras") + prompt("export")]) {
    assert.equal(await appended(THREAD, text), text.length);
  }
  // Another thread grew, then turns were taken back: both change what is known.
  assert.equal(await appended(SPAWNED, prompt("seven zebras")), sizeOf());
  const taken = record("event_msg", { type: "thread_rolled_back", num_turns: 2 });
  await appended(THREAD, taken);
  const more = prompt("zebra again");
  assert.equal(await appended(THREAD, more), more.length);
});
