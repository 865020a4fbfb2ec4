import assert from "node:assert/strict";
import { join } from "node:path";
import {
  readSyncState,
  sharedIn,
  writeSyncState,
} from "../../../lib/features/team/state/sync_state.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

const STORE = "0b0e0c7e-0000-4000-8000-000000000001";
const known = {
  project: "p",
  form: "log",
  state: [1, 2, 3, 4, 5],
  n: 1,
  len: 9,
  head: "ab",
} as const;

inDirectory.test("a record comes back for its own member alone", (root) => {
  const state = readSyncState(root, STORE, "ada");
  assert.deepEqual(state.sessions, {});
  state.sessions.one = known;
  writeSyncState(root, state);
  assert.deepEqual(readSyncState(root, STORE, "ada"), state);
  assert.deepEqual(readSyncState(root, STORE, "grace").sessions, {});
  const { mode } = Deno.statSync(join(root, "sync", `${STORE}.json`));
  assert.equal((mode ?? 0) & 0o777, 0o600);
  assert.deepEqual(sharedIn(root, "one").map(({ owner }) => owner), ["ada"]);
  assert.deepEqual(sharedIn(root, "constructor"), []);
});

inDirectory.test("a damaged record counts as missing", (root) => {
  const state = readSyncState(root, STORE, "ada");
  state.sessions.one = known;
  writeSyncState(root, state);
  const path = join(root, "sync", `${STORE}.json`);
  const text = Deno.readTextFileSync(path);
  const damaged = [
    ...["", "{}", "null", "[]", '"x"', "\0", text.slice(0, -5)],
    ...[{ version: 2 }, { sessions: null }, { sessions: { one: null } }, {
      sessions: { one: {} },
    }]
      .map((change) => JSON.stringify({ ...JSON.parse(text), ...change })),
    JSON.stringify({ ...JSON.parse(text), waiting: "x" }),
  ];
  for (const bytes of damaged) {
    Deno.writeTextFileSync(path, bytes);
    assert.deepEqual(readSyncState(root, STORE, "ada").sessions, {}, bytes);
    assert.deepEqual(sharedIn(root, "one"), []);
  }
});
