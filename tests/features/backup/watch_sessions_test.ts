import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { listBackups, restoreSession, watchSessions } from "../../../lib/features/backup/mod.ts";
import { openLocalStore } from "../../../lib/core/store/mod.ts";
import { pathOnDisk } from "../../../lib/core/file/regular_file.ts";
import { openWindow } from "../../../lib/library/handle/window/session_window.ts";
import { isThere } from "../../../lib/core/file/presence.ts";
import { WatchedHome } from "./_watching.ts";
import { listed } from "../../_support/listed.ts";
import { ORDINARY_USER } from "../../_support/unwritable.ts";
import { lines } from "../../_support/rewritten_session.ts";
import { UNIX } from "../../_support/needing.ts";
import { testsWith } from "../../_support/tests_in.ts";

const inWatchedHome = testsWith(() => new WatchedHome());
const inUnixHome = testsWith(() => new WatchedHome(), UNIX);
const inUserHome = testsWith(() => new WatchedHome(), UNIX, ORDINARY_USER);

const FOLDER = ".claude/projects/-work";
const REF = "claude:3f2a91c0-1111-4222-8333-444444444444";
const FILE = `${FOLDER}/${REF.slice(7)}.jsonl`;

function claudeLine(text: string, parent: string | null = null): string {
  return JSON.stringify({
    ...{ type: "user", uuid: `u-${text}`, parentUuid: parent, isSidechain: false },
    ...{ sessionId: REF.slice(7), cwd: "/work", timestamp: "2026-11-21T20:00:00.000Z" },
    message: { role: "user", content: text },
  }) + "\n";
}

const BOTH = claudeLine("one") + claudeLine("two", "u-one");

/** Moves a session to another project. */
function move(home: WatchedHome, path: string): string {
  const moved = join(home.path, `${FOLDER}-moved`, `${REF.slice(7)}.jsonl`);
  Deno.mkdirSync(dirname(moved));
  Deno.renameSync(path, moved);
  return moved;
}

async function untilPacked(home: WatchedHome): Promise<void> {
  await home.until(() => listBackups(home.root)[0]?.generations[0]?.packed === true);
}

// Slow: a watch waits until a session is quiet.
inWatchedHome.test("a watch keeps sessions that are there, are added, are rewritten and are deleted", async (home) => {
  const path = home.write(FILE, claudeLine("one"));
  await home.watch();
  assert.deepEqual(home.texts(REF), [claudeLine("one")]);
  home.write(FILE, claudeLine("two", "u-one"), true);
  await home.untilKept(REF, BOTH);
  Deno.writeTextFileSync(`${path}.new`, claudeLine("short"));
  Deno.renameSync(`${path}.new`, path);
  await home.untilKept(REF, claudeLine("short"));
  Deno.removeSync(path);
  await home.until(() => home.news.some(({ status }) => status === "gone"));
  const [backup] = listBackups(home.root);
  assert.deepEqual([backup?.ref, backup?.standing], [REF, false]);
  assert.deepEqual(home.texts(REF), [BOTH, claudeLine("short")]);
});

// Slow: a watch waits until a session is quiet.
inWatchedHome.test("a session, a sub-agent and a whole agent that come later are kept", async (home) => {
  home.write(FILE, claudeLine("one"));
  await home.watch();
  const later = `${dirname(FILE)}-other/later.jsonl`;
  home.write(later, claudeLine("later"));
  await home.untilKept("claude:later", claudeLine("later"));
  home.write(`${FOLDER}/${REF.slice(7)}/subagents/agent-x.jsonl`, claudeLine("sub"));
  await home.until(() =>
    listBackups(home.root).find((one) => one.ref === REF)?.generations[0]?.files === 2
  );
  const pi = `{"type":"session","version":3,"id":"1111aaaa","cwd":"/work"}\n`;
  home.write(".pi/agent/sessions/--work--/2026-11-21_1111aaaa.jsonl", pi);
  await home.untilKept("pi:1111aaaa", pi);
});

inWatchedHome.test("a watch catches up with earlier changes, and a moved session is the same", async (home) => {
  const path = home.write(FILE, claudeLine("one"));
  await home.watch();
  await home.end();
  home.write(FILE, claudeLine("two", "u-one"), true);
  const moved = move(home, path);
  await home.watch();
  assert.deepEqual(home.texts(REF), [BOTH]);
  assert.deepEqual(listBackups(home.root).map(({ source }) => source), [moved]);
  // Nothing was copied twice.
  const kept = home.news.filter(({ status }) => status === "kept");
  assert.deepEqual(kept.map((one) => "added" in one && one.added), [
    claudeLine("two", "u-one").length,
  ]);
});

