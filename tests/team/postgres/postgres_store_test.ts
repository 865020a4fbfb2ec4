/** A team's store in a real PostgreSQL. */
import assert from "node:assert/strict";
import { initTeamStore } from "../../../lib/team/postgres/init_store.ts";
import { openTeamStore } from "../../../lib/team/postgres/postgres_store.ts";
import type { SegmentToAppend, TeamStore } from "../../../lib/team/team_store.ts";
import { nextHead, NO_HEAD, sha256 } from "../../../lib/team/branch_segments.ts";
import { POSTGRES, type PostgresServer, withPostgres } from "../../_support/postgres.ts";
import { needing } from "../../_support/needing.ts";

const LAPTOP = { id: "11111111-1111-4111-8111-111111111111", label: "laptop" };
const text = new TextEncoder();

function segment(session: string, off: number, prev: string, plain: string): SegmentToAppend {
  const bytes = text.encode(plain);
  const terms = { project: "p", form: "copy", visible: "team" } as const;
  const place = { session, n: 1, off, prev, len: bytes.length, sha: sha256(bytes) };
  return { ...place, ...terms, codec: "plain", bytes };
}

async function withMember(
  server: PostgresServer,
  name: string,
  url: string,
): Promise<string> {
  await server.sql(
    `create role ${name} login password 'pw-${name}'; grant reprise_member to ${name};`,
  );
  const address = new URL(url);
  address.username = name;
  address.password = `pw-${name}`;
  return address.href;
}

async function collected(store: TeamStore, session: string, owner: string): Promise<string> {
  let all = "";
  for await (const window of store.segments([{ owner, session, n: 1, from: 0 }])) {
    for (const { bytes } of window) all += new TextDecoder().decode(bytes);
  }
  return all;
}

Deno.test({
  ...needing(
    "a team's store keeps what is appended, compares heads, and shows it to those who may read",
    POSTGRES,
  ),
  fn: async (test) => {
    await withPostgres(async (server) => {
      const url = await server.database("team");
      await test.step("init makes the schema once", async () => {
        const greeting = await initTeamStore(url);
        assert.equal(greeting.owner, "owner");
        await assert.rejects(initTeamStore(url), /has one already/);
      });
      const ada = await withMember(server, "ada", url);
      const ben = await withMember(server, "ben", url);
      await using store = await openTeamStore(ada);
      await using other = await openTeamStore(ben);
      await test.step("a segment is appended once, and a stale head has moved", async () => {
        assert.equal((await store.hello(LAPTOP)).owner, "ada");
        const claims = [{ id: "s1", project: "p", form: "copy", visible: "team" }] as const;
        assert.deepEqual([...await store.claim(claims, LAPTOP.id)], [["s1", "open"]]);
        const first = segment("s1", 0, NO_HEAD, "one\n");
        const head = nextHead(NO_HEAD, first.sha);
        assert.deepEqual(await store.append([first]), [{ status: "appended", len: 4, head }]);
        assert.deepEqual(await store.append([first]), [{ status: "already", len: 4, head }]);
        const stale = segment("s1", 0, NO_HEAD, "two\n");
        assert.equal((await store.append([stale]))[0]?.status, "moved");
        // As long as what is there, but other bytes.
        const other = segment("s1", 4, nextHead(NO_HEAD, sha256(text.encode("ONE\n"))), "two\n");
        assert.deepEqual(await store.append([other]), [{ status: "moved", len: 4, head }]);
        const summary = { len: 8, made_by: "t", row: { title: "a\0b\ud800" } };
        const next = { ...segment("s1", 4, head, "two\n"), summary };
        assert.equal((await store.append([next]))[0]?.status, "appended");
        assert.equal(await collected(store, "s1", "ada"), "one\ntwo\n");
      });
      await test.step("members read what is the team's, and nobody writes for another", async () => {
        const [row] = await other.summaries({ project: "p" });
        assert.equal(row?.owner, "ada");
        assert.deepEqual(row?.summary?.row, { title: "a\uFFFDb\uFFFD" });
        assert.equal(await collected(other, "s1", "ada"), "one\ntwo\n");
        await assert.rejects(other.hello(LAPTOP), /this device belongs to another member/);
        await assert.rejects(
          other.append([segment("s1", 8, row?.head ?? "", "x\n")]),
          /no session of yours/,
        );
        const claims = [{ id: "s2", project: "p", form: "log", visible: "private" }] as const;
        await store.claim(claims, LAPTOP.id);
        assert.deepEqual((await other.branches()).map(({ session }) => session), ["s1"]);
        assert.deepEqual(
          (await store.branches({ mine: true })).map(({ session }) => session).sort(),
          ["s1", "s2"],
        );
      });
      await test.step("a copy is rewound, a log never, and a branch begins behind a segment", async () => {
        const hashes = await store.hashes(["s1"]);
        assert.deepEqual(hashes.map(({ off, len }) => [off, len]), [[0, 4], [4, 4]]);
        assert.equal(await store.branch("s1", 1, LAPTOP.id, { n: 1, len: 4 }), 2);
        assert.equal(await store.branch("s1", 1, LAPTOP.id, { n: 1, len: 4 }), undefined);
        const head = hashes[1]?.head ?? "";
        assert.equal(await store.rewind("s1", 1, head, 0), false);
        assert.equal(await store.rewind("s1", 1, head, 4), true);
        assert.equal(await collected(store, "s1", "ada"), "one\n");
        assert.equal(await store.rewind("s2", 1, NO_HEAD, 0), false);
      });
      await test.step("the latest mark wins, and one from the future is refused", async () => {
        const mark = { ref: "s1", field: "title" as const, device: LAPTOP.id };
        const at = (value: string, time: string) => ({ ...mark, value, time });
        const marks = [at("a", "2026-01-01T00:00:00.001Z"), at("b", "2026-01-01T00:00:00.000Z")];
        assert.deepEqual(await store.putMarks(marks), [true, false]);
        const told = await store.marks(0);
        assert.deepEqual(told.marks, [marks[0]]);
        assert.deepEqual((await store.marks(told.seen)).marks, []);
        await assert.rejects(
          store.putMarks([at("c", "2999-01-01T00:00:00.000Z")]),
          /set this machine's clock/,
        );
      });
      await test.step("what is withdrawn is gone, and is not opened again", async () => {
        assert.equal(await store.withdraw("s1"), true);
        assert.equal(await collected(store, "s1", "ada"), "");
        const claims = [{ id: "s1", project: "p", form: "copy", visible: "team" }] as const;
        assert.deepEqual([...await store.claim(claims, LAPTOP.id)], [["s1", "withdrawn"]]);
        const others = [{ id: "s2", project: "p", form: "copy", visible: "team" }] as const;
        assert.deepEqual([...await store.claim(others, LAPTOP.id)], [["s2", "other-terms"]]);
        assert.equal(await store.withdraw("nothing"), false);
      });
    });
  },
});

