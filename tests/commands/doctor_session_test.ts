import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { jsonLines } from "../_support/cli.ts";
import { inHome, sessionId } from "../_support/cli_home.ts";
import { concat, linesOf, user } from "../_support/log_bytes.ts";
import { keepPiSession } from "./_pi_session.ts";

const LOGS = new URL("../../testdata/logs/", import.meta.url);

inHome.test("doctor of a whole log says that every byte is an event's", async (home) => {
  const { path } = home.keep(sessionId("aaaa"), [user("hi")]);
  const { size } = await Deno.stat(path);
  const [text, json] = await home.runAll([["doctor", "aaaa"], ["doctor", "aaaa", "--json"]]);
  assert.deepEqual(text, {
    status: 0,
    stdout: `whole: ${size} bytes = ${size} of events + 0 of damage + 0 blank\n`,
    stderr: "",
  });
  assert.deepEqual(jsonLines(json?.stdout ?? ""), [
    { unit: "bytes", total: size, events: size, side: {}, dead: 0, damage: 0, blank: 0 },
  ]);
  assert.equal(json?.status, 0);
});

inHome.test("doctor of a session reports each finding with its place, adds up, and fails", async (home) => {
  const [one = "", , three = ""] = linesOf([user("one"), user("two"), user("three")]);
  const bytes = concat(one, "nonsense\n", "\n", three);
  home.keep(sessionId("aaaa"), [], { bytes });
  const [text, json] = await home.runAll([["doctor", "aaaa"], ["doctor", "aaaa", "--json"]]);
  assert.deepEqual([text?.status, json?.status, text?.stderr, json?.stderr], [1, 1, "", ""]);
  const [malformed, gap, header, tally] = jsonLines(json?.stdout ?? "");
  assert.deepEqual(malformed, {
    code: "malformed-line",
    offset: one.length,
    length: 9,
    line: 2,
    detail: "the line is not an event",
  });
  assert.deepEqual([gap?.code, header?.code], ["seq-gap", "missing-header"]);
  assert.deepEqual(tally, {
    ...{ unit: "bytes", total: bytes.length, events: one.length + three.length },
    ...{ side: {}, dead: 0, damage: 9, blank: 1 },
  });
  const lines = (text?.stdout ?? "").trimEnd().split("\n");
  assert.equal(
    lines[0],
    `line 2, bytes ${one.length}-${one.length + 9}: malformed-line: the line is not an event`,
  );
  assert.match(
    lines.at(-1) ?? "",
    /^damaged: \d+ bytes = \d+ of events \+ 9 of damage \+ 1 blank$/,
  );
});

inHome.test("doctor never calls whole what it fails, nor damaged what it passes", async (home) => {
  const names = await Array.fromAsync(Deno.readDir(LOGS), ({ name }) => name);
  const logs = names.filter((name) => name.endsWith(".jsonl")).sort();
  const statuses = new Set<number>();
  for (const log of logs) {
    const { status, stdout, stderr } = await home.run([
      "doctor",
      fileURLToPath(new URL(log, LOGS)),
    ]);
    const last = stdout.trimEnd().split("\n").at(-1) ?? "";
    assert.equal(stderr, "", log);
    assert.match(last, status === 0 ? /^whole: / : /^(damaged|changed or incomplete): /, log);
    statuses.add(status);
  }
  assert.deepEqual([...statuses].sort(), [0, 1]);
});

inHome.test("doctor reads what is left of a log, and says how much is damage", async (home) => {
  await Deno.writeTextFile(`${home.work}/transcript_events.jsonl`, "# Notes\n\nhello\n");
  const { status, stdout } = await home.run(["doctor", "./transcript_events.jsonl", "--json"]);
  assert.equal(status, 1);
  assert.deepEqual(jsonLines(stdout).at(-1), {
    ...{ unit: "bytes", total: 15, events: 0, side: {}, dead: 0, damage: 14, blank: 1 },
  });
});

inHome.test("doctor and repair say of a file of no known agent what show says", async (home) => {
  await Deno.writeTextFile(`${home.work}/notes.md`, "# Notes\n\nhello\n");
  const foreign = fileURLToPath(
    new URL("../../testdata/agents/foreign/unknown.jsonl", import.meta.url),
  );
  for (const path of [foreign, "./notes.md"]) {
    const [shown, verified, repaired] = await home.runAll([
      ["show", path],
      ["doctor", path],
      ["repair", path, "--out", "clean.jsonl"],
    ]);
    assert.match(shown?.stderr ?? "", /the file belongs to no known agent/, path);
    assert.deepEqual([verified, repaired], [shown, shown], path);
  }
});

inHome.test("doctor of a kept session checks the copies of its source too", async (home) => {
  const { ref, path } = keepPiSession(home);
  const id = (await home.run(["backup", ref])).stdout.slice(0, 36);
  const [whole, log] = await home.runAll([["doctor", id], ["path", id]]);
  assert.equal(whole?.status, 0);
  assert.match(whole?.stdout ?? "", /^whole: .*\n$/);
  assert.equal(whole?.stderr, "The saved copies of the original files are intact\n");
  const copies = join(dirname(log?.stdout.trim() ?? ""), "source");
  const name = path.split(/[\\/]/).at(-1) ?? "";
  Deno.writeTextFileSync(join(copies, name), "x", { append: true });
  const [text, json] = await home.runAll([["doctor", id], ["doctor", id, "--json"]]);
  assert.deepEqual([text?.status, json?.status, text?.stderr, json?.stderr], [1, 1, "", ""]);
  const [finding = "", last = ""] = (text?.stdout ?? "").split("\n");
  assert.equal(finding, `the source: source-copy: ${name} differs from the backup`);
  assert.match(last, /^changed or incomplete: \d+ bytes = \d+ of events \+ 0 of damage/);
  const [found, tally] = jsonLines(json?.stdout ?? "");
  assert.deepEqual(found, { code: "source-copy", detail: `${name} differs from the backup` });
  assert.equal(tally?.damage, 0);
  Deno.removeSync(join(copies, "manifest.json"));
  const { status, stdout } = await home.run(["doctor", id]);
  assert.equal(status, 1);
  assert.match(stdout, /^the source: source-copy: manifest\.json is missing or damaged\n/);
});
