import assert from "node:assert/strict";
import type { Summary } from "../../lib/projection/summary_row.ts";
import { renderSessionTable, type SessionTableOptions } from "../../lib/render/session_table.ts";
import { textWidth } from "../../lib/render/text_width.ts";
import { withoutStyles } from "./_harmless.ts";

const ROWS: Summary[] = [
  {
    ref: "3f2a9c1e-1111-4222-8333-123456789abc",
    agent: "reprise",
    session_id: "3f2a9c1e-1111-4222-8333-123456789abc",
    path: "/p",
    cwd: "/home/ana/login",
    title: "Fix the flaky login test of the login service",
    created_at: "2026-11-20T20:21:53.123Z",
    updated_at: "2026-11-21T20:21:53.123Z",
    message_count: 24,
    status: "completed",
    archived: false,
  },
  {
    ref: "pi:aaaa9c1e",
    agent: "pi",
    session_id: "aaaa9c1e-1111-4222-8333-123456789abc",
    path: "/p",
    title: "日本語の\n  タイトルはとても長い",
    updated_at: "2026-11-21T20:21:53.123Z",
    status: "active",
    archived: true,
  },
];

function render(options: Partial<SessionTableOptions> = {}): string[] {
  const format_time = (iso: string): string => iso.slice(5, 16).replace("T", " ");
  const view = { width: 100, color: false, with_directory: false, format_time, ...options };
  return renderSessionTable(ROWS, view).split("\n").slice(0, -1);
}

Deno.test("the table is aligned by columns, and the title takes what is left", () => {
  assert.deepEqual(render(), [
    "id           created      updated      messages  status     title",
    "3f2a9c1e     11-20 20:21  11-21 20:21        24  completed  Fix the flaky login test of the login s…",
    "pi:aaaa9c1e  -            11-21 20:21         -  active     [archived] 日本語の タイトルはとても長い",
  ]);
});

Deno.test("a narrow terminal gets fewer columns, but the title", () => {
  assert.deepEqual(render({ width: 50 }), [
    "id           updated      title",
    "3f2a9c1e     11-21 20:21  Fix the flaky login tes…",
    "pi:aaaa9c1e  11-21 20:21  [archived] 日本語の タ…",
  ]);
  for (const width of [30, 40, 50, 60, 70, 80, 100, 120]) {
    const rows = render({ width, with_directory: true });
    for (const row of rows) assert.ok(textWidth(row) <= width, `${width}: ${row}`);
    assert.ok(rows[0]?.endsWith("title"));
  }
});

Deno.test("the directory is shown on request, with ~ for home, and cut at its beginning", () => {
  const [, first] = render({ with_directory: true, home: "/home/ana", width: 120 });
  assert.ok(first?.includes("  ~/login  "));
  const [, whole] = render({ with_directory: true, home: "/home/an", width: 120 });
  assert.ok(whole?.includes("  /home/ana/login  "));
  const [, cut] = render({ with_directory: true, width: 60 });
  assert.ok(cut?.includes("/home/ana/login") || cut?.includes("…"));
});

Deno.test("without a width nothing is cut", () => {
  const rows = render({ width: Infinity, with_directory: true });
  assert.ok(rows[1]?.endsWith("/home/ana/login  Fix the flaky login test of the login service"));
  assert.ok(rows[2]?.endsWith("-                [archived] 日本語の タイトルはとても長い"));
});

Deno.test("colour changes nothing but colour", () => {
  const colored = render({ color: true });
  assert.ok(colored[2]?.includes("\x1b[32mactive"));
  assert.deepEqual(colored.map(withoutStyles), render());
});

Deno.test("no sessions are no table", () => {
  const options = { width: 80, color: false, with_directory: true };
  assert.equal(renderSessionTable([], options), "");
});
