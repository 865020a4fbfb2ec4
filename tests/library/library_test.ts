import assert from "node:assert/strict";
import { join } from "node:path";
import { importHandle, type Library, openLibrary } from "../../lib/library/mod.ts";
import { searchSessions } from "../../lib/library/search/mod.ts";
import { openLocalStore } from "../../lib/core/store/open_store.ts";
import { answerInPi, keepPiSession } from "../commands/_pi_session.ts";
import { listed } from "../_support/listed.ts";
import { cliEnvironment } from "../_support/cli.ts";
import { type CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";

function libraryOf(home: CliHome): Library {
  const env = cliEnvironment({ home: home.path });
  return openLibrary({ variable: (name) => env[name], cwd: home.work });
}

inHome.test("sessions of Reprise and of other agents are in one list, and opened by one handle", async (home) => {
  home.keep(sessionId("aaaa"), [user("Mine")]);
  const pi = keepPiSession(home);
  const library = libraryOf(home);
  const rows = await listed(library);
  assert.deepEqual(new Set(rows.map(({ agent }) => agent)), new Set(["reprise", "pi"]));
  for (const { ref, title } of rows) {
    const session = await library.open(ref);
    assert.equal((await session.summary()).title, title);
    assert.ok((await session.conversation()).messages.length > 0);
    const account = await session.verify(() => {});
    assert.equal(account.damage, 0);
    assert.ok(account.events > 0);
  }
  assert.equal((await library.open(pi.ref)).writable, false);
  assert.equal((await library.open("aaaa0000")).writable, true);
  assert.throws(() => Deno.statSync(home.cache), Deno.errors.NotFound);
});

inHome.test("an id alone finds the session of whatever agent has it; ambiguous ones list candidates", async (home) => {
  const { ref } = keepPiSession(home);
  const id = ref.slice("pi:".length);
  const library = libraryOf(home);
  assert.equal((await library.open(id.slice(0, 8))).agent, "pi");
  assert.equal((await library.open(`${id}#3`)).seq, 3);
  home.keep(sessionId("aaaa"), [user("One")]);
  home.keep(sessionId("aaaab"), [user("Two")]);
  await assert.rejects(library.open("aaaa"), { code: "ambiguous" });
  await assert.rejects(library.open("ffff"), { code: "not-found" });
});

inHome.test("a prefix of several sessions means the one of the working directory", async (home) => {
  const elsewhere = join(home.path, "elsewhere");
  home.keep(sessionId("1111"), [user("Elsewhere")], { cwd: elsewhere });
  const folder = join(home.path, ".codex/sessions/2026/03/01");
  Deno.mkdirSync(folder, { recursive: true });
  const id = "1111aaaa-0000-7000-8000-000000000001";
  const timestamp = "2026-03-01T09:00:00.000Z";
  const head = { timestamp, type: "session_meta", payload: { id, timestamp, cwd: elsewhere } };
  const path = join(folder, `rollout-2026-03-01T09-00-00-${id}.jsonl`);
  Deno.writeTextFileSync(path, `${JSON.stringify(head)}\n`);
  await assert.rejects(libraryOf(home).open("1111"), { code: "ambiguous" });
  const { ref } = keepPiSession(home, "1111bbbb");
  assert.equal((await libraryOf(home).open("1111")).ref, ref);
  const here = home.keep(sessionId("1111c"), [user("Here, too")]);
  await assert.rejects(libraryOf(home).open("1111"), { code: "ambiguous" });
  assert.equal((await libraryOf(home).open(here.id)).id, here.id);
});

inHome.test("a sub-agent's session has no row, and is opened by its id all the same", async (home) => {
  const chats = join(home.path, ".gemini/tmp/ledger/chats");
  const [parent, child] = [1, 7].map((last) => `f8a6a0fd-0000-4000-8000-00000000000${last}`);
  const fixture = (name: string): URL =>
    new URL(`../../testdata/agents/gemini/${name}`, import.meta.url);
  Deno.mkdirSync(join(chats, `${parent}`), { recursive: true });
  Deno.copyFileSync(fixture("fresh.jsonl"), join(chats, "session-2026-03-01T09-01-f8a6a0fd.jsonl"));
  Deno.copyFileSync(fixture("subagent.jsonl"), join(chats, `${parent}`, `${child}.jsonl`));
  const library = libraryOf(home);
  assert.deepEqual((await listed(library)).map(({ session_id }) => session_id), [parent]);
  for (const ref of [`gemini:${child}`, `${child}`]) {
    assert.equal((await library.open(ref)).id, child, ref);
  }
  const session = await library.open(`gemini:${parent}`);
  assert.deepEqual((await session.threads()).map(({ id }) => id), ["main", child]);
});

inHome.test("a scope is the project with its subfolders; without sessions there, it is everything", async (home) => {
  const elsewhere = join(home.path, "elsewhere");
  const below = join(home.work, "packages", "a");
  for (const directory of [elsewhere, below]) Deno.mkdirSync(directory, { recursive: true });
  const store = openLocalStore({ root: home.store });
  for (const cwd of [below, elsewhere]) {
    const session = store.create({ cwd });
    await session.append({ kind: "user_message", payload: { content: cwd } });
    await session.finish();
  }
  const library = libraryOf(home);
  const titles = async (scope: "project" | "here" | "all", cwd: string): Promise<string[]> =>
    (await listed(library, { scope, cwd })).map(({ title }) => title).sort();
  assert.deepEqual(await titles("project", home.work), [below]);
  assert.deepEqual(await titles("all", home.work), [below, elsewhere].sort());
  const empty = join(home.path, "empty");
  Deno.mkdirSync(empty);
  assert.deepEqual(await titles("here", empty), []);
  const widened = await library.query({ scope: "project", cwd: empty });
  assert.equal(widened.widened, true);
  assert.equal(widened.entries.length, 2);
});

inHome.test("an import and its original are one row while one holds the other, else each names the other", async (home) => {
  const { ref, path } = keepPiSession(home);
  const library = libraryOf(home);
  const store = openLocalStore({ root: home.store });
  const { session_id } = await importHandle(store, await library.open(ref));
  const refs = async (): Promise<string[]> => (await listed(library)).map((row) => row.ref).sort();
  assert.deepEqual(await refs(), [ref]);
  assert.deepEqual((await library.sessions()).map(({ id }) => id), [ref.slice("pi:".length)]);

  const session = await store.resume(session_id);
  await session.append({ kind: "user_message", payload: { content: "On my own" } });
  await session.finish();
  assert.deepEqual(await refs(), [session_id]);

  const last = Deno.readTextFileSync(path).trimEnd().split("\n").at(-1) ?? "";
  Deno.writeTextFileSync(path, `${last.replace(/"id":"[^"]*"/, '"id":"fffffff1"')}\n`, {
    append: true,
  });
  const rows = await listed(library);
  assert.deepEqual(rows.map((row) => row.ref).sort(), [ref, session_id].sort());
  assert.equal(rows.find((row) => row.ref === session_id)?.copy_of, ref);
  assert.deepEqual(rows.find((row) => row.ref === ref)?.copies, [session_id]);
});

inHome.test("P12 a list that reads all tells each session's other threads, and they are read by their ids", async (home) => {
  const id = "11111111-2222-4333-8444-555555555555";
  const folder = join(home.path, ".claude", "projects", "-work");
  Deno.mkdirSync(join(folder, id, "subagents"), { recursive: true });
  const line = (uuid: string, parentUuid: string | null, text: string, more = {}): string =>
    JSON.stringify({
      ...{ type: "user", uuid, parentUuid, sessionId: id, cwd: home.work, isSidechain: false },
      ...{ timestamp: "2026-11-21T20:00:00.000Z", version: "2.1.100", userType: "external" },
      ...{ message: { role: "user", content: text }, ...more },
    }) + "\n";
  Deno.writeTextFileSync(join(folder, `${id}.jsonl`), line("a1", null, "Ask the zebra"));
  Deno.writeTextFileSync(
    join(folder, id, "subagents", "agent-abc123.jsonl"),
    line("s1", null, "Look for stripes", { isSidechain: true, agentId: "abc123" }),
  );
  const library = libraryOf(home);
  const [quick] = await listed(library);
  assert.equal(quick?.threads, undefined);
  const [row] = await listed(library, { exact: true });
  assert.deepEqual(row?.threads?.map(({ id, kind, records }) => [id, kind, records]), [
    ["abc123", "subagent", 1],
  ]);
  const thread = await library.open(`${id.slice(0, 8)}~abc123`);
  const { messages } = await thread.conversation();
  assert.match(JSON.stringify(messages), /Look for stripes/);
  const { hits } = await searchSessions(await library.sessions(), {
    query: "stripes",
    now: Date.UTC(2026, 10, 22),
  });
  assert.deepEqual(hits.map(({ ref, thread }) => [ref, thread]), [[`claude:${id}`, "abc123"]]);
});

inHome.test("changes of a session are told: at once, then at each one, until the signal", async (home) => {
  const { ref, path } = keepPiSession(home);
  const session = await libraryOf(home).open(ref);
  const stop = new AbortController();
  const changes = session.changes(stop.signal);
  assert.equal((await changes.next()).done, false);
  answerInPi(path, 7);
  assert.equal((await changes.next()).done, false);
  const next = changes.next();
  stop.abort();
  assert.equal((await next).done, true);
});
