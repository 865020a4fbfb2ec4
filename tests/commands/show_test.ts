import assert from "node:assert/strict";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { jsonLines } from "../_support/cli.ts";
import { inHome, sessionId } from "../_support/cli_home.ts";
import {
  assistant,
  concat,
  linesOf,
  logOf,
  toolEnd,
  toolStart,
  user,
} from "../_support/log_bytes.ts";
import { keepPiSession } from "./_pi_session.ts";

const TALK: NewEvent[] = [
  user("Why?"),
  assistant("Let me look."),
  toolStart("c1"),
  toolEnd("c1", Array.from({ length: 60 }, (_, at) => `line ${at}`).join("\n")),
  assistant("Because."),
];

inHome.test("show prints the transcript in order, and nothing on stderr", async (home) => {
  home.keep(sessionId("aaaa"), TALK);
  const { status, stdout, stderr } = await home.run(["show", "aaaa"]);
  assert.deepEqual([status, stderr], [0, ""]);
  const places = ["session", "Why?", "Let me look.", "read_file a.ts", "line 0", "Because."]
    .map((text) => stdout.indexOf(text));
  assert.ok(places.every((place) => place >= 0), stdout);
  assert.deepEqual(places, places.toSorted((a, b) => a - b));
  assert.match(stdout, /more lines .*--full/);
  assert.ok(!stdout.includes("line 30\n"));
});

inHome.test("show --full prints long outputs to their end", async (home) => {
  home.keep(sessionId("aaaa"), TALK);
  const { stdout } = await home.run(["show", "aaaa", "--full"]);
  for (const at of [0, 30, 59]) assert.match(stdout, new RegExp(`line ${at}\\n`));
  assert.ok(!stdout.includes("--full"));
});

inHome.test("show --json is one item a line with every field", async (home) => {
  const kept = home.keep(sessionId("aaaa"), TALK, { title: "T" });
  const { status, stdout, stderr } = await home.run(["show", "aaaa", "--json"]);
  assert.deepEqual([status, stderr], [0, ""]);
  const base = (seq: number): unknown => ({
    seq,
    time: `2026-11-21T20:21:5${2 + seq}.000Z`,
    integrity: "verified",
  });
  const turn = { turn_id: "t1" };
  const items = jsonLines(stdout);
  assert.deepEqual(items.map(({ type, seq, end_seq }) => [type, seq, end_seq]), [
    ["session", 1, undefined],
    ["message", 2, undefined],
    ["message", 3, undefined],
    ["tool", 4, 5],
    ["message", 6, undefined],
  ]);
  assert.deepEqual(items[0], {
    type: "session",
    ...base(1) as object,
    session: {
      session_id: kept.id,
      created_at: "2026-11-21T20:21:53.000Z",
      cwd: home.work,
      title: "T",
    },
  });
  assert.deepEqual(items[1], {
    type: "message",
    ...base(2) as object,
    ...turn,
    role: "user",
    content: "Why?",
  });
  assert.deepEqual(items[3], {
    type: "tool",
    ...base(4) as object,
    ...turn,
    end_seq: 5,
    call_id: "c1",
    name: "read_file",
    input: { path: "a.ts" },
    status: "ok",
    output: (TALK[3]?.payload as { output: string }).output,
  });
});

inHome.test("show --events gives the events as they are, with their integrity", async (home) => {
  const { path } = home.keep(sessionId("aaaa"), TALK);
  const { stdout } = await home.run(["show", "aaaa", "--events"]);
  const logged = jsonLines(await Deno.readTextFile(path)).map(({ crc: _, ...event }) => ({
    ...event,
    integrity: "verified",
  }));
  assert.deepEqual(jsonLines(stdout), logged);
  assert.equal(logged.length, 6);
});

