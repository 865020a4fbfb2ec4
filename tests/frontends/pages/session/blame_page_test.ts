import assert from "node:assert/strict";
import type { NewEvent } from "../../../../lib/core/event/envelope.ts";
import { join } from "node:path";
import { BlamedHome } from "../../../features/blame/_repository.ts";
import { sessionId } from "../../../_support/cli_home.ts";
import { user } from "../../../_support/log_bytes.ts";
import { GIT } from "../../../_support/trapped_repository.ts";
import { askOf, type WholeResponse } from "../_site.ts";
import { testsNeeding } from "../../../_support/tests_in.ts";

const withGit = testsNeeding(GIT);

const ID = sessionId("aaaa");
const TIME = "2026-11-20T11:00:00Z";

/** A repository with files of every kind that a session changed, and one that it did not. */
function furnished(): BlamedHome {
  const home = new BlamedHome();
  const many = Array.from({ length: 1100 }, (_, index) => `line ${index + 1}\n`).join("");
  const before = { "a.ts": "const one = 1;\n", "many.txt": many, "other.txt": "of a person\n" };
  home.commit("2026-11-20T10:00:00Z", before);
  Deno.writeTextFileSync(join(home.path, "outside.txt"), "kept secret\n");
  Deno.symlinkSync(join(home.path, "outside.txt"), join(home.work, "link.txt"));
  const old_string = "const one = 1;\n";
  const two = `${old_string}/* two <b>\n lines */\n`;
  home.edits("aaaa", [
    { path: "a.ts", old_string, new_string: two, time: TIME },
    { path: "many.txt", old_string: "line 777\n", new_string: "line of ours\n", time: TIME },
    { path: "gone.txt", content: "gone\n", time: TIME },
    { path: "link.txt", content: "linked\n", time: TIME },
    { path: join(home.path, "outside.txt"), content: "outside\n", time: TIME },
  ]);
  home.write("a.ts", two);
  home.write("many.txt", many.replace("line 777\n", "line of ours\n"));
  return home;
}

// Slow: git makes a repository.
withGit.test("the page of a changed file leads from each line to the prompt that wrote it", async () => {
  await using home = furnished();
  const ask = askOf(home);
  const page = (file: string, more = ""): Promise<WholeResponse> =>
    ask(`blame?ref=${ID}&file=${encodeURIComponent(file)}${more}`);
  const { status, body } = await page("a.ts");
  assert.equal(status, 200);
  assert.match(body, /Lines 1 to 3 of 3: 1 session wrote 2 of them/);
  const rows = [...body.matchAll(/<tr class="([^"]*)"[^>]*>(.*)<\/tr>/g)].map((row) => row[0]);
  assert.match(rows[0] ?? "", /class="first nobody"[^>]*><td class="by" rowspan="1"><\/td>/);
  assert.match(rows[1] ?? "", /class="first proven".* rowspan="2">/);
  assert.ok(
    rows[1]?.includes(`href="session?ref=${ID}&amp;seq=4#e4" dir="auto" title="Change 0"`),
  );
  assert.ok(rows[1]?.includes('<span class="model" title="m-1">m-1</span>'));
  // A colour may span lines.
  assert.ok(rows[1]?.includes('<td>2</td><td><span class="c-comment">/* two &lt;b&gt;</span>'));
  assert.ok(rows[2]?.includes('<td>3</td><td><span class="c-comment"> lines */</span>'));
  const absolute = await page(join(home.work, "a.ts"));
  assert.match(absolute.body, /wrote 2 of them/);

  const middle = await page("many.txt", "&from=501");
  assert.equal(middle.body.match(/<tr class=/g)?.length, 500);
  assert.match(middle.body, /Lines 501 to 1000 of 1100: 1 session wrote 1 of them/);
  assert.match(middle.body, /data-step="earlier" href="blame\?ref=[^"]*&amp;file=many.txt"/);
  assert.match(middle.body, /data-step="later" href="blame\?ref=[^"]*&amp;from=1001"/);
});

withGit.test("no page shows a file that the session did not change in its directory", async () => {
  await using home = furnished();
  const ask = askOf(home);
  const blame = `blame?ref=${ID}&file=`;
  for (const file of ["other.txt", "/etc/passwd", "../outside.txt", ""]) {
    const { status, body } = await ask(`${blame}${encodeURIComponent(file)}`);
    assert.deepEqual([status, /did not change this file/.test(body)], [404, true], file);
    assert.ok(!body.includes("of a person") && !body.includes("kept secret"), file);
  }
  const outside = join(home.path, "outside.txt");
  for (
    const [file, reason] of [
      ["gone.txt", "the file no longer exists"],
      ["link.txt", "the file is a link"],
      [outside, "the file is outside the project directory"],
    ] as const
  ) {
    const { status, body } = await ask(`${blame}${encodeURIComponent(file)}`);
    assert.equal(status, 200);
    assert.ok(body.includes(reason) && body.includes("<code>reprise blame /"), body);
    assert.ok(!body.includes("kept secret"), file);
  }
});

withGit.test("changed files and diffs lead to the blame of their file", async () => {
  await using home = furnished();
  const other = sessionId("bbbb");
  home.keep(other, [user("Change it"), {
    kind: "diff",
    payload: { path: join(home.work, "a.ts"), lines: [{ kind: "added", content: "x" }] },
  }], { cwd: home.work });
  const ask = askOf(home);
  for (const page of [`files?ref=${ID}`, `files?ref=${other}`, `session?ref=${other}`]) {
    const ref = page.slice(page.indexOf("=") + 1);
    assert.ok((await ask(page)).body.includes(`href="blame?ref=${ref}&amp;file=a.ts"`), page);
  }
});

withGit.test("the files page shows the last turn alone, and leads back to all", async () => {
  await using home = furnished();
  const id = sessionId("cccc");
  const change = (name: string): NewEvent => ({
    kind: "diff",
    payload: { path: join(home.work, name), lines: [{ kind: "added", content: "x" }] },
  });
  home.keep(id, [user("First"), change("a.ts"), user("Second"), change("c.ts")], {
    cwd: home.work,
  });
  const ask = askOf(home);
  const { body: all } = await ask(`files?ref=${id}`);
  assert.ok(all.includes("a.ts") && all.includes("c.ts"));
  const [, link = ""] = /href="(\?[^"]*)">Only the files of the last turn/.exec(all) ?? [];
  const { body: last } = await ask(`files${link.replaceAll("&amp;", "&")}`);
  assert.match(last, /Files that the last turn changed in First/);
  assert.ok(!last.includes("a.ts") && last.includes("c.ts"));
  assert.match(last, new RegExp(`href="\\?ref=${id}">All files of the session`));
});
