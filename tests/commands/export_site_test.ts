import assert from "node:assert/strict";
import { join } from "node:path";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { assistant, user } from "../_support/log_bytes.ts";
import { keepPiSession } from "./_pi_session.ts";
import { testsWith } from "../_support/tests_in.ts";

const inKept = testsWith(kept);

const [ONE, TWO, LONG] = [sessionId("aaaa"), sessionId("bbbb"), sessionId("cccc")];
const SECRET = `ghp_${"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"}`;

function kept(): CliHome {
  const home = new CliHome();
  home.keep(ONE, [user(`Where is the zebra? ${SECRET}`), assistant("Here")]);
  home.keep(TWO, [user("Where is the lion?"), assistant("There")]);
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

inKept.test("export writes sessions as a site, without their secrets", async (home) => {
  keepPiSession(home);
  const { status, stderr, stdout } = await home.run(["export", "--all", "--out", "site"]);
  assert.deepEqual([status, stdout], [0, ""], stderr);
  assert.match(stderr, /^Wrote site\/index\.html: 3 sessions written, \d+ secrets? replaced\n$/);
  const files = filesOf(join(home.work, "site"));
  const all = [...files.values()].join("");
  assert.ok(!all.includes(SECRET) && all.includes("redacted:github-token"));
  for (const list of ["index.html", "projects.html"]) {
    const links = [...(files.get(list) ?? "").matchAll(/href="(sessions\/[^"]+)"/g)];
    assert.equal(new Set(links.map(([, href]) => href)).size, 3);
    for (const [, href = ""] of links) assert.ok(files.has(href), href);
  }
  if (Deno.build.os !== "windows") {
    assert.equal((Deno.statSync(join(home.work, "site", "index.html")).mode ?? 0) & 0o777, 0o600);
  }
  // As it is: with the secret, and in a folder of its own.
  const mixed = await home.run(["export", "--all", "--no-redact", "--out", "site"]);
  assert.deepEqual([mixed.status, filesOf(join(home.work, "site"))], [1, files]);
  assert.match(
    mixed.stderr,
    /the site in this folder has redacted pages, so .+; choose another folder/,
  );
  await home.run(["export", "--all", "--no-redact", "--out", "open"]);
  assert.ok([...filesOf(join(home.work, "open")).values()].join("").includes(SECRET));
});

inKept.test("export chooses the sessions of a site by the words that lists take", async (home) => {
  const response = {
    kind: "assistant_message",
    payload: { content: "Yes", model: "m-1" },
  } as const;
  home.keep(LONG, [user("A gnu?"), response], { branch: "feature/login" });
  const cases: [args: string[], written: RegExp][] = [
    [["--branch", "LOGIN"], /: 1 session written/],
    [["--model", "m-"], /: 1 session written/],
    [["--title", "lion"], /: 1 session written/],
    [["--branch", "none"], /^No session matches/],
  ];
  const results = await home.runAll(
    cases.map(([args], index) => ["export", ...args, "--out", `site${index}`]),
  );
  for (const [index, [, written]] of cases.entries()) {
    assert.match(results[index]?.stderr ?? "", written);
  }
});

inKept.test("a second export writes only what changed, and a chosen few", async (home) => {
  const site = join(home.work, "site");
  const few = await home.run(["export", "--query", "zebra", "--out", "site"]);
  assert.match(few.stderr, /: 1 session written/);
  const rest = await home.run(["export", "--all", "--project", home.work, "--out", "site"]);
  assert.match(rest.stderr, /: 1 session written, 1 unchanged/);
  const before = filesOf(site);
  const again = await home.run(["export", "--all", "--out", "site"]);
  assert.match(again.stderr, /: 0 sessions written, 2 unchanged\n$/);
  assert.deepEqual(filesOf(site), before);
  home.keep(LONG, [user("Where is the gnu?")]);
  await home.run(["export", "--all", "--out", "site"]);
  const after = filesOf(site);
  const same = [...before].filter(([name, text]) => after.get(name) === text);
  assert.ok(same.length >= 8, String(same.length));
  for (const name of before.keys()) {
    if (name.startsWith("sessions/")) assert.equal(after.get(name), before.get(name), name);
  }
  assert.match(after.get("index.html") ?? "", /3 sessions/);
});

inKept.test("an export that was killed goes on", async (home) => {
  const site = join(home.work, "site");
  await home.run(["export", "--query", "zebra", "--out", "site"]);
  // Killed in a session, in a line of the record, and before the search was written.
  Deno.mkdirSync(join(site, ".draft"));
  Deno.writeTextFileSync(join(site, ".draft", "index.html"), "half");
  Deno.writeTextFileSync(join(site, "site.jsonl"), '\n{"name":"x","dig', { append: true });
  const { status, stderr } = await home.run(["export", "--all", "--out", "site"]);
  assert.deepEqual([status, stderr.includes("1 session written, 1 unchanged")], [0, true], stderr);
  assert.ok(![...Deno.readDirSync(site)].some(({ name }) => name === ".draft"));
  const whole = await home.run(["export", "--all", "--out", "other"]);
  assert.equal(whole.status, 0);
  const [one, other] = ["site", "other"].map((name) => [...filesOf(join(home.work, name)).keys()]);
  assert.deepEqual(one?.sort(), other?.sort());
});

// Slow: the session is longer than a page of five megabytes.
inKept.test("a long session is a folder of pages in the site, and its pages are searched", async (home) => {
  const long = Array.from(
    { length: 52 },
    (
      _,
      at,
    ): NewEvent[] => [user(`prompt ${at}`), assistant(`\`\`\`\n${"学".repeat(34_000)}\n\`\`\``)],
  ).flat();
  home.keep(LONG, long);
  await home.run(["export", "--all", "--out", "site", "--no-redact"]);
  const files = filesOf(join(home.work, "site"));
  const names = [...files.keys()].filter((name) => /\/\d+\.html$/.test(name));
  assert.ok(names.length > 3);
  const pages = files.get("search/pages.js") ?? "";
  for (const name of names) {
    assert.ok(pages.includes(name), name);
    assert.match(files.get(name) ?? "", /href="\.\.\/\.\.\/index\.html"/);
  }
});

inKept.test("a site is never written into another folder, nor through a link", async (home) => {
  const other = join(home.work, "other");
  Deno.mkdirSync(other);
  Deno.writeTextFileSync(join(other, "mine.txt"), "mine");
  const into = await home.run(["export", "--all", "--out", "other"]);
  assert.equal(into.status, 1);
  assert.match(into.stderr, /Cannot write site: the folder is not empty and is not a Reprise site/);
  assert.deepEqual([...filesOf(other).keys()], ["mine.txt"]);
  if (Deno.build.os === "windows") return;
  await home.run(["export", "--query", "zebra", "--out", "site"]);
  const site = join(home.work, "site");
  Deno.removeSync(join(site, "index.html"));
  Deno.symlinkSync(join(other, "mine.txt"), join(site, "index.html"));
  assert.equal((await home.run(["export", "--all", "--out", "site"])).status, 0);
  assert.ok(Deno.lstatSync(join(site, "index.html")).isFile);
  Deno.renameSync(join(site, "sessions"), join(home.work, "moved"));
  Deno.symlinkSync(other, join(site, "sessions"));
  const through = await home.run(["export", "--all", "--out", "site"]);
  assert.match(through.stderr, /"sessions" in the site's folder is not a folder/);
  assert.deepEqual([...filesOf(other)].map(([name, text]) => [name, text.slice(-4)]), [
    ["mine.txt", "mine"],
  ]);
});

inKept.test("export says what a site needs", async (home) => {
  const cases: [string[], RegExp][] = [
    [[], /Name a session, or export several/],
    [["--all"], /to write a site, name its folder/],
    [["--all", "--out", "s", "--format", "md"], /a site can be written only as html/],
    [["--all", "--out", "s", "--single"], /--single works only with one session/],
    [["aaaa", "--all"], /not both/],
    [["--query", '"open', "--out", "s"], /Cannot search for/],
  ];
  for (const [args, message] of cases) {
    const { status, stderr } = await home.run(["export", ...args]);
    assert.equal(status, 2, args.join(" "));
    assert.match(stderr, message);
  }
  const none = await home.run(["export", "--tag", "none", "--out", "s"]);
  assert.match(none.stderr, /No session matches/);
});
