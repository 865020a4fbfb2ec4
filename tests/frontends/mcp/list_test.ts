import assert from "node:assert/strict";
import { join } from "node:path";
import type { NewEvent } from "../../../lib/core/event/envelope.ts";
import { openLocalStore } from "../../../lib/core/store/open_store.ts";
import { inHome, sessionId, testsAtHome } from "../../_support/cli_home.ts";
import { user } from "../../_support/log_bytes.ts";
import { addWorkTree } from "../../_support/work_tree.ts";
import { keepClaudeSession, putStatus } from "../../commands/_fake_agent.ts";
import { allPages, readPage, talkAbout } from "./_history.ts";
import { UNIX } from "../../_support/needing.ts";

const onUnix = testsAtHome(UNIX);

function idOf(index: number): string {
  return sessionId(`${String(index).padStart(4, "0")}`);
}

inHome.test("list_sessions gives every session once, the newest first, twenty a page", async (home) => {
  for (let index = 0; index < 41; index++) home.keep(idOf(index), [user(`Question ${index}`)]);
  await using talk = await talkAbout(home);
  const pages = await allPages(talk, "list_sessions", {});
  assert.deepEqual(pages.map((page) => page.trimEnd().split("\n").length), [20, 20, 1]);
  const titles = [...pages.join("").matchAll(/Question \d+/g)].map(([title]) => title);
  assert.deepEqual(titles, Array.from({ length: 41 }, (_, at) => `Question ${40 - at}`));
  const [first = ""] = pages;
  assert.match(first, /^00400000 {2}2026-11-21 20:22 UTC {2}interrupted {2}Question 40\n/);
});

inHome.test("list_sessions goes on where it was, whatever came, changed or went meanwhile", async (home) => {
  const kept = Array.from(
    { length: 30 },
    (_, index) => home.keep(idOf(index), [user(`Question ${index}`)]),
  );
  await using talk = await talkAbout(home);
  const { cursor } = readPage(await talk.call("list_sessions", {}));
  // The row that was last, and one of the next page.
  for (const gone of [kept[10], kept[5]]) await Deno.remove(gone!.directory, { recursive: true });
  home.keep(idOf(99), [user("New")]);
  await using later = await talkAbout(home);
  const { text } = readPage(await later.call("list_sessions", { cursor }));
  const titles = [...text.matchAll(/Question (\d+)/g)].map(([, number]) => Number(number));
  assert.deepEqual(titles, [9, 8, 7, 6, 4, 3, 2, 1, 0]);
});

inHome.test("list_sessions keeps to its project, unless it serves all", async (home) => {
  const other = join(home.path, "other");
  const below = join(home.work, "src");
  home.keep(idOf(1), [user("Here")]);
  home.keep(idOf(2), [user("Elsewhere")], { cwd: other });
  home.keep(idOf(3), [user("Below")], { cwd: below });
  await using talk = await talkAbout(home);
  const here = await talk.call("list_sessions", {});
  assert.match(here, /Here/);
  assert.match(here, /Below/);
  assert.doesNotMatch(here, /Elsewhere/);
  assert.doesNotMatch(await talk.call("list_sessions", { cwd: "src" }), /Here/);
  for (const cwd of [other, "..", "/", "../other"]) {
    await assert.rejects(talk.call("list_sessions", { cwd }), /one project. To serve all: .*--all/);
    await assert.rejects(talk.call("search_sessions", { query: "e", cwd }), /--all/);
  }
  await assert.rejects(
    talk.call("read_session", { ref: "0002" }),
    /Cannot find session "0002" in this project; .*--all/,
  );
  await using wide = await talkAbout(home, { all: true });
  const all = await wide.call("list_sessions", {});
  assert.match(all, new RegExp(`${other}  Elsewhere`), "where it was is told, too");
  assert.doesNotMatch(await wide.call("list_sessions", { cwd: other }), /Here/);
  assert.match(await wide.call("read_session", { ref: "0002" }), /Elsewhere/);
});

inHome.test("list_sessions filters by title and time, and says where nothing fits", async (home) => {
  home.keep(idOf(1), [user("Fix the parser")]);
  home.keep(idOf(2), [user("Paint it")], { created: new Date("2026-10-01T00:00:00Z") });
  await using talk = await talkAbout(home);
  assert.match(await talk.call("list_sessions", { title: "PARSER" }), /^[^\n]*\n[^\n]*parser$/);
  assert.doesNotMatch(await talk.call("list_sessions", { since: "2026-11-01" }), /Paint/);
  assert.equal(
    await talk.call("list_sessions", { title: "nothing" }),
    "Nothing in this project. Other projects were not searched.",
  );
});