inHome.test("show --last and REF#seq choose where to begin, in every form", async (home) => {
  home.keep(sessionId("aaaa"), TALK);
  const cases: [string[], number[]][] = [
    [["aaaa", "--json", "--last", "2"], [4, 6]],
    [["aaaa", "--json", "--last", "99"], [1, 2, 3, 4, 6]],
    [["aaaa", "--events", "--last", "2"], [5, 6]],
    [["aaaa#3", "--json"], [3, 4, 6]],
    // The call that it settles began before.
    [["aaaa#5", "--json"], [4, 6]],
    [["aaaa#5", "--events"], [5, 6]],
    [["aaaa#2", "--json", "--last", "1"], [6]],
    [["aaaa#0", "--events", "--last", "1"], [6]],
  ];
  const results = await home.runAll(cases.map(([args]) => ["show", ...args]));
  for (const [index, [args, expected]] of cases.entries()) {
    const { status, stdout = "" } = results[index] ?? {};
    assert.deepEqual(
      [status, jsonLines(stdout).map(({ seq }) => seq)],
      [0, expected],
      args.join(" "),
    );
  }
});

inHome.test("an event that the session does not have is not found", async (home) => {
  home.keep(sessionId("aaaa"), TALK);
  for (const args of [["aaaa#7"], ["aaaa#7", "--json"], ["aaaa#7", "--events"]]) {
    const { status, stdout, stderr } = await home.run(["show", ...args]);
    assert.deepEqual([status, stdout], [1, ""]);
    assert.equal(stderr, 'reprise: Cannot find event "aaaa#7": the last event is 6\n');
  }
});

inHome.test("show says that a log is damaged, and shows the rest of it", async (home) => {
  const lines = linesOf([user("one"), user("two"), user("three")]);
  const bytes = concat(lines[0] ?? "", "nonsense\n", lines[2] ?? "", '{"v":1,"seq":4,"ki');
  home.keep(sessionId("aaaa"), [], { bytes });
  const { stdout, stderr } = await home.succeed(["show", "aaaa"]);
  assert.match(stdout, /one[^]*three/);
  assert.equal(
    stderr,
    "reprise: the log is damaged (1 malformed-line, 1 seq-gap, 1 torn-tail). See: reprise doctor aaaa\n",
  );
});

inHome.test("show of a log without events says so", async (home) => {
  home.keep(sessionId("aaaa"), [], { bytes: new Uint8Array() });
  for (const args of [["aaaa"], ["aaaa", "--json"], ["aaaa", "--events"]]) {
    const { status, stdout, stderr } = await home.run(["show", ...args]);
    assert.deepEqual([status, stdout, stderr], [0, "", "The session has no events\n"]);
  }
});

inHome.test("show of a file that is no session is refused", async (home) => {
  await Deno.writeTextFile(`${home.work}/notes.md`, "# Notes\n");
  const { status, stdout, stderr } = await home.run(["show", "notes.md"]);
  assert.deepEqual([status, stdout], [1, ""]);
  assert.match(
    stderr,
    /^reprise: Cannot read session: the file belongs to no known agent: .*notes\.md\nTo list the sessions that changed this file: reprise list --file .*notes\.md --all\n$/,
  );
});

inHome.test("show says that a file is UTF-16, and how to convert it", async (home) => {
  const text = '\ufeff{"seq":1,"kind":"user_message","payload":{"content":"by hand"}}\n';
  const units = Uint16Array.from(text, (char) => char.charCodeAt(0));
  await Deno.writeFile(`${home.work}/utf16.jsonl`, new Uint8Array(units.buffer));
  const { status, stderr } = await home.run(["show", "utf16.jsonl"]);
  assert.equal(status, 1);
  assert.match(
    stderr,
    /^reprise: Cannot read session: the file is UTF-16, .*utf16\.jsonl\n.*Set-Content -Encoding utf8/,
  );
});

