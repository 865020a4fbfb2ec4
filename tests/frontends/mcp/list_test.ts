import assert from "node:assert/strict";
import { join } from "node:path";
import { openLocalStore } from "../../../lib/core/store/open_store.ts";
import { inHome, sessionId, testsAtHome } from "../../_support/cli_home.ts";
import { user } from "../../_support/log_bytes.ts";
import { addWorkTree } from "../../_support/work_tree.ts";
import { keepClaudeSession, putStatus } from "../../commands/_fake_agent.ts";
import { talkAbout } from "./_history.ts";
import { UNIX } from "../../_support/needing.ts";

const onUnix = testsAtHome(UNIX);

function idOf(index: number): string {
  return sessionId(`${String(index).padStart(4, "0")}`);
}

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
