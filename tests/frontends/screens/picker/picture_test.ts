import assert from "node:assert/strict";
import type { Attention } from "../../../../lib/core/projection/attention.ts";
import type { Summary } from "../../../../lib/core/projection/summary_row.ts";
import {
  choiceLayout,
  renderChoice,
  type SessionChoice,
  snippetRows,
} from "../../../../lib/frontends/screens/picker/picture.ts";
import { helpOf, keysOf } from "../../../../lib/frontends/screens/picker/texts.ts";
import { initialState } from "../../../../lib/frontends/screens/picker/state.ts";
import { textWidth } from "../../../../lib/text/render/text_width.ts";
import { isHarmless, withoutStyles } from "../../../text/render/_harmless.ts";

const HOSTILE = "\x1b[2J\x9b31m\u202eevil\r\n\ttitle\u200b";

function row(title: string, more: Partial<Summary> = {}): Summary {
  const fixed = { agent: "reprise", session_id: "a", path: "/p", ref: "a" } as const;
  const times = { created_at: "2026-11-20T20:21:53Z", updated_at: "2026-11-21T20:21:53Z" };
  return { ...fixed, ...times, title, status: "completed", archived: false, ...more };
}

const ROWS = [
  row("Fix the flaky login test of the login service", { message_count: 24, cwd: "/home/ana/l" }),
  row("日本語の\n  タイトルはとても長い".repeat(4), { agent: "pi", cwd: "/srv/学校/日本語" }),
  row(HOSTILE, { agent: HOSTILE, cwd: HOSTILE, created_at: HOSTILE, updated_at: HOSTILE }),
];

function render(
  width: number,
  height: number,
  choice: Partial<SessionChoice> = {},
  color = false,
): { lines: readonly string[]; cursor: { row: number; column: number } } {
  const whole: SessionChoice = {
    heading: "Sessions · this directory · 3",
    query: "",
    words: [],
    rows: ROWS,
    top: 0,
    cursor: 1,
    notice: [],
    preview: ["first", "second"],
    keys: ["Enter show", "Tab all projects", "Esc cancel"],
    with_agent: false,
    with_directory: false,
    ...choice,
  };
  const format_time = (iso: string): string => iso.slice(5, 16).replace("T", " ");
  const options = { width, height, color, format_time, home: "/home/ana" };
  const { rows: lines, cursor } = renderChoice(whole, options);
  assert.ok(cursor !== undefined);
  return { lines, cursor };
}

Deno.test("each session is a line with its times, messages and title, the chosen one marked", () => {
  const { lines, cursor } = render(70, 10, { rows: ROWS.slice(0, 2), query: "lo" });
  assert.deepEqual(lines.slice(0, 5), [
    "Sessions · this directory · 3",
    "> lo",
    "  updated      created      messages  title",
    "  11-21 20:21  11-20 20:21        24  Fix the flaky login test of the…",
    "❯ 11-21 20:21  11-20 20:21         …  日本語の タイトルはとても長い日…",
  ]);
  assert.equal(lines[9], "Enter show · Tab all projects · Esc cancel");
  assert.deepEqual(cursor, { row: 1, column: 4 });
});

Deno.test("agent and directory have columns where they differ", () => {
  const { lines } = render(100, 10, {
    rows: ROWS.slice(0, 2),
    with_agent: true,
    with_directory: true,
  });
  assert.match(lines[2] ?? "", /updated {6}messages {2}agent {4}directory {9}title$/);
  assert.match(lines[3] ?? "", /24 {2}reprise {2}~\/l/);
  assert.match(lines[4] ?? "", /… {2}pi {7}\/srv\/学校\/日本語 {2}日本語/);
});

Deno.test("titles of sessions that have the words in different messages are marked", () => {
  const isAcross = ({ title }: Summary): boolean => title === "Two";
  const { lines } = render(60, 10, { rows: [row("One"), row("Two")], isAcross });
  assert.match(lines.slice(3, 5).join("\n"), / {2}One\n.* {2}≈ Two$/);
});

Deno.test("any screen is filled by rows that fit, whatever the texts hold", () => {
  for (const width of [1, 2, 5, 20, 33, 60, 80, 200]) {
    for (const height of [1, 2, 3, 4, 5, 9, 10, 13, 14, 24, 60]) {
      for (const color of [true, false]) {
        const shown = {
          top: 1,
          query: HOSTILE,
          heading: HOSTILE,
          with_agent: true,
          with_directory: true,
        };
        const { lines, cursor } = render(width, height, { ...shown, preview: [] }, color);
        assert.equal(lines.length, height);
        assert.ok(cursor.row < height && cursor.column < width);
        for (const line of lines.map(withoutStyles)) {
          assert.ok(textWidth(line) <= width, `${width}x${height}: ${JSON.stringify(line)}`);
          assert.ok(isHarmless(line) && !/[\n\t]/.test(line), JSON.stringify(line));
        }
        assert.ok(width < 5 || lines.some((line) => line.includes("❯")), `${width}x${height}`);
      }
    }
  }
});

