import assert from "node:assert/strict";
import type { NewEvent } from "../../lib/event/envelope.ts";
import { jsonLines } from "../_support/cli.ts";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { assistant, user } from "../_support/log_bytes.ts";
import { keepPiSession } from "./_pi_session.ts";
import { testsWith } from "../_support/tests_in.ts";

const inTwoSessions = testsWith(twoSessions);

const CHANGE: NewEvent = {
  kind: "diff",
  payload: { path: "src/a.ts", lines: [{ kind: "added", content: "x" }] },
};

async function twoSessions(): Promise<CliHome> {
  const home = new CliHome();
  home.keep(sessionId("aaaa"), [user("Why?"), assistant("Left."), CHANGE], { title: "One" });
  home.keep(sessionId("bbbb"), [user("Why?"), assistant("Right.")], { title: "Other" });
  return await Promise.resolve(home);
}

inTwoSessions.test("diff shows what is common, then what either did, then the files", async (home) => {
  const { status, stdout, stderr } = await home.run(["diff", "aaaa", "bbbb"]);
  assert.deepEqual([status, stderr], [0, ""]);
  const rows = stdout.split("\n");
  assert.deepEqual(rows.slice(0, 4), [
    "A aaaa0000  One",
    "B bbbb0000  Other",
    "",
    "Identical: 0 turns, 1 item",
  ]);
  const places = ["A Left.", "A ± src/a.ts  +1 -0", "B Right.", "Files changed since", "B none"]
    .map((row) => rows.indexOf(row));
  assert.ok(places.every((place) => place > 3), stdout);
  assert.deepEqual(places, places.toSorted((a, b) => a - b));
});

inTwoSessions.test("sessions that are the same are said to be, and that is no failure", async (home) => {
  const forked = await home.run(["fork", "aaaa"]);
  const { stdout } = await home.succeed(["diff", "aaaa", forked.stdout.trim()]);
  assert.match(stdout, /^The sessions are identical: 1 turn, 3 items$/m);
});

inTwoSessions.test("diff --json is one object a line, in short or in full", async (home) => {
  const [short, full] = await home.runAll([
    ["diff", "aaaa", "bbbb", "--json"],
    ["diff", "aaaa", "bbbb", "--json", "--full"],
  ]);
  const parts = jsonLines(short?.stdout ?? "");
  assert.deepEqual(parts.map(({ type }) => type), ["common", "turn", "files"]);
  const types = (part?: Record<string, unknown>): unknown =>
    (part?.a as { type: string }[]).map(({ type }) => type);
  assert.deepEqual(types(parts[1]), ["message", "change"]);
  assert.deepEqual(types(jsonLines(full?.stdout ?? "")[1]), ["message", "diff"]);
  assert.deepEqual(parts[2], {
    type: "files",
    a: [{ path: "src/a.ts", added: 1, removed: 0 }],
    b: [],
  });
});

inTwoSessions.test("diff compares sessions of other agents too, and says what is wrong", async (home) => {
  const { ref, path } = keepPiSession(home);
  const [same, other, event, usage] = await home.runAll([
    ["diff", ref, path],
    ["diff", "aaaa", ref],
    ["diff", "aaaa#2", "bbbb"],
    ["diff", "aaaa"],
  ]);
  assert.match(same?.stdout ?? "", /^The sessions are identical: 1 turn, 1 item$/m);
  assert.match(other?.stdout ?? "", /^The sessions differ from the first event on$/m);
  assert.match(other?.stdout ?? "", /^B (▌ )?Asked of pi$/m);
  assert.deepEqual([same?.status, other?.status, event?.status, usage?.status], [0, 0, 1, 2]);
});
