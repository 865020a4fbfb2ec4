import assert from "node:assert/strict";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { inHome, sessionId } from "../_support/cli_home.ts";
import { assistant, user } from "../_support/log_bytes.ts";
import { keepPiSession } from "./_pi_session.ts";

const ID = sessionId("aaaa");

/** Makes a session whose page is longer than 5 MB. */
function longSession(): NewEvent[] {
  return Array.from(
    { length: 52 },
    (_, index) => [user(`prompt ${index}`), assistant(`\`\`\`\n${"学".repeat(34_000)}\n\`\`\``)],
  ).flat();
}

// Slow: a page of five megabytes is written several times.
inHome.test("a long session becomes a folder of pages, --single and standard output get one page", async (home) => {
  home.keep(ID, longSession());
  const out = `${home.work}/talk.html`;
  const first = await home.run(["export", ID, "--out", out, "--no-redact"]);
  assert.deepEqual([first.status, first.stdout], [0, ""]);
  assert.match(first.stderr, /Wrote .*talk\/index\.html/);
  const names = [...Deno.readDirSync(home.work)].map(({ name }) => name);
  assert.deepEqual(names, ["talk"]);
  const pages = [...Deno.readDirSync(`${home.work}/talk`)].map(({ name }) => name).sort();
  assert.ok(pages.includes("index.html") && pages.includes("2.html"), pages.join(" "));
  for (const name of pages.filter((name) => name !== "search")) {
    const { size, mode } = Deno.statSync(`${home.work}/talk/${name}`);
    assert.ok(size < 5_000_000, name);
    if (Deno.build.os !== "windows") assert.equal((mode ?? 0) & 0o777, 0o600);
  }

  // The folder is there: nothing takes its place, and nothing is left behind.
  for (const flags of [[], ["--force"]]) {
    const { status, stderr } = await home.run([
      "export",
      ID,
      "--out",
      out,
      "--no-redact",
      ...flags,
    ]);
    assert.equal(status, 1);
    assert.match(
      stderr,
      /becomes a folder, but a folder with this name exists\. Choose another name, or add --single/,
    );
    assert.deepEqual([...Deno.readDirSync(home.work)].map(({ name }) => name), ["talk"]);
  }
  const single = await home.run(["export", ID, "--out", out, "--single", "--no-redact"]);
  assert.equal(single.status, 0, single.stderr);
  assert.ok(Deno.statSync(out).size > 5_000_000);
  const all = pages.filter((name) => /^\d/.test(name))
    .map((name) => Deno.readTextFileSync(`${home.work}/talk/${name}`)).join("");
  assert.equal(all.split('class="prompt"').length, 53);

  // Standard output gets one page, however long.
  const { stdout } = await home.succeed(["export", ID, "--format", "html", "--no-redact"]);
  assert.ok(new Blob([stdout]).size > 5_000_000 && stdout.endsWith("</html>\n"));
});

inHome.test("--single is refused where it means nothing", async (home) => {
  home.keep(ID, [user("hi")]);
  const { status, stderr } = await home.run(["export", ID, "--format", "md", "--single"]);
  assert.equal(status, 2);
  assert.match(stderr, /--single is for html/);
});

inHome.test("the page names models, tokens, cost and duration", async (home) => {
  const answer: NewEvent = {
    kind: "assistant_message",
    payload: { content: "ok", model: "m-1", usage: { input: 1200, output: 30 }, cost_usd: 0.25 },
  };
  home.keep(ID, [user("hi"), answer]);
  const { stdout } = await home.run(["export", ID, "--format", "html"]);
  for (const fact of ["m-1", "1.2k in", "$0.25", "<dt>Duration</dt><dd>2.0 s</dd>"]) {
    assert.ok(stdout.includes(fact), fact);
  }
});

inHome.test("the page shows every thread, without their secrets", async (home) => {
  const { ref, path } = keepPiSession(home);
  const secret = `ghp_${"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"}`;
  for (const text of [`one way ${secret}`, "other way"]) {
    const message = { role: "user", content: [{ type: "text", text }] };
    const timestamp = "2026-11-21T20:05:00.000Z";
    const id = text.replaceAll(" ", "");
    const record = { type: "message", id, parentId: "a1", timestamp, message };
    Deno.writeTextFileSync(path, JSON.stringify(record) + "\n", { append: true });
  }
  const { stdout, stderr } = await home.run(["export", ref, "--format", "html"]);
  assert.ok(stdout.includes("other way"));
  assert.match(stdout, /<div class="thread-head" id="t1">/);
  assert.match(stdout.slice(stdout.indexOf(`class="thread-head"`)), /one way/);
  assert.ok(!stdout.includes(secret));
  assert.match(stderr, /Replaced \d+ secrets?/);
  assert.doesNotMatch(stderr, /other branch/);
  const alone = await home.run(["export", `${ref}~onewayghp`, "--format", "html"]);
  assert.ok(!alone.stdout.includes(`class="thread-head"`), alone.stderr);
});