inWatchedHome.test("a copy in the place that a session has left is kept beside it, under the same id", async (home) => {
  const path = home.write(FILE, claudeLine("one"));
  await home.watch();
  await home.end();
  const moved = move(home, path);
  await home.watch();
  await home.end();
  home.write(FILE, claudeLine("another"));
  await home.watch();
  const kept = listBackups(home.root).map(({ source, generations }) => ({
    source,
    texts: generations.map((one) => Deno.readTextFileSync(one.path)),
  }));
  assert.deepEqual(kept.sort((one, other) => one.source.length - other.source.length), [
    { source: path, texts: [claudeLine("another")] },
    { source: moved, texts: [claudeLine("one")] },
  ]);
});

inWatchedHome.test("a second watch of a store says who watches", async (home) => {
  await home.watch();
  const second = watchSessions(home.library, openLocalStore({ root: home.root }));
  const message = new RegExp(`process ${Deno.pid} on .* has been using the backups since 20`);
  await assert.rejects(second.next(), { message });
});

inWatchedHome.test("a deleted session is still listed, found and read; one that stands is listed once", async (home) => {
  const path = home.write(FILE, claudeLine("one"));
  home.write(`${FOLDER}/${REF.slice(7)}/subagents/agent-x.jsonl`, claudeLine("sub"));
  await home.watch();
  await home.end();
  assert.deepEqual((await listed(home.library)).map(({ ref, path }) => [ref, path]), [[REF, path]]);
  Deno.removeSync(join(home.path, ".claude"), { recursive: true });
  const rows = await listed(home.library);
  assert.deepEqual(rows.map(({ ref, title }) => [ref, title]), [[REF, "one"]]);
  const handle = await home.library.open("claude:3f2a");
  assert.equal((await handle.conversation()).messages.length, 1);
  assert.equal((await handle.threads()).length, 2);
  assert.throws(() => handle.resumeCommand(), /reprise backup restore claude:3f2a91c0/);
  assert.deepEqual((await home.library.sessions()).map(({ id }) => id), [REF.slice(7)]);
});

inUserHome.test("trouble is told once, and the others are kept", async (home) => {
  const path = home.write(FILE, claudeLine("one"));
  home.write(`${FOLDER}/other.jsonl`, claudeLine("other"));
  Deno.chmodSync(path, 0o000);
  await home.watch();
  assert.equal(home.news.filter(({ status }) => status === "trouble").length, 1);
  assert.deepEqual(home.texts("claude:other"), [claudeLine("other")]);
  Deno.chmodSync(path, 0o600);
  await home.untilKept(REF, claudeLine("one"));
});

function pipe(path: string): void {
  assert.ok(new Deno.Command("mkfifo", { args: [path] }).outputSync().success);
}

inUnixHome.test("a watch goes on behind pipes named as a session, a project and an agent, and tells of them", async (home) => {
  home.write(FILE, claudeLine("one"));
  Deno.mkdirSync(join(home.path, ".pi", "agent"), { recursive: true });
  pipe(join(home.path, ".pi", "agent", "sessions"));
  await home.watch();
  const session = join(home.path, dirname(FILE), "3f2a91c0-2222-4222-8333-444444444444.jsonl");
  const project = join(home.path, `${FOLDER}-project`);
  const link = join(home.path, FOLDER, "link.jsonl");
  pipe(session);
  pipe(project);
  Deno.symlinkSync(session, link);
  home.write(`${FOLDER}-other/later.jsonl`, claudeLine("later"));
  await home.untilKept("claude:later", claudeLine("later"));
  home.write(FILE, claudeLine("two", "u-one"), true);
  await home.untilKept(REF, BOTH);
  const told = (): string[] => home.news.flatMap((one) => "error" in one ? [one.error] : []);
  await home.until(() => told().length >= 4);
  assert.deepEqual(told().sort(), [
    `Cannot watch ${join(home.path, ".pi/agent/sessions")}: the path is a pipe; ` +
    "Reprise polls the path instead",
    ...[link, project, session].map((path) => `Skipped a pipe: ${path}`).sort(),
  ]);
});