inHome.test("show takes whatever encoder of the plain shape", async (home) => {
  const path = `${home.work}/plain.jsonl`;
  const plain = '{"seq":1,"kind":"user_message","payload":{"content":"by hand"}}\n';
  await Deno.writeTextFile(path, plain);
  const [relative, absolute, folder] = await home.runAll([
    ["show", "plain.jsonl", "--json"],
    ["show", path, "--json"],
    ["show", home.keep(sessionId("bbbb"), [], { bytes: logOf([user("by hand")]) }).directory],
  ]);
  assert.deepEqual(jsonLines(relative?.stdout ?? ""), [
    { type: "message", seq: 1, integrity: "unverified", role: "user", content: "by hand" },
  ]);
  assert.deepEqual(absolute, relative);
  assert.match(folder?.stdout ?? "", /by hand/);
});

inHome.test("a thread is refused where a session has no other than its main one", async (home) => {
  home.keep(sessionId("aaaa"), TALK);
  for (const name of ["show", "conversation"]) {
    const { status, stdout, stderr } = await home.run([name, "aaaa", "--thread", "x"]);
    assert.equal(status, 1);
    assert.doesNotMatch(stdout, /role/);
    assert.match(stderr, /^reprise: Cannot find branch or subagent "x": the session has none/);
  }
});

inHome.test("show --last of a short session of another agent has the numbers of its events", async (home) => {
  const { ref, path } = keepPiSession(home);
  for (const [index, role] of ["assistant", "user", "assistant"].entries()) {
    const [id, parentId] = [`b${index}`, index === 0 ? "a1" : `b${index - 1}`];
    const message = { role, content: [{ type: "text", text: `said ${index}` }] };
    const record = {
      type: "message",
      id,
      parentId,
      timestamp: "2026-11-21T20:01:00.000Z",
      message,
    };
    await Deno.writeTextFile(path, JSON.stringify(record) + "\n", { append: true });
  }
  const [all, last, json] = await home.runAll([
    ["show", ref],
    ["show", ref, "--last", "1"],
    ["show", ref, "--last", "1", "--json"],
  ]);
  const [, seq = ""] = /#(\d+)[^#]*$/.exec(all?.stdout ?? "") ?? [];
  assert.match(last?.stdout ?? "", new RegExp(`^assistant #${seq} · .*\nsaid 2\n`));
  assert.deepEqual(jsonLines(json?.stdout ?? "").map((item) => item.seq), [Number(seq)]);
  const [shown] = await home.runAll([["show", `${ref}#${seq}`]]);
  assert.match(
    shown?.stdout ?? "",
    new RegExp(`^▶ #${seq}\nassistant #${seq} · .*\nsaid 2\n`, "m"),
  );
});

inHome.test("REF#seq shows an event after the items before it, and marks it", async (home) => {
  home.keep(sessionId("aaaa"), TALK);
  const { stdout } = await home.run(["show", "aaaa#5"]);
  assert.match(stdout, /^▌ user #2 [^]*\nLet me look\.\n\n▶ #5\n→ read_file a\.ts[^]*Because\.\n/);
  assert.equal(stdout.split("▶").length, 2);
});

inHome.test("show --tools says how much of calls is shown", async (home) => {
  home.keep(sessionId("aaaa"), TALK);
  const [full, brief, none] = await home.runAll(
    ["full", "brief", "none"].map((detail) => ["show", "aaaa", "--tools", detail]),
  );
  assert.match(full?.stdout ?? "", /read_file[^]*line 1/);
  assert.match(brief?.stdout ?? "", /→ read_file a\.ts · ok\n\n/);
  assert.doesNotMatch(brief?.stdout ?? "", /line 1/);
  assert.doesNotMatch(none?.stdout ?? "", /read_file/);
  assert.match(none?.stdout ?? "", /Because\./);
});

inHome.test("show says after each turn what it took", async (home) => {
  const taken = { model: "m1", usage: { input: 1200, output: 30 }, cost_usd: 0.5 };
  const answer: NewEvent = { kind: "assistant_message", payload: { content: "Done.", ...taken } };
  home.keep(sessionId("aaaa"), [user("Go"), answer, user("More"), assistant("Fine.")]);
  const { stdout } = await home.run(["show", "aaaa"]);
  assert.match(stdout, /Done\.\n\nm1 · 1\.2k in, 30 out, \$0\.50\n\n▌ user #4/);
});
