/** A team's store in a real PostgreSQL. */
import assert from "node:assert/strict";
import { initTeamStore } from "../../../../lib/features/team/postgres/init_store.ts";
import { openTeamStore } from "../../../../lib/features/team/postgres/postgres_store.ts";
import { sha256 } from "../../../../lib/features/team/branch_segments.ts";
import { onPostgres, withPostgres } from "../../../_support/postgres.ts";

const LAPTOP = { id: "11111111-1111-4111-8111-111111111111", label: "laptop" };
onPostgres.test("a store is made once, a device has one member, and text is storable", async () => {
  await withPostgres(async (server) => {
    const url = await server.database("team");
    assert.equal((await initTeamStore(url)).owner, "owner");
    await assert.rejects(initTeamStore(url), /already has a store/);
    await server.sql("create role ben login password 'pw'; grant reprise_member to ben");
    await using store = await openTeamStore(url);
    await store.hello(LAPTOP);
    const terms = { project: "p", form: "copy", visible: "team" } as const;
    await store.claim([{ id: "s", ...terms }], LAPTOP.id);
    const bytes = new TextEncoder().encode("one\n");
    const summary = { len: 4, made_by: "t", row: { title: "a\0b\ud800" } };
    const place = { session: "s", n: 1, off: 0, prev: "", len: 4, sha: sha256(bytes), bytes };
    await store.append([{ ...place, ...terms, codec: "plain", summary }]);
    const [row] = await store.summaries({ project: "p" });
    assert.deepEqual(row?.summary?.row, { title: "a\uFFFDb\uFFFD" });
    const address = Object.assign(new URL(url), { username: "ben", password: "pw" }).href;
    await using other = await openTeamStore(address);
    await assert.rejects(other.hello(LAPTOP), /this device belongs to another member/);
  });
});

onPostgres.test("a refusal of the server is one line that says what to do", async () => {
  await withPostgres(async (server) => {
    const url = await server.database("team");
    const cases: [string, RegExp][] = [
      [
        "postgresql://owner@127.0.0.1:1/team",
        /Cannot connect to the team's store: 127.0.0.1 cannot be reached: no server listens on this port$/,
      ],
      [
        url.replace(/owner:[^@]*@/, "owner:wrong@"),
        /refuses this user: .*check the user, and the password/,
      ],
      [
        url.replace(/owner:[^@]*@/, "owner@"),
        /asks for a password; put the password in ~\/.pgpass/,
      ],
      [`${url}x`, /has no database teamx/],
      [`${url}?sslmode=require`, /does not support TLS/],
      // Not an address of this machine by its name, so that TLS is asked for unasked.
      [url.replace("127.0.0.1", "0.0.0.0"), /does not support TLS/],
      [
        "postgresql://ada@db.example/team?sslmode=disable",
        /unencrypted; leave it out, or add --insecure/,
      ],
      ["postgresql://ada@db.example/team?sslmode=on", /sslmode must be one of/],
    ];
    for (const [address, message] of cases) await assert.rejects(openTeamStore(address), message);
    await using bare = await openTeamStore(url);
    await assert.rejects(
      bare.hello(LAPTOP),
      /the database's owner can make a store with: reprise sync init URL/,
    );
    await initTeamStore(url);
    await server.sql("update reprise.store set version = 99", "team");
    await assert.rejects(
      bare.hello(LAPTOP),
      /a newer Reprise made the store's schema \(version 99\)/,
    );
    await server.sql("update reprise.store set version = 1", "team");
    await assert.rejects(
      bare.hello(LAPTOP),
      /the store's owner can upgrade it: reprise sync upgrade/,
    );
    await using later = await openTeamStore(url);
    await server.stop();
    await assert.rejects(later.branches(), /cannot be reached|does not accept the connection/);
    await server.start();
  });
});