// Slow: a watch waits until a session is quiet.
inWatchedHome.test("a watch packs earlier generations, and goes on behind them", async (home) => {
  const texts = [1, 2, 3].map((turn) => `{"turn":${turn}}\n${lines(100, 1)}`);
  const path = home.write(FILE, texts[0] ?? "");
  await home.watch();
  for (const text of texts.slice(1)) {
    home.write(FILE, text);
    await home.until(() =>
      Deno.readTextFileSync(listBackups(home.root)[0]?.generations.at(-1)?.path ?? "") === text
    );
  }
  await home.until(() =>
    listBackups(home.root)[0]?.generations.filter(({ packed }) => packed).length === 2
  );
  home.write(FILE, "more\n", true);
  await home.until(() =>
    listBackups(home.root)[0]?.generations[2]?.bytes === Deno.statSync(path).size
  );
  await home.end();
  for (const [index, text] of texts.slice(0, 2).entries()) {
    const out = join(home.path, `out-${index}`);
    await restoreSession(home.root, REF, { generation: index + 1, out });
    assert.equal(Deno.readTextFileSync(out), text);
  }
});

/** A session of a length that is packed. */
const LONG = claudeLine("one") + claudeLine("long ".repeat(5000), "u-one");

// Slow: a watch waits until a session is quiet.
inWatchedHome.test("a watch packs a session once it is deleted, and reads and lists go on", async (home) => {
  const path = home.write(FILE, LONG);
  await home.watch();
  const newest = () => listBackups(home.root)[0]?.generations.at(-1);
  assert.equal(newest()?.packed, undefined);
  Deno.removeSync(path);
  await untilPacked(home);
  assert.ok((newest()?.disk_bytes ?? Infinity) * 4 < LONG.length);
  const rows = await listed(home.library);
  assert.deepEqual(rows.map(({ ref, title, bytes }) => [ref, title, bytes]), [
    [REF, "one", LONG.length],
  ]);
  for (const ref of ["claude:3f2a", newest()?.path ?? ""]) {
    const handle = await home.library.open(ref);
    assert.equal((await handle.conversation()).messages.length, 2);
    assert.equal(pathOnDisk(handle.path), newest()?.path);
    const [last] = await openWindow(handle).items(-1, 1);
    assert.equal(last?.type, "message");
  }
  assert.equal(newest()?.packed, true, "reading unpacks nothing on the disk");
  home.write(FILE, LONG + claudeLine("more", "u-one"));
  await home.untilKept(REF, LONG + claudeLine("more", "u-one"));
});

inWatchedHome.test("a watch packs what was deleted while nothing watched", async (home) => {
  const path = home.write(FILE, LONG);
  await home.watch();
  await home.end();
  Deno.removeSync(path);
  await home.watch();
  await untilPacked(home);
  await home.end();
  await restoreSession(home.root, REF);
  assert.equal(Deno.readTextFileSync(path), LONG);
});

// Slow: a watch waits until a session is quiet.
inWatchedHome.test("a watch removes the plain copy beside a packed one, which a killed process left", async (home) => {
  const path = home.write(FILE, LONG);
  await home.watch();
  const copy = listBackups(home.root)[0]?.generations[0]?.path ?? "";
  Deno.removeSync(path);
  await untilPacked(home);
  await home.end();
  assert.throws(() => Deno.statSync(copy), Deno.errors.NotFound);
  Deno.writeTextFileSync(copy, LONG);
  await home.watch();
  await home.until(() => !isThere(copy));
  await home.end();
  await restoreSession(home.root, REF);
  assert.equal(Deno.readTextFileSync(path), LONG);
});

// Slow: a watch waits until a session is quiet.
inWatchedHome.test("a rollout that Codex compresses is kept under its new name, and read once it is gone", async (home) => {
  const id = "01a1aaaa-0000-7000-8000-000000000002";
  const name = `.codex/sessions/2026/03/01/rollout-2026-03-01T09-00-00-${id}.jsonl`;
  const fixture = new URL("../../../testdata/agents/codex/paginated.jsonl", import.meta.url);
  const plain = Deno.readFileSync(fixture);
  const path = home.write(name, new TextDecoder().decode(plain));
  await home.watch();
  Deno.writeFileSync(`${path}.zst`, zstdCompressSync(plain));
  Deno.removeSync(path);
  await home.until(() => listBackups(home.root)[0]?.source === `${path}.zst`);
  await home.until(() => (listBackups(home.root)[0]?.generations.length ?? 0) === 2);
  await home.end();
  Deno.removeSync(`${path}.zst`);
  const handle = await home.library.open(`codex:${id}`);
  const { messages } = await handle.conversation();
  assert.equal(messages.at(-1)?.content, "Nothing much.");
  const out = join(home.path, "before.jsonl");
  await restoreSession(home.root, `codex:${id}`, { generation: 1, out });
  assert.deepEqual(Deno.readFileSync(out), plain);
});
