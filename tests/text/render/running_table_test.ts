import assert from "node:assert/strict";
import { agoText } from "../../../lib/text/render/relative_time.ts";
import type { Activity } from "../../../lib/core/projection/activity.ts";
import type { Attention, Wait } from "../../../lib/core/projection/attention.ts";
import {
  doingText,
  noticeText,
  renderRunningTable,
} from "../../../lib/text/render/running_table.ts";
import { textWidth } from "../../../lib/text/render/text_width.ts";
import { isHarmless } from "./_harmless.ts";

const NOW = Date.parse("2026-11-22T10:00:00.000Z");
const ROW = {
  row: {
    ref: "claude:3f2a91c0",
    agent: "claude",
    session_id: "3f2a91c0-1111",
    cwd: "/home/a/学校",
  },
  activity: {
    state: "running" as const,
    ...{
      text: "",
      tool: "Bash",
      input: { command: "npm test" },
      since: "2026-11-22T09:58:00.000Z",
    },
  },
  attention: { state: "working" as const },
  usage: { input: 12_000, output: 300 },
  cost: { cost_usd: 0.75 },
};

Deno.test("a running session is one line: where, since when, what it took, what it does", () => {
  const lines = renderRunningTable([ROW], { width: 100, color: false, home: "/home/a", now: NOW });
  assert.deepEqual(lines.map((line) => line.trim().split(/ {2,}/)), [
    ["id", "agent", "directory", "since", "tokens", "cost", "now"],
    ["3f2a91c0", "claude", "~/学校", "2m", "12.3k", "$0.75", "running Bash npm test"],
  ]);
});

Deno.test("no line is wider than the terminal, and nothing hostile is in one", () => {
  const text = "\x1b[2J\u202e".repeat(50) + "x".repeat(500);
  const row = { ...ROW.row, agent: text, session_id: text, cwd: `/${text}` };
  const hostile = { ...ROW, row, activity: { state: "failed" as const, text } };
  for (const width of [20, 60, 200]) {
    for (
      const line of renderRunningTable([ROW, hostile], { width, color: false, now: NOW, cursor: 1 })
    ) {
      assert.ok(isHarmless(line), line);
      assert.ok(textWidth(line) <= width + 2, `${width}: ${line}`);
    }
  }
});

Deno.test("ages have one unit", () => {
  const ago = (seconds: number): string =>
    agoText(new Date(NOW - 1000 * seconds).toISOString(), NOW);
  assert.deepEqual([0, 59, 60, 3599, 3600, 90_000].map(ago), [
    "0s",
    "59s",
    "1m",
    "59m",
    "1h",
    "25h",
  ]);
  assert.equal(agoText(undefined, NOW), "");
});

Deno.test("a line says what a session does, or what it waits for", () => {
  const call = { state: "running" as const, text: "", tool: "bash", input: { command: "make" } };
  const said = (activity: Activity, wait?: Partial<Wait>): string => {
    const attention: Attention = wait === undefined
      ? { state: "working" }
      : { state: "waits", wait: { kind: "permission", text: "", certain: true, ...wait } };
    return doingText({ activity, attention, row: {} });
  };
  assert.equal(said({ state: "waiting", text: "Done.\nAnd more" }).includes("\n"), false);
  assert.equal(said({ state: "answering", text: "" }), "answering");
  assert.equal(said(call), "running bash make");
  assert.equal(said(call, {}), "waits for permission: bash make");
  assert.equal(said(call, { certain: false }), "may wait for permission: bash make");
  assert.equal(said(call, { kind: "question", text: "Which\nport?" }), "asks: Which port?");
  assert.equal(said(call, { kind: "plan", text: "" }), "waits for you to approve a plan");
  const waiting = {
    ...{ ...ROW, activity: call, row: { ...ROW.row, cwd: `/${"x".repeat(300)}` } },
    attention: { state: "waits", wait: { kind: "permission", text: "", certain: true } } as const,
  };
  assert.equal(noticeText(waiting).length, 200);
  assert.equal(
    noticeText({ ...waiting, row: ROW.row }, "/home/a"),
    "claude in ~/学校: waits for permission: bash make",
  );
});
