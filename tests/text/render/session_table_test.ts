import assert from "node:assert/strict";
import type { Summary } from "../../../lib/core/projection/summary_row.ts";
import {
  renderSessionTable,
  type SessionTableOptions,
} from "../../../lib/text/render/session_table.ts";
import { relativeTime } from "../../../lib/text/render/relative_time.ts";
import { textWidth } from "../../../lib/text/render/text_width.ts";
import { withoutStyles } from "./_harmless.ts";

const OWN: Summary = {
  ref: "3f2a9c1e-1111-4222-8333-123456789abc",
  agent: "reprise",
  session_id: "3f2a9c1e-1111-4222-8333-123456789abc",
  path: "/p",
  cwd: "/home/ana/login",
  title: "Fix the flaky login test of the login service",
  created_at: "2026-11-20T20:21:53.123Z",
  updated_at: "2026-11-21T20:21:53.123Z",
  message_count: 24,
  cost_usd: 0.0349,
  status: "completed",
  archived: false,
};
const OTHER: Summary = {
  ref: "pi:aaaa9c1e-1111-4222-8333-123456789abc",
  agent: "pi",
  session_id: "aaaa9c1e-1111-4222-8333-123456789abc",
  path: "/p",
  title: "日本語の\n  タイトルはとても長い",
  updated_at: "2026-11-21T20:22:53.123Z",
  status: "running",
  archived: true,
};

function render(
  rows: readonly Summary[] = [OWN, OTHER],
  options: Partial<SessionTableOptions> = {},
): string[] {
  const format_time = (iso: string): string => iso.slice(5, 16).replace("T", " ");
  const view = { width: 100, color: false, with_directory: false, format_time, ...options };
  return renderSessionTable(rows, view).split("\n").slice(0, -1);
}

Deno.test("the table is aligned by columns, and the title takes what is left", () => {
  assert.deepEqual(render(), [
    "id        agent    updated      messages   cost  status   title",
    "3f2a9c1e  reprise  11-21 20:21        24  $0.03           Fix the flaky login test of the login ser…",
    "aaaa9c1e  pi       11-21 20:22         …      …  running  [archived] 日本語の タイトルはとても長い",
  ]);
});

Deno.test("a wide terminal shows when a session was made, a narrow one fewer columns", () => {
  const [wide = ""] = render([OWN, OTHER], { width: 200, with_directory: true });
  assert.match(wide, /^id +agent +created +updated +messages +cost +status +directory +title$/);
  assert.deepEqual(render([OWN, OTHER], { width: 80 }), [
    "id        agent    updated      messages  status   title",
    "3f2a9c1e  reprise  11-21 20:21        24           Fix the flaky login test of…",
    "aaaa9c1e  pi       11-21 20:22         …  running  [archived] 日本語の タイトル…",
  ]);
  assert.deepEqual(render([OWN, OTHER], { width: 40 }), [
    "id        updated      title",
    "3f2a9c1e  11-21 20:21  Fix the flaky lo…",
    "aaaa9c1e  11-21 20:22  [archived] 日本…",
  ]);
});

Deno.test("no line is wider than the terminal, whatever it shows", () => {
  const rows = [OWN, { ...OTHER, cwd: "/家/アナ/プロジェクト/とても長いディレクトリの名前" }];
  const notes = new Map([[OWN.ref, "deleted in 3 days"]]);
  for (let width = 24; width <= 220; width++) {
    for (const with_directory of [false, true]) {
      for (const shown of [rows, [rows[1] ?? OTHER]]) {
        const lines = render(shown, { width, with_directory, notes });
        for (const line of lines) assert.ok(textWidth(line) <= width, `${width}: ${line}`);
        assert.ok(lines.some((line) => line.endsWith("title")));
      }
    }
  }
});