inHome.test("list_sessions says what an open session waits for", async (home) => {
  const id = sessionId("cccc");
  const { path } = keepClaudeSession(home, id, home.work);
  const command = "deploy --token ghp_16C7e42F292c6912E7710c838347Ae178B4a";
  const content = [{ type: "tool_use", id: "t1", name: "Bash", input: { command } }];
  const record = {
    ...{ type: "assistant", uuid: "a2", parentUuid: "u1", isSidechain: false, sessionId: id },
    ...{ timestamp: "2026-11-21T20:00:01.000Z", message: { role: "assistant", content } },
  };
  Deno.writeTextFileSync(path, `${JSON.stringify(record)}\n`, { append: true });
  putStatus(home, id, { status: "waiting", waitingFor: "permission prompt" });
  await using talk = await talkAbout(home);
  const list = await talk.call("list_sessions", {});
  assert.match(list, /\(open now: waits for permission: Bash deploy --token \[/);
  assert.doesNotMatch(list, /ghp_/);
});

function by(model: string): NewEvent {
  return { kind: "assistant_message", payload: { content: "ok", model } };
}

inHome.test("list_sessions filters by branch, model and end of a time", async (home) => {
  const old = { created: new Date("2026-10-01T10:00:00Z") };
  home.keep(idOf(1), [user("Paint it"), by("paint-1")], { ...old, branch: "paint" });
  home.keep(idOf(2), [user("Fix it"), by("fix-2")]);
  await using talk = await talkAbout(home);
  for (const filter of [{ branch: "paint" }, { model: "PAINT" }, { until: "2026-10-01" }]) {
    const text = await talk.call("list_sessions", filter);
    assert.match(text, /Paint it/, JSON.stringify(filter));
    assert.doesNotMatch(text, /Fix it/, JSON.stringify(filter));
  }
  await assert.rejects(talk.call("list_sessions", { until: "soon" }), /Give a length of time/);
});

inHome.test("list_sessions and search_sessions take the words of list, listed or not", async (home) => {
  const failed = { kind: "turn_failed", payload: { reason: "error", message: "529" } } as const;
  const input = { path: "src/zebra.ts", content: "" };
  const changed = {
    kind: "tool_end",
    payload: { call_id: "c1", name: "write", status: "ok", input, output: "" },
  } as const;
  home.keep(idOf(1), [user("Paint it"), by("paint-1"), changed, failed], { branch: "paint" });
  home.keep(idOf(2), [user("Fix it in zebra.ts"), user("Do it"), user("Try it")]);
  await home.run(["tag", idOf(1), "art"]);
  await using talk = await talkAbout(home);
  const files = ["zebra.ts", "./src", join(home.work, "src/zebra.ts")].map((file) => ({ file }));
  const others = [{ failed: true }, { tag: "art" }, { title: "paint" }, { model: "paint" }];
  for (const words of [...others, ...files]) {
    for (
      const [tool, more] of [["list_sessions", {}], ["search_sessions", { query: "it" }]] as const
    ) {
      const text = await talk.call(tool, { ...words, ...more });
      assert.match(text, /Paint it/, `${tool} ${JSON.stringify(words)}`);
      assert.doesNotMatch(text, /Fix it/, `${tool} ${JSON.stringify(words)}`);
    }
  }
  const sorted = await talk.call("list_sessions", { sort: "messages" });
  assert.match(sorted, /Fix it[^]*Paint it/);
  for (const wrong of [{ sort: "size" }, { status: "dead" }, { order: "cost" }]) {
    const reason = /must be one of (updated|running), |known arguments: .*failed, .*sort/;
    await assert.rejects(talk.call("list_sessions", wrong), reason);
  }
});

inHome.test("deleted sessions are listed, searched and read by their prompts, if asked for", async (home) => {
  const folder = join(home.path, ".claude");
  Deno.mkdirSync(folder);
  const gone = "99999999-2222-4333-8444-555555555555";
  const said = (display: string, project: string, sessionId: string): string =>
    JSON.stringify({ display, project, sessionId, timestamp: 1788840000000, pastedContents: {} });
  Deno.writeTextFileSync(
    join(folder, "history.jsonl"),
    `${said("Paint the zebra with password: hunter2-hunter2", home.work, gone)}\n` +
      `${said("Elsewhere a zebra", "/elsewhere", gone.replaceAll("9", "8"))}\n`,
  );
  home.keep(idOf(1), [user("A zebra that is there")]);
  await using talk = await talkAbout(home);
  for (
    const [tool, args] of [["list_sessions", {}], ["search_sessions", { query: "zebra" }]] as const
  ) {
    assert.doesNotMatch(await talk.call(tool, args), /Paint/);
    assert.match(await talk.call(tool, { ...args, gone: false }), /that is there/);
    const found = await talk.call(tool, { ...args, gone: true });
    assert.match(found, /claude:99999999/);
    assert.doesNotMatch(found, /that is there|hunter2|Elsewhere/);
    await assert.rejects(
      talk.call(tool, { ...args, gone: "yes" }),
      /"gone": it must be true or false/,
    );
  }
  const read = await talk.call("read_session", { ref: "claude:9999" });
  assert.match(read, /Paint the zebra with password: \[redacted/);
  await assert.rejects(talk.call("read_session", { ref: "claude:8888" }), /in this project/);
});

inHome.test("a session that is being written is open, and the caller's own says so", async (home) => {
  const created = new Date(Date.now() - 30_000);
  home.keep(idOf(1), [user("Somebody works here")], { created });
  home.keep(idOf(2), [user("I ask")], { created });
  home.keep(idOf(3), [user("Long ago")]);
  await using _writer = await openLocalStore({ root: home.store }).resume(idOf(1));
  await using talk = await talkAbout(home, { caller: idOf(2) });
  const list = await talk.call("list_sessions", {});
  assert.match(list, /\(open now\) {2}Somebody works here/);
  assert.match(list, /\(this session\) {2}I ask/);
  assert.match(list, /interrupted {2}Long ago/);
});

onUnix.test("an agent cannot widen what is served by files of its project", async (home) => {
  const other = join(home.path, "other");
  Deno.mkdirSync(join(home.work, ".git"));
  Deno.mkdirSync(other);
  home.keep(idOf(1), [user("Here")]);
  home.keep(idOf(2), [user("Elsewhere")], { cwd: other });
  Deno.symlinkSync(other, join(home.work, "link"));
  await using talk = await talkAbout(home);
  for (const cwd of ["link", join(home.work, "link"), "link/."]) {
    await assert.rejects(talk.call("list_sessions", { cwd }), /one project. To serve all: .*--all/);
    await assert.rejects(talk.call("search_sessions", { query: "Elsewhere", cwd }), /--all/);
  }
  // A work tree whose link is mutual, and which was added after the start.
  addWorkTree(join(home.work, ".git"), "other", other);
  const found = await talk.call("list_sessions", {}) +
    await talk.call("search_sessions", { query: "Elsewhere" });
  assert.match(found, /Here/);
  assert.doesNotMatch(found, /0002/);
  await assert.rejects(talk.call("read_session", { ref: "0002" }), /Cannot find session .*--all/);
  // It was there at the next start.
  await using later = await talkAbout(home);
  assert.match(await later.call("read_session", { ref: "0002" }), /Elsewhere/);
});

inHome.test("hides sessions that are not served", async (home) => {
  const other = join(home.path, "other");
  const ids = ["abcd1", "abcd2", "abcd3", "abcd4"].map(sessionId);
  const [mine = "", twin = "", theirs = "", damaged = ""] = ids;
  home.keep(mine, [user("Here")]);
  home.keep(theirs, [user("Elsewhere")], { cwd: other });
  const { path } = home.keep(damaged, [user("Elsewhere")], { cwd: other });
  await using talk = await talkAbout(home);
  const refusal = async (ref: string): Promise<string> => {
    try {
      return await talk.call("read_session", { ref });
    } catch (error) {
      return (error as Error).message.replaceAll(ref, "REF");
    }
  };
  assert.match(await talk.call("read_session", { ref: "abcd#1" }), /Here/);
  const absent = await refusal("ffff");
  assert.match(absent, /^Cannot find session "REF" in this project; .*--all$/);
  Deno.removeSync(path);
  Deno.mkdirSync(path);
  for (const ref of [theirs, theirs.slice(0, 6), damaged, "abcd9", "pi:abcd"]) {
    assert.equal(await refusal(ref), absent);
  }
  home.keep(twin, [user("Here, too")]);
  const several = await refusal("abcd");
  assert.match(several, /matches 2 sessions: REF2\S*, REF1\S*; type more of the id$/);
  assert.doesNotMatch(several, new RegExp(theirs));
});

inHome.test("list_sessions and search_sessions say how many sessions a date left out for want of one", async (home) => {
  home.keep(idOf(1), [user("Dated")]);
  const { path } = keepClaudeSession(home, idOf(2), home.work);
  Deno.writeTextFileSync(path, Deno.readTextFileSync(path).replace(/"timestamp":"[^"]*",/, ""));
  await using talk = await talkAbout(home);
  const note = "1 session is left out, because it has no date\n";
  const nothing = "Nothing in this project. Other projects were not searched.";
  const since = "2020-01-01";
  const listed = readPage(await talk.call("list_sessions", { since })).text;
  assert.ok(listed.startsWith(note) && listed.includes("Dated"), listed);
  const found = readPage(await talk.call("search_sessions", { query: "dated", since })).text;
  assert.ok(found.startsWith(note) && found.includes("Dated"), found);
  assert.equal(
    await talk.call("list_sessions", { until: since }),
    `${note}${nothing}`,
  );
  const asked = { query: "okapi", since };
  assert.equal(await talk.call("search_sessions", asked), `${note}${nothing}`);
  assert.doesNotMatch(await talk.call("list_sessions", {}), /left out/);
});
