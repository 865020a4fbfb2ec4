import assert from "node:assert/strict";
import type { ProjectDigest, SessionDigest } from "../../../lib/features/digest/digest.ts";
import { countsText, openPoint } from "../../../lib/features/digest/digest_words.ts";
import { digestText } from "../../../lib/features/digest/digest_text.ts";
import type { Attention } from "../../../lib/core/projection/attention.ts";
import type { Summary } from "../../../lib/core/projection/summary_row.ts";

const ROW: Summary = {
  ...{ ref: "claude:8d1f2a3b", agent: "claude", session_id: "8d1f2a3b", path: "/x", title: "One" },
  ...{ status: "idle", archived: false },
};

function session(row: Partial<Summary> = {}, attention?: Attention): SessionDigest {
  const summary = { ...ROW, ...row };
  const activity = { state: "running", tool: "Bash", input: { command: "npm publish" }, text: "" };
  return {
    ...{ row: summary, prompts: [], files: [], cost: {}, tokens: 0 },
    ...attention === undefined
      ? {}
      : { running: { row: summary, activity, attention, usage: {}, cost: {} } as never },
  };
}

const WAITS: Attention = {
  state: "waits",
  wait: { kind: "permission", text: "", certain: true },
};

Deno.test("an open point is what waits, before what failed, before what is unfinished", () => {
  const both = { last_error: "529 Overloaded", status: "interrupted" } as const;
  assert.deepEqual(openPoint(session(both, WAITS)), {
    state: "waits",
    text: "waits for permission: Bash npm publish",
  });
  assert.deepEqual(openPoint(session(both)), { state: "failed", text: "failed: 529 Overloaded" });
  assert.equal(openPoint(session({ status: "interrupted" }))?.state, "unfinished");
  assert.equal(openPoint(session({}, { state: "quiet" }))?.state, "running");
  assert.equal(openPoint(session()), undefined);
});

Deno.test("a digest names the number of its sessions, files and open points", () => {
  const project: ProjectDigest = {
    ...{ project: "/p", files: ["/p/a.ts"], cost: {} },
    sessions: [session({}, WAITS), session({ last_error: "x" }), session({ last_error: "y" })],
    commits: [],
  };
  assert.equal(
    countsText([project], { cost_usd: 3 }),
    "3 sessions, 1 file, $3.00, 1 waiting, 2 failed",
  );
});

Deno.test("no line of a digest is wider than the terminal, and no control character reaches it", () => {
  const long = "word ".repeat(60) + "\x1b[2J";
  const project: ProjectDigest = {
    project: `/home/ada/${"deep/".repeat(30)}`,
    sessions: [{
      ...session({ title: long, git_branch: "b".repeat(90), last_error: long }),
      prompts: Array.from({ length: 20 }, () => ({ text: long })),
    }],
    files: Array.from({ length: 20 }, (_, at) => `/other/${"f".repeat(30)}${at}\x1b[2J`),
    commits: Array.from({ length: 20 }, () => ({ hash: "a".repeat(40), at: 0, subject: long })),
    cost: {},
  };
  const options = { width: 60, color: false, home: "/home/ada", formatTime: (iso: string) => iso };
  const text = digestText([project, project], {}, options);
  assert.deepEqual(text.split("\n").filter((line) => line.length > 60), []);
  assert.ok(!text.includes("\x1b"));
  assert.match(text, /… 8 more/);
});