Deno.test("a value that all sessions share is shown once, above, or not at all", () => {
  const claude: Summary = { ...OTHER, agent: "claude", archived: false, cwd: "/home/ana/login" };
  const other = { ...claude, session_id: "bbbb", updated_at: "2026-11-22T08:00:00.000Z" };
  const options = { with_directory: true, home: "/home/ana", width: 60 };
  assert.deepEqual(render([claude, other], options), [
    "agent: claude  directory: ~/login",
    "id        updated      title",
    "aaaa9c1e  11-21 20:22  日本語の タイトルはとても長い",
    "bbbb      11-22 08:00  日本語の タイトルはとても長い",
  ]);
  const own = [OWN, { ...OWN, session_id: "cccc", title: "Another" }];
  assert.deepEqual(render(own, { width: 60 }), [
    "id        updated      title",
    "3f2a9c1e  11-21 20:21  Fix the flaky login test of the logi…",
    "cccc      11-21 20:21  Another",
  ]);
});

Deno.test("a single session shows its known fields", () => {
  assert.deepEqual(render([OWN]), [
    "id        created      updated      messages   cost  title",
    "3f2a9c1e  11-20 20:21  11-21 20:21        24  $0.03  Fix the flaky login test of the login service",
  ]);
  assert.deepEqual(render([{ ...OTHER, status: "idle" }], { width: 60 }), [
    "agent: pi",
    "id        updated      title",
    "aaaa9c1e  11-21 20:22  [archived] 日本語の タイトルはとても…",
  ]);
});

Deno.test("a status is shown where it tells something, with what else is to be said", () => {
  const rows = (["completed", "idle", "interrupted", "failed", "running"] as const).map((
    status,
  ) => ({
    ...OWN,
    session_id: status,
    ref: status,
    status,
  }));
  const notes = new Map([["completed", "deleted in 3 days"], ["running", "deleted today\x1b[2J"]]);
  const shown = render(rows, { width: 120, notes }).slice(1).map((line) =>
    line.replace(/ {2,}/g, "|").split("|").slice(2, -1)
  );
  assert.deepEqual(shown, [["deleted in 3 days"], [], ["interrupted"], ["failed"], [
    "running, deleted today␛[2J",
  ]]);
});

Deno.test("unread counts and costs differ from none", () => {
  const { cost_usd: _, ...free } = OWN;
  const { message_count: __, ...unread } = free;
  const { usage: ___, ...answered } = { ...free, usage: {}, models: ["m-1"] };
  const rows = [
    ...[OWN, { ...free, usage: {}, session_id: "free" }, { ...unread, session_id: "unread" }],
    { ...free, usage: { input: 7 }, session_id: "unpriced" },
    { ...answered, session_id: "answered" },
  ];
  assert.deepEqual(render(rows, { width: 80 }).map((line) => line.slice(0, 39)), [
    "id        updated      messages   cost ",
    "3f2a9c1e  11-21 20:21        24  $0.03 ",
    "free      11-21 20:21        24      - ",
    "unread    11-21 20:21         …      … ",
    "unpriced  11-21 20:21        24      … ",
    "answered  11-21 20:21        24      … ",
  ]);
});

Deno.test("a pipe gets every column, in a fixed order, and nothing is cut", () => {
  for (const rows of [[OWN, OTHER], [OTHER], [OWN, OWN]]) {
    const [head = "", ...lines] = render(rows, { width: Infinity });
    assert.match(
      head,
      /^id +agent +created +updated +messages +cost +status +directory +title$/,
    );
    assert.equal(lines.length, rows.length);
    for (const [index, line] of lines.entries()) {
      const columns = line.split(/ {2,}/);
      assert.equal(columns.length, 9);
      assert.equal(columns[6], rows[index]?.status);
    }
  }
  const [, first, second] = render([OWN, OTHER], { width: Infinity });
  assert.ok(first?.endsWith("  /home/ana/login  Fix the flaky login test of the login service"));
  assert.ok(second?.endsWith("  -                [archived] 日本語の タイトルはとても長い"));
});

Deno.test("a directory is shown with ~ for home, and cut at its beginning", () => {
  const shown = (options: Partial<SessionTableOptions>): string =>
    render([OWN, OTHER], { with_directory: true, width: 140, ...options })[1] ?? "";
  assert.ok(shown({ home: "/home/ana" }).includes("  ~/login  "));
  assert.ok(shown({ home: "/home/an" }).includes("  /home/ana/login  "));
  const long = { ...OWN, cwd: "/home/ana/a/directory/with/a/long/way" };
  const [, cut = ""] = render([long, OTHER], { with_directory: true, width: 100 });
  assert.match(cut, / {2}…[a-z/]+long\/way {2}/);
});

