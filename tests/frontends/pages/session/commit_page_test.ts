import assert from "node:assert/strict";
import { BlamedHome } from "../../../features/blame/_repository.ts";
import { sessionId } from "../../../_support/cli_home.ts";
import { GIT } from "../../../_support/trapped_repository.ts";
import { testsNeeding } from "../../../_support/tests_in.ts";
import { askOf } from "../_site.ts";

const withGit = testsNeeding(GIT);
const ID = sessionId("aaaa");

/** A repository with a commit of a person, and one of a session. */
function furnished(): BlamedHome {
  const home = new BlamedHome();
  home.commit("2026-11-20T10:00:00Z", { "a.ts": "one\n" });
  const change = { path: "a.ts", old_string: "one\n", new_string: "one\ntwo <b>\nthree\n" };
  home.edits("aaaa", [{ ...change, time: "2026-11-20T11:00:00Z" }]);
  home.commit("2026-11-20T12:00:00Z", { "a.ts": "one\ntwo <b>\nthree\nof a person\n" });
  return home;
}

// Slow: git makes a repository.
withGit.test("the page of a commit leads to the sessions and prompts that wrote its lines", async () => {
  await using home = furnished();
  const ask = askOf(home);
  const { status, body } = await ask(`commit?ref=${ID}&rev=HEAD`);
  assert.equal(status, 200);
  assert.match(body, /3 added lines: 2 proven, 1 unknown/);
  assert.match(body, /<tr data-row><td>2<\/td><td>–<\/td>.*href="session\?ref=aaaa/);
  assert.match(body, /href="session\?ref=aaaa[^"]*&amp;seq=2#e2" dir="auto">Change 0<\/a>/);
  const range = await ask(`commit?ref=${ID}&rev=HEAD~1..HEAD`);
  assert.match(range.body, /3 added lines: 2 proven, 1 unknown/);
  const list = await ask(`commit?ref=${ID}`);
  const hashes = [...list.body.matchAll(/rev=([0-9a-f]{40})"/g)].map(([, hash]) => hash);
  assert.equal(hashes.length, 2);
  const oldest = await ask(`commit?ref=${ID}&rev=${hashes[1]}`);
  assert.match(oldest.body, /1 added line: 1 unknown/);
});

withGit.test("pages of sessions, projects and the digest lead to commits", async () => {
  await using home = furnished();
  const ask = askOf(home);
  const link = `href="commit?ref=${ID}`;
  assert.ok((await ask(`session?ref=${ID}`)).body.includes(`${link}">Commits`));
  const project = encodeURIComponent(home.work);
  assert.ok((await ask(`?project=${project}`)).body.includes(`${link}">Commits`));
  assert.ok(!(await ask("")).body.includes(link));
});

withGit.test("the page of a commit names what git does not know, and takes no flags", async () => {
  await using home = furnished();
  const ask = askOf(home);
  for (const revision of ["nothing", "--all", "-p", "a\nb", "<i>"]) {
    const { status, body } = await ask(`commit?ref=${ID}&rev=${encodeURIComponent(revision)}`);
    assert.equal(status, 200, revision);
    assert.match(body, /Git knows no commit, range or branch of this name/, revision);
    assert.ok(!body.includes("<i>"), revision);
  }
  const { body } = await ask(`commit?ref=${ID}&rev=nothing..HEAD`);
  assert.match(body, /git knows no commit .*nothing.* here/);
  home.keep(sessionId("bbbb"), [], { cwd: home.path });
  const outside = await ask(`commit?ref=${sessionId("bbbb")}&rev=HEAD`);
  assert.match(outside.body, /directory is in no git repository here/);
  assert.equal((await ask("commit?ref=none")).status, 404);
});