Deno.test({
  ...needing("what a server refuses is one line that says what to do", POSTGRES),
  fn: async () => {
    await withPostgres(async (server) => {
      const url = await server.database("team");
      const cases: [string, RegExp][] = [
        [
          "postgresql://owner@127.0.0.1:1/team",
          /Cannot connect to the team's store: 127.0.0.1 cannot be reached: no server listens there$/,
        ],
        [
          url.replace(/owner:[^@]*@/, "owner:wrong@"),
          /refuses this user: .*check the user, and the password/,
        ],
        [url.replace(/owner:[^@]*@/, "owner@"), /asks for a password; put it into ~\/.pgpass/],
        [`${url}x`, /has no database teamx/],
        [`${url}?sslmode=require`, /does not speak TLS/],
        [
          "postgresql://ada@db.example/team?sslmode=disable",
          /in the clear; leave it out, or add --insecure/,
        ],
        ["postgresql://ada@db.example/team?sslmode=on", /sslmode is one of/],
      ];
      for (const [address, message] of cases) await assert.rejects(openTeamStore(address), message);
      await using bare = await openTeamStore(url);
      await assert.rejects(bare.hello(LAPTOP), /its owner makes one with: reprise sync init URL/);
      await initTeamStore(url);
      await server.sql("update reprise.store set version = 99", "team");
      await assert.rejects(bare.hello(LAPTOP), /schema has version 99, made by a later reprise/);
      await server.sql("update reprise.store set version = 1", "team");
      await assert.rejects(
        bare.hello(LAPTOP),
        /its owner upgrades it: reprise sync init --upgrade/,
      );
      await using later = await openTeamStore(url);
      await server.stop();
      await assert.rejects(later.branches(), /cannot be reached|takes no connection/);
    });
  },
});
