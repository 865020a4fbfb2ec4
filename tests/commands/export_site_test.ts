/** What the files of exported pages are: their links, their bytes and what replaces them. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { UNIX } from "../_support/needing.ts";
import { assistant, user } from "../_support/log_bytes.ts";
import { keepPiSession } from "./_pi_session.ts";
import { testsWith } from "../_support/tests_in.ts";

const inKept = testsWith(kept);

const SECRET = `ghp_${"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"}`;

function kept(): CliHome {
  const home = new CliHome();
  home.keep(sessionId("aaaa"), [user(`Where is the zebra? ${SECRET}`), assistant("Here")]);
  home.keep(sessionId("bbbb"), [user("Where is the lion?"), assistant("There")]);
  return home;
}

/** Every file below a folder with its text and inode: a rewritten one has another. */
function filesOf(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = join(folder, name);
    if (!isDirectory) found.set(name, `${Deno.statSync(path).ino} ${Deno.readTextFileSync(path)}`);
    else for (const [inner, text] of filesOf(path)) found.set(`${name}/${inner}`, text);
  }
  return found;
}

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

function assertOwn(path: string): void {
  if (Deno.build.os === "windows") return;
  assert.equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o600, path);
}

inKept.test("a site links to each of its sessions, is its owner's alone, and contains no secret", async (home) => {
  keepPiSession(home);
  const { stdout, stderr } = await home.succeed(["export", "--all", "--out", "site"]);
  assert.equal(stdout, "");
  assert.match(stderr, /^Wrote site\/index\.html: 3 sessions written, \d+ secrets? replaced\n$/);
  const site = join(home.work, "site");
  const files = filesOf(site);
  const all = [...files.values()].join("");
  assert.ok(!all.includes(SECRET) && all.includes("redacted:github-token"));
  for (const list of ["index.html", "projects.html"]) {
    const links = [...(files.get(list) ?? "").matchAll(/href="(sessions\/[^"]+)"/g)];
    assert.equal(new Set(links.map(([, href]) => href)).size, 3);
    for (const [, href = ""] of links) assert.ok(files.has(href), href);
  }
  assertOwn(join(site, "index.html"));
  // A site with secrets is refused there.
  const mixed = await home.run(["export", "--all", "--no-redact", "--out", "site"]);
  assert.deepEqual([mixed.status, filesOf(site)], [1, files]);
});

inKept.test("an export goes on where a killed one ended, and writes only what changed", async (home) => {
  const site = join(home.work, "site");
  await home.succeed(["export", "--query", "zebra", "--out", "site"]);
  // Killed in a session, in a line of the record, and before the search was written.
  Deno.mkdirSync(join(site, ".draft"));
  Deno.writeTextFileSync(join(site, ".draft", "index.html"), "half");
  Deno.writeTextFileSync(join(site, "site.jsonl"), '\n{"name":"x","dig', { append: true });
  const { stderr } = await home.succeed(["export", "--all", "--out", "site"]);
  assert.match(stderr, /1 session written, 1 unchanged/);
  await home.succeed(["export", "--all", "--out", "other"]);
  const before = filesOf(site);
  assert.deepEqual([...before.keys()].sort(), [...filesOf(join(home.work, "other")).keys()].sort());
  await home.succeed(["export", "--all", "--out", "site"]);
  assert.deepEqual(filesOf(site), before);
  home.keep(sessionId("cccc"), [user("Where is the gnu?")]);
  await home.succeed(["export", "--all", "--out", "site"]);
  const after = filesOf(site);
  assert.match(after.get("index.html") ?? "", /3 sessions/);
  const same = [...before].filter(([name, text]) => after.get(name) === text);
  assert.ok(same.length >= 8, String(same.length));
  for (const name of before.keys()) {
    if (name.startsWith("sessions/")) assert.equal(after.get(name), before.get(name), name);
  }
});

