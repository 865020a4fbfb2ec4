import assert from "node:assert/strict";
import { parseSince, parseUntil } from "../../commands/_values.ts";

Deno.test("a time is read as people say it: since its first moment, until its last", () => {
  // A Saturday.
  const now = (): Date => new Date("2026-11-21T12:00:00");
  const cases: [string, string, string][] = [
    ["today", "2026-11-21", "2026-11-21"],
    ["Yesterday", "2026-11-20", "2026-11-20"],
    ["last week", "2026-11-09", "2026-11-15"],
    ["this-week", "2026-11-16", "2026-11-22"],
    ["last month", "2026-10-01", "2026-10-31"],
    ["last year", "2025-01-01", "2025-12-31"],
    ["monday", "2026-11-16", "2026-11-16"],
    ["last saturday", "2026-11-14", "2026-11-14"],
    ["march", "2026-03-01", "2026-03-31"],
    ["dec", "2025-12-01", "2025-12-31"],
    ["feb 2024", "2024-02-01", "2024-02-29"],
    ["3 days ago", "2026-11-18", "2026-11-18"],
    ["a week ago", "2026-11-14", "2026-11-14"],
    ["2 months ago", "2026-09-21", "2026-09-21"],
    ["2026-03", "2026-03-01", "2026-03-31"],
    ["March 14", "2026-03-14", "2026-03-14"],
    ["14 mar 2025", "2025-03-14", "2025-03-14"],
    ["dec 24", "2025-12-24", "2025-12-24"],
    ["2026-11-02", "2026-11-02", "2026-11-02"],
  ];
  for (const [text, first, last] of cases) {
    assert.equal(+parseSince(text, { now }), +new Date(`${first}T00:00:00`), text);
    assert.equal(+parseUntil(text, { now }), +new Date(`${last}T23:59:59.999`), text);
  }
  const wrong = ["soon", "mo", "last", "week", "marchx", "last 7", "feb 30", "monday 3", "2026-13"];
  for (const text of wrong) {
    assert.throws(() => parseSince(text, { now }), /yesterday/, text);
  }
});
