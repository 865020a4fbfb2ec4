import assert from "node:assert/strict";
import { listPage, PAGE_ROWS } from "../../../lib/frontends/acp/listed_sessions.ts";
import type { Summary } from "../../../lib/core/projection/summary_row.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";

function rowsOf(times: readonly number[]): Summary[] {
  return times.toSorted((a, b) => b - a).map((time, index) => ({
    // Of one time, in the order of their references.
    ref: `claude:${String(index).padStart(4, "0")}`,
    ...{ agent: "claude", session_id: `${index}`, path: "/a", cwd: "/a", title: "" },
    ...{ status: "completed", archived: false },
    ...(time === 0 ? {} : { updated_at: new Date(time * 1000).toISOString() }),
  }));
}

function allPages(rows: readonly Summary[], cwd?: string): string[][] {
  const pages: string[][] = [];
  let page = listPage(rows, cwd, undefined);
  for (;;) {
    pages.push(page.rows.map(({ ref }) => ref));
    if (page.next === undefined) return pages;
    page = listPage(rows, cwd, page.next);
  }
}

Deno.test("pages hold each row once, in order, whatever times are the same or missing", () => {
  const random = mulberry32(5);
  for (let round = 0; round < 60; round++) {
    const count = Math.floor(random() * 450);
    const rows = rowsOf(Array.from({ length: count }, () => Math.floor(random() * 9)));
    const pages = allPages(rows, round % 2 === 0 ? "/a" : undefined);
    assert.deepEqual(pages.flat(), rows.map(({ ref }) => ref));
    assert.ok(pages.slice(0, -1).every((page) => page.length === PAGE_ROWS));
  }
});

Deno.test("a page goes on where it was, though its last row has gone or was updated", () => {
  const rows = rowsOf(Array.from({ length: 250 }, (_, index) => index + 1));
  const { next } = listPage(rows, undefined, undefined);
  const [last] = rows.slice(PAGE_ROWS - 1);
  const without = rows.filter((row) => row !== last);
  assert.deepEqual(listPage(without, undefined, next).rows[0], rows[PAGE_ROWS]);
  const updated = { ...last, updated_at: "2030-01-01T00:00:00.000Z" } as Summary;
  assert.deepEqual(listPage([updated, ...without], undefined, next).rows[0], rows[PAGE_ROWS]);
  assert.deepEqual(listPage([], undefined, next), { rows: [] });
});

Deno.test("a row that is gone hides no other one of the same time", () => {
  const rows = rowsOf(Array(250).fill(7));
  const { next } = listPage(rows, undefined, undefined);
  const without = rows.filter((_, index) => index !== PAGE_ROWS - 1 && index !== 3);
  const page = listPage(without, undefined, next);
  assert.deepEqual(page.rows, rows.slice(PAGE_ROWS, 2 * PAGE_ROWS));
});

Deno.test("refuses an invalid cursor of the list", () => {
  const { next = "" } = listPage(rowsOf(Array(150).fill(4)), "/a", undefined);
  for (const cursor of ["", "x", "{}", next.slice(0, 22), next.replace("~", "!")]) {
    assert.throws(() => listPage([], "/a", cursor), SyntaxError, cursor);
  }
  assert.throws(() => listPage([], "/b", next), /another query/);
  assert.throws(() => listPage([], undefined, next), /another query/);
});
