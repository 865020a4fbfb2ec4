import assert from "node:assert/strict";
import type { Summary } from "../../../lib/core/projection/summary_row.ts";
import {
  renderSessionTable,
  type SessionTableOptions,
} from "../../../lib/text/render/session_table.ts";
import { relativeTime } from "../../../lib/text/render/relative_time.ts";
import { textWidth } from "../../../lib/text/render/text_width.ts";
import { testCases } from "./_cases.ts";
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

interface CaseOptions extends Omit<Partial<SessionTableOptions>, "width" | "notes"> {
  width?: number | "none";
  notes?: Record<string, string>;
}

/** A case has for each row the name of a summary, and how it differs; null leaves a field out. */
testCases<CaseOptions>("session_table.txt", (input, { width = 100, notes = {}, ...options }) => {
  const rows = input.split("\n").map((line) => {
    const [name, changes = {}] = JSON.parse(line) as ["own" | "other", object?];
    const fields = Object.entries({ ...name === "own" ? OWN : OTHER, ...changes });
    return Object.fromEntries(fields.filter(([, value]) => value !== null)) as unknown as Summary;
  });
  const view = {
    width: width === "none" ? Infinity : width,
    notes: new Map(Object.entries(notes)),
  };
  return render(rows, { ...options, ...view }).join("\n");
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
