import assert from "node:assert/strict";
import { openLibrary } from "../../../lib/library/library.ts";
import { openLocalStore } from "../../../lib/core/store/open_store.ts";
import { knownMoment, newerFirst, updateMoment } from "../../../lib/core/store/update_order.ts";
import { listed } from "../../_support/listed.ts";
import { inHome, sessionId } from "../../_support/cli_home.ts";
import { user } from "../../_support/log_bytes.ts";

/** The oldest first. */
const TIMES = [
  "-000001-01-01T00:00:00.000Z",
  "0001-01-01T00:00:00.000Z",
  "1969-07-20T20:17:40.000Z",
  "2026-11-21T20:00:00.000Z",
  "9999-12-31T23:59:59.999Z",
  "+010000-01-01T00:00:00.000Z",
];

inHome.test("years before 0 and beyond 9999 have their place in every list, and in prune", async (home) => {
  for (const [index, time] of TIMES.entries()) {
    home.keep(sessionId(`${(index * 5) % 7}aaa`), [{ ...user(time), time }]);
  }
  const { store: root } = home;
  const newest = TIMES.toReversed();
  const store = openLocalStore({ root });
  assert.deepEqual((await store.list()).map(({ title }) => title), newest);
  const library = openLibrary({ root, variable: () => undefined });
  assert.deepEqual((await listed(library)).map(({ title }) => title), newest);
  const { sessions } = await store.prune({ max_bytes: 0, dry_run: true });
  assert.deepEqual(sessions.map(({ title }) => title), TIMES);
});

Deno.test("sessions without a time sort as the oldest", () => {
  const moments = [updateMoment("2026-11-21T20:00:00.000Z"), updateMoment(undefined)];
  const before_1970 = knownMoment(-1e12);
  const sorted = [...moments, before_1970, knownMoment(NaN)].sort(newerFirst);
  assert.deepEqual(sorted, [moments[0], before_1970, -Infinity, -Infinity]);
});
