/** Exports that a transcript cannot play: bytes, modes, signals, and what no form may show. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { EXPORT_FORMATS } from "../../lib/features/export/export_document.ts";
import { atifFaults } from "../_support/atif_rules.ts";
import { stsFaults } from "../_support/sts_rules.ts";
import { inHome, sessionId, testsAtHome } from "../_support/cli_home.ts";
import { assistant, toolEnd, toolStart, user } from "../_support/log_bytes.ts";
import { UNIX } from "../_support/needing.ts";

const onUnix = testsAtHome(UNIX);

// Put together here, so that nobody takes them for ones that are in use.
const TOKEN = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";
const PASSWORD = "Tr0ub4dor" + "-9xQz-71kk";

// Slow: a session is exported in every format.
inHome.test("each form tells the messages in harmless text, those for sharing tell no secret, and the log stays", async (home) => {
  const { path } = home.keep(sessionId("aaaa"), [
    user(`Use ${TOKEN} and ${PASSWORD}: \x1b]0;owned\x07 \x9b31m \u202e abc`),
    ...[toolStart("c1"), toolEnd("c1", `unearthed ${TOKEN}`), toolStart("c1"), toolEnd("c1")],
    assistant("Done."),
    // The password is named in a record that no form for sharing shows.
    { kind: "extension", payload: { agent: "pi", type: "settings", data: { password: PASSWORD } } },
  ], { title: "The talk" });
  const log = Deno.readTextFileSync(path);
  const { mtime } = Deno.statSync(path);
  for (const format of EXPORT_FORMATS) {
    const { stdout, stderr } = await home.succeed(["export", "aaaa", "--format", format]);
    assert.match(stdout, /owned.* abc[^]*unearthed[^]*Done\./, format);
    if (format === "jsonl") assert.equal(stdout, log);
    else assert.doesNotMatch(stdout, /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u, format);
    if (format === "jsonl" || format === "json") {
      assert.ok(stdout.includes(TOKEN) && stdout.includes(PASSWORD), format);
      assert.equal(stderr, "");
      continue;
    }
    for (const secret of [TOKEN, PASSWORD]) {
      assert.ok(!`${stdout}${stderr}`.includes(secret), format);
    }
    assert.match(stderr, /Replaced 2 secrets in \d+ places:\n[^]*#2 payload\.content/, format);
    const placeholders = new Set(stdout.match(/\[redacted:github-token[^\]]*\]/g));
    assert.equal(placeholders.size, 1, `${format}: ${[...placeholders]}`);
    if (format === "atif") assert.deepEqual(atifFaults(JSON.parse(stdout)), []);
    if (format === "sts") assert.deepEqual(stsFaults(stdout), []);
    if (format === "md" || format === "html" || format === "text") {
      assert.match(stdout, /2026-11-21 20:21 UTC/, format);
      assert.doesNotMatch(stdout.replaceAll(/datetime="[^"]*"/g, ""), /\d-\d\dT\d/, format);
    }
  }
  assert.deepEqual([Deno.readTextFileSync(path), Deno.statSync(path).mtime], [log, mtime]);
});

inHome.test("a damaged log is copied as it is, bytes that are no text too", async (home) => {
  const bytes = Uint8Array.from([...new TextEncoder().encode('{"a":1}\n{"b'), 0xff, 0, 10]);
  home.keep(sessionId("aaaa"), [], { bytes });
  await home.succeed(["export", "aaaa", "--out", "copy.jsonl"]);
  assert.deepEqual(Deno.readFileSync(join(home.work, "copy.jsonl")), bytes);
});

Deno.test("the rules of session traces find what breaks them", () => {
  const head = '{"type":"session","harness":"a","id":"b"}\n';
  const broken = [
    '{"type":"session","id":"b"}',
    ...[
      '{"role":"bot","content":""}',
      '{"role":"user"}',
      '{"role":"tool","content":"","toolCallId":"x"}',
      '{"role":"assistant","content":"","toolCalls":[{"id":"x","function":{"name":"f","arguments":{}}}]}',
      '{"role":"user","content":"","timestamp":"now"}',
    ].map((message) => `${head}{"type":"message","message":${message}}`),
  ];
  for (const text of broken) assert.notDeepEqual(stsFaults(text), [], text);
});

onUnix.test("--out is of the user alone, and takes the place of no folder, device or pipe, not even with --force", async (home) => {
  home.keep(sessionId("aaaa"), [user("hi")]);
  const pipe = join(home.work, "pipe");
  new Deno.Command("mkfifo", { args: [pipe] }).outputSync();
  Deno.symlinkSync("pipe", join(home.work, "link"));
  const irregular = /the path is not a regular file; .*redirect stdout/;
  const places = { pipe: irregular, link: irregular, ".": /the path is a directory; name a file/ };
  for (const [place, reason] of Object.entries(places)) {
    for (const force of [[], ["--force"]]) {
      const args = ["export", "aaaa", "--format", "md", "--out", join(home.work, place), ...force];
      const { status, stderr } = await home.run(args);
      assert.equal(status, 1, place);
      assert.match(stderr, reason);
    }
  }
  assert.ok(Deno.statSync(pipe).isFifo);
  await home.succeed(["export", "aaaa", "--out", "talk.html"]);
  assert.equal((Deno.statSync(join(home.work, "talk.html")).mode ?? 0) & 0o777, 0o600);
  const names = [...Deno.readDirSync(home.work)].map(({ name }) => name).sort();
  assert.deepEqual(names, ["link", "pipe", "talk.html"]);
});

onUnix.test("an export that is interrupted leaves no file, and its status says so", async (home) => {
  const text = "word ".repeat(20_000);
  home.keep(sessionId("aaaa"), Array.from({ length: 60 }, () => user(text)));
  const names = (): string[] => [...Deno.readDirSync(home.work)].map(({ name }) => name);
  for (const flags of [["--out", "x.md", "--no-redact"], ["--out", "x.jsonl"]]) {
    let cancelled = false;
    // On a busy machine the program may be done before the signal reaches it.
    for (let attempt = 0; attempt < 8 && !cancelled; attempt++) {
      const before = names().length;
      const running = home.talk(["export", "aaaa", ...flags, "--force"]);
      const ended = running.end();
      while (names().length === before) await new Promise((next) => setTimeout(next, 1));
      running.kill("SIGINT");
      cancelled = (await ended).status === 130;
      if (!cancelled) { for (const name of names()) Deno.removeSync(join(home.work, name)); }
    }
    assert.ok(cancelled, flags.join(" "));
    assert.deepEqual(names(), []);
  }
});
