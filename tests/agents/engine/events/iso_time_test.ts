import assert from "node:assert/strict";
import { isoTime } from "../../../../lib/agents/engine/events/iso_time.ts";

Deno.test("times become ISO 8601 in UTC with milliseconds", () => {
  const cases: [unknown, string | undefined][] = [
    ["2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z"],
    ["2026-01-01T02:00:00+02:00", "2026-01-01T00:00:00.000Z"],
    ["2026-11-21T20:42:23.785128866Z", "2026-11-21T20:42:23.785Z"],
    ["2026-08-01T10-00-00", "2026-08-01T10:00:00.000Z"],
    ["2026-08-06T17-49-38-956Z", "2026-08-06T17:49:38.956Z"],
    [1767225600, "2026-01-01T00:00:00.000Z"],
    [1767225600123, "2026-01-01T00:00:00.123Z"],
    ["", undefined],
    ["soon", undefined],
    [NaN, undefined],
    [1e300, undefined],
    [null, undefined],
    [{}, undefined],
  ];
  for (const [value, expected] of cases) assert.equal(isoTime(value), expected, String(value));
});
