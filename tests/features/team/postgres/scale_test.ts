/** What keeps a large store fast changes no answer. */
import assert from "node:assert/strict";
import { nextHead, NO_HEAD, sha256 } from "../../../../lib/features/team/branch_segments.ts";
import { findShared } from "../../../../lib/features/team/find_branch.ts";
import { openTeamStore } from "../../../../lib/features/team/postgres/postgres_store.ts";
import type { TeamStore } from "../../../../lib/features/team/team_store.ts";
import { onPostgres } from "../../../_support/postgres.ts";
import { makeStore, withTeamHomes } from "../../../_support/team_homes.ts";

const DEVICE = { id: "11111111-1111-4111-8111-111111111111", label: "laptop" };
const TERMS = { project: "p", form: "copy", visible: "team" } as const;
const LINE = new TextEncoder().encode("x\n");
const SHA = sha256(LINE);

/** Appends the line of this number to a session. */
async function append(store: TeamStore, session: string, number = 0): Promise<void> {
  let prev = NO_HEAD;
  for (let at = 0; at < number; at++) prev = nextHead(prev, SHA);
  const place = { session, n: 1, off: number * LINE.length, prev, len: LINE.length, sha: SHA };
  const [told] = await store.append([{ ...place, ...TERMS, codec: "plain", bytes: LINE }]);
  assert.equal(told?.status, "appended");
}

// Slow: a server gets a database with a store.
onPostgres.test("lists are exact, although a session's own time moves once in ten minutes", async (test) => {
  await withTeamHomes(async (team) => {
    await makeStore(team);
    await using store = await openTeamStore(team.address("ann"));
    await using ben = await openTeamStore(team.address("ben"));
    await store.hello(DEVICE);
    const ids = ["first", "second", "third", "claude:7f3a0001", "codex:7f3a0002"];
    await store.claim(ids.map((id) => ({ id, ...TERMS })), DEVICE.id);
    for (const id of ids) await append(store, id);
    const times = (): Promise<string> =>
      team.sql("select json_agg(s.changed_at order by id) from reprise.session s");
    const before = await times();
    await append(store, "first", 1);
    assert.equal(await times(), before);

    await test.step("the newest change is first, also since a time", async () => {
      for (const one of [store, ben]) {
        const [newest] = await one.branches({ limit: 1 });
        assert.equal(newest?.session, "first");
        const since = newest?.changed_at ?? "";
        assert.deepEqual((await one.branches({ since })).map(({ len }) => len), [4]);
      }
    });
    await test.step("a time that is older moves", async () => {
      await team.sql("update reprise.session set changed_at = now() - interval '11 minutes'");
      await append(store, "first", 2);
      const moved = "select string_agg(id, ',') from reprise.session " +
        "where changed_at > now() - interval '1 minute'";
      assert.equal(await team.sql(moved), "first");
    });
    await test.step("a short id finds what it fits, with or without its agent", async () => {
      assert.equal(
        (await findShared(ben, "ben", "team:ann/claude:7f3a")).ref,
        "team:ann/claude:7f3a0001",
      );
      assert.equal((await findShared(ben, "ben", "team:7f3a0002")).session, "codex:7f3a0002");
      assert.equal((await findShared(store, "ann", "team:secon")).session, "second");
      await assert.rejects(findShared(ben, "ben", "team:7f3a"), { code: "ambiguous" });
      await assert.rejects(findShared(ben, "ben", "team:7f3b"), { code: "not-found" });
    });
    await test.step("a project's readers change for the sessions that are there", async () => {
      const count = async (): Promise<number> => (await ben.branches()).length;
      await team.sql("create role a_few; update reprise.project set readers = 'a_few'");
      assert.equal(await count(), 0);
      await team.sql("grant a_few to ben");
      assert.equal(await count(), 5);
      assert.equal((await store.branches()).length, 5);
      await team.sql("delete from reprise.project");
      assert.equal(await count(), 0);
    });
    await test.step("what can only be read greets, lists and gives bytes", async () => {
      await team.sql(`alter database ${team.name} set default_transaction_read_only = on`);
      await using replica = await openTeamStore(team.address("ann"));
      await replica.hello({ id: crypto.randomUUID(), label: "new" });
      assert.equal((await replica.summaries({ limit: 9 })).length, 5);
      let bytes = 0;
      for await (
        const window of replica.segments([{ owner: "ann", session: "first", n: 1, from: 0 }])
      ) {
        bytes += window.length;
      }
      assert.equal(bytes, 3);
      await assert.rejects(append(replica, "second", 1), /is read-only/);
    });
  });
});