Deno.test("a screen of five rows keeps heading, query, two sessions and keys", () => {
  assert.deepEqual(render(20, 5).lines.map((line) => line.slice(0, 12)), [
    "Sessions · t",
    "> ",
    "  Fix the fl",
    "❯ 日本語の タイトル…",
    "Enter show",
  ]);
});

Deno.test("the end of the preview is shown below a rule, where there is room", () => {
  const preview = Array.from({ length: 50 }, (_, index) => `line ${index}`);
  const { lines } = render(40, 24, { preview });
  const { preview: count } = choiceLayout(24);
  assert.match(lines[22 - count] ?? "", /^─{40}$/);
  assert.deepEqual(lines.slice(23 - count, 23), preview.slice(-count));
  assert.ok(!render(40, 12, { preview }).lines.some((line) => line.includes("line")));
});

Deno.test("the notice says that there is no session", () => {
  const { lines } = render(40, 10, { rows: [], notice: ["No sessions", "Tab: \x1b[2J"] });
  assert.deepEqual(lines.slice(2, 4), ["  No sessions", "  Tab: ␛[2J"]);
});

Deno.test("shows the end of a long query", () => {
  const { lines, cursor } = render(20, 5, { query: "学校".repeat(20) + "END" });
  assert.ok(lines[1]?.startsWith("> …") && lines[1].endsWith("END"), lines[1]);
  assert.equal(cursor.column, textWidth(lines[1] ?? ""));
});

Deno.test("one date stands where a session began and ended on one day", () => {
  const rows = [row("One day", { created_at: "2026-11-21T20:20:53Z" }), row("Two")];
  assert.equal(
    render(70, 10, { rows, cursor: 0 }).lines[3],
    "❯ 11-21 20:21                      …  One day",
  );
  assert.doesNotMatch(render(70, 10, { rows: rows.slice(0, 1) }).lines[2] ?? "", /created/);
});

Deno.test("cost, branch and model have columns on a wide screen, where a session has them", () => {
  const rows = [row("Fix it", { cost_usd: 1.5, git_branch: "main", models: ["m-1"] }), row("b")];
  assert.match(render(140, 10, { rows }).lines[2] ?? "", /messages +cost +branch +model +title$/);
  assert.match(render(140, 10, { rows }).lines[3] ?? "", / \$1\.50 +main +m-1 +Fix it$/);
  assert.match(render(100, 10, { rows }).lines[2] ?? "", /messages +title$/);
  assert.match(render(140, 10, { rows: [row("b")] }).lines[2] ?? "", /messages +title$/);
});

Deno.test("matched letters of titles and of the text around a hit are marked", () => {
  const yellow = (text: string): string => `\x1b[33m${text}\x1b[39m`;
  const { lines } = render(90, 10, { rows: ROWS.slice(0, 1), words: ["login"], cursor: 9 }, true);
  assert.ok(lines[3]?.includes(`the flaky ${yellow("login")} test`), lines[3]);
  const snippet = `a ${"long ".repeat(40)} login\x1b[2J`;
  const shown = snippetRows(snippet, ["login"], { width: 80, color: true });
  assert.match(shown[0] ?? "", /^Match: a long/);
  assert.ok(shown.at(-1)?.includes(`${yellow("login")}␛[2J`), shown.join("\n"));
});

Deno.test("footers fit 80 columns, and the help a screen of 24 rows", () => {
  const state = initialState();
  const keys = keysOf(state, "choose").join(" · ");
  assert.ok(textWidth(keys) <= 80, keys);
  const notice = helpOf(state, "choose", true);
  const { lines } = render(80, 24, { rows: [], notice });
  for (const line of notice) assert.ok(lines.includes(`  ${line}`), line);
});

Deno.test("a column tells what a session that runs does, where one runs", () => {
  const rows = [row("waits"), row("may wait"), row("rests")];
  const states = new Map<Summary, Attention>([
    [rows[0]!, { state: "waits", wait: { kind: "permission", text: "", certain: true } }],
    [rows[1]!, { state: "waits", wait: { kind: "permission", text: "", certain: false } }],
  ]);
  const { lines } = render(80, 10, { rows, attentionOf: (row) => states.get(row) });
  assert.match(lines[2] ?? "", /^ +state +updated/);
  assert.deepEqual(lines.slice(3, 6).map((line) => line.slice(2, 12).trim()), [
    ...["waits", "may wait", ""],
  ]);
  const resting = { rows: rows.slice(2), attentionOf: (row: Summary) => states.get(row) };
  for (const choice of [{ rows }, resting]) {
    assert.doesNotMatch(render(80, 10, choice).lines[2] ?? "", /state/);
  }
});

Deno.test("a session's title follows the member who shares it, or the machine that sent it", () => {
  const { lines } = render(80, 10, {
    rows: [
      row("Find the okapi", { ref: "team:ann/3f2a9c1e" }),
      row("Fix the zebra", { agent: "claude", ref: "claude:8d1f", machine: "laptop" }),
    ],
  });
  assert.match(lines[3] ?? "", / {2}\[by ann\] Find the okapi$/);
  assert.match(lines[4] ?? "", / {2}\[on laptop\] Fix the zebra$/);
});