testsWith(kept, UNIX).test("a site is never written through a link", async (home) => {
  const [site, other] = [join(home.work, "site"), join(home.work, "other")];
  Deno.mkdirSync(other);
  Deno.writeTextFileSync(join(other, "mine.txt"), "mine");
  await home.succeed(["export", "--query", "zebra", "--out", "site"]);
  Deno.removeSync(join(site, "index.html"));
  Deno.symlinkSync(join(other, "mine.txt"), join(site, "index.html"));
  await home.succeed(["export", "--all", "--out", "site"]);
  assert.ok(Deno.lstatSync(join(site, "index.html")).isFile);
  Deno.renameSync(join(site, "sessions"), join(home.work, "moved"));
  Deno.symlinkSync(other, join(site, "sessions"));
  const through = await home.run(["export", "--all", "--out", "site"]);
  assert.match(through.stderr, /"sessions" in the site's folder is not a folder/);
  assert.deepEqual(namesIn(other), ["mine.txt"]);
  assert.equal(Deno.readTextFileSync(join(other, "mine.txt")), "mine");
});

// Slow: pages of five megabytes are written several times.
inHome.test("a long session becomes a folder of pages, in a site too; --single and standard output get one page", async (home) => {
  const answer = assistant(`\`\`\`\n${"学".repeat(34_000)}\n\`\`\``);
  const prompts = Array.from({ length: 52 }, (_, at): NewEvent[] => [user(`prompt ${at}`), answer]);
  home.keep(sessionId("aaaa"), prompts.flat());
  const args = ["export", "aaaa", "--no-redact", "--out", "talk.html"];
  const first = await home.succeed(args);
  assert.equal(first.stdout, "");
  assert.match(first.stderr, /Wrote .*talk\/index\.html/);
  assert.deepEqual(namesIn(home.work), ["talk"]);
  const folder = join(home.work, "talk");
  const pages = namesIn(folder).filter((name) => name !== "search");
  assert.ok(pages.includes("index.html") && pages.includes("2.html"), pages.join(" "));
  for (const name of pages) {
    assert.ok(Deno.statSync(join(folder, name)).size < 5_000_000, name);
    assertOwn(join(folder, name));
  }
  const all = pages.filter((name) => /^\d/.test(name))
    .map((name) => Deno.readTextFileSync(join(folder, name))).join("");
  assert.equal(all.split('class="prompt"').length, 53);

  // The folder is there: nothing takes its place, and nothing is left behind.
  for (const flags of [[], ["--force"]]) {
    const { status, stderr } = await home.run([...args, ...flags]);
    assert.equal(status, 1);
    assert.match(
      stderr,
      /becomes a folder, but a folder with this name exists\. Choose another name, or add --single/,
    );
    assert.deepEqual(namesIn(home.work), ["talk"]);
  }
  await home.succeed([...args, "--single"]);
  assert.ok(Deno.statSync(join(home.work, "talk.html")).size > 5_000_000);
  const { stdout } = await home.succeed(["export", "aaaa", "--format", "html", "--no-redact"]);
  assert.ok(new Blob([stdout]).size > 5_000_000 && stdout.endsWith("</html>\n"));

  await home.succeed(["export", "--all", "--out", "site", "--no-redact"]);
  const files = filesOf(join(home.work, "site"));
  const names = [...files.keys()].filter((name) => /\/\d+\.html$/.test(name));
  assert.ok(names.length > 3);
  for (const name of names) {
    assert.ok(files.get("search/pages.js")?.includes(name), name);
    assert.match(files.get(name) ?? "", /href="\.\.\/\.\.\/index\.html"/);
  }
});

inHome.test("a page shows every thread, without their secrets", async (home) => {
  const { ref, path } = keepPiSession(home);
  for (const text of [`one way ${SECRET}`, "other way"]) {
    const message = { role: "user", content: [{ type: "text", text }] };
    const timestamp = "2026-11-21T20:05:00.000Z";
    const id = text.replaceAll(" ", "");
    const record = { type: "message", id, parentId: "a1", timestamp, message };
    Deno.writeTextFileSync(path, JSON.stringify(record) + "\n", { append: true });
  }
  const { stdout, stderr } = await home.run(["export", ref, "--format", "html"]);
  assert.ok(stdout.includes("other way"));
  assert.match(stdout, /<div class="thread-head" id="t1">[^]*one way/);
  assert.ok(!stdout.includes(SECRET));
  assert.match(stderr, /Replaced \d+ secrets?/);
  assert.doesNotMatch(stderr, /other branch/);
  const alone = await home.run(["export", `${ref}~onewayghp`, "--format", "html"]);
  assert.ok(!alone.stdout.includes(`class="thread-head"`), alone.stderr);
});