Deno.test("colour changes nothing but colour", () => {
  const notes = new Map([[OWN.ref, "deleted in 3 days"]]);
  const colored = render([OWN, OTHER], { color: true, notes });
  assert.ok(colored[2]?.includes("\x1b[32mrunning"));
  assert.ok(colored[1]?.includes("\x1b[33mdeleted in 3 days"));
  assert.deepEqual(colored.map(withoutStyles), render([OWN, OTHER], { notes }));
});

Deno.test("no sessions are no table", () => {
  const options = { width: 80, color: false, with_directory: true };
  assert.equal(renderSessionTable([], options), "");
});

Deno.test("a terminal of 80 columns shows when each session was updated, whatever else it shows", () => {
  const format_time = relativeTime(Date.parse("2026-11-21T23:00:00Z"));
  const notes = new Map([[OWN.ref, "deleted at its next start"]]);
  const long = { ...OWN, cwd: "/home/ana/some/where/far/away" };
  const lines = render([long, OTHER], { width: 80, format_time, notes, with_directory: true });
  assert.match(lines[0] ?? "", /^id +agent +updated +.*title$/);
  assert.match(lines[1] ?? "", / 2h ago /);
  assert.match(lines[2] ?? "", / 2h ago /);
});

Deno.test("at a terminal a session that was made from another names it; a pipe has the title alone", () => {
  const rows = [
    { ...OTHER, imported_from: { agent: "claude", id: "3f2a9c1e-2222-4222-8333-123456789abc" } },
    { ...OWN, parent: { session_id: "5555aaaa-2222-4222-8333-123456789abc", reason: "fork" } },
  ];
  const [, imported = "", forked = ""] = render(rows, { width: 140 });
  assert.match(imported, /\[archived\] \[from claude:3f2a9c1e\] 日本語の/);
  assert.match(forked, / {2}\[from 5555aaaa\] Fix the flaky/);
  const piped = render(rows, { width: Infinity }).join("\n");
  assert.doesNotMatch(piped, /\[from/);
  assert.match(piped, / {2}Fix the flaky/);
});

Deno.test("a narrow terminal shows the column that the rows are sorted by", () => {
  const rows = [{ ...OWN, cost_usd: 2 }, { ...OTHER, cost_usd: 1 }];
  for (const sorted_by of ["cost", "created"]) {
    const [head = ""] = render(rows, { width: 60, with_directory: true, staying: [sorted_by] });
    assert.ok(head.includes(sorted_by), head);
  }
});

Deno.test("a wide terminal shows branches and models where they tell something", () => {
  const rows = [
    { ...OWN, git_branch: "fix/login-test-of-the-login-service", models: ["m-1"] },
    { ...OTHER, git_branch: "main", models: ["m-1", "m-2\x1b", "m-3"] },
  ];
  const [head = "", one = "", other = ""] = render(rows, { width: 200 });
  assert.match(head, /^id +agent +created +updated +messages +cost +status +branch +model +title$/);
  assert.match(one, / {2}fix\/login-test-of-the-lo… {2}m-1 +Fix the/);
  assert.match(other, / {2}main +m-3 \+2 +\[archived\]/);
  const same = rows.map((row) => ({ ...row, git_branch: "main", models: ["m-1"] }));
  assert.doesNotMatch(render(same, { width: 200 })[0] ?? "", /branch|model/);
  assert.doesNotMatch(render(rows, { width: 90 })[0] ?? "", /branch|model/);
});

Deno.test("columns that are asked for are all there, in their order, at a terminal and in a pipe", () => {
  const rows = [{ ...OWN, git_branch: "main" }, OTHER];
  for (const width of [60, Infinity]) {
    assert.deepEqual(
      render(rows, { width, columns: ["title", "branch", "id"] }).map((line) =>
        line.split(/ {2,}/).slice(1)
      ),
      [["branch", "id"], ["main", "3f2a9c1e"], ["-", "aaaa9c1e"]],
    );
  }
  const [, own] = render(rows, { width: 80, columns: ["ref", "directory", "model"] });
  assert.equal(own, `${OWN.ref}     /home/ana/login  -`);
});
