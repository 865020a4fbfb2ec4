/** A place of objects in a real PostgreSQL. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { listHeads } from "../../../../lib/features/team/objects/heads.ts";
import { openDatabase } from "../../../../lib/features/team/postgres/database_store.ts";
import { makeObjectTable } from "../../../../lib/features/team/postgres/object_table.ts";
import { makeDatabase, openDatabaseTeam } from "../../../_support/database_team.ts";
import { onPostgres, withPostgres } from "../../../_support/postgres.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

// Slow: a server gets databases with a store.
onPostgres.test("objects are replaced if unchanged, listed by prefix in pages, and read together", async (test) => {
  await withPostgres(async (server) => {
    const url = await server.database("team");
    await makeObjectTable(url);
    // As after a killed init, which is repeated.
    await makeObjectTable(url);
    const { objects, owner } = await openDatabase(url);
    await using _closed = objects;
    assert.equal(owner, "owner");
    const key = "v1/heads/u-owner/x.json";
    await test.step("an object is made once, and replaced by who knows its tag", async () => {
      const tag = await objects.put(key, bytesOf("one"), null);
      assert.equal(await objects.put(key, bytesOf("two"), null), undefined);
      assert.equal(await objects.put(key, bytesOf("two"), "another"), undefined);
      assert.equal(await objects.put("v1/heads/u-owner/none", bytesOf("two"), tag), undefined);
      assert.deepEqual(await objects.get(key, 3), { bytes: Buffer.from("one"), tag });
      const next = await objects.put(key, bytesOf("two"), tag);
      assert.notEqual(next, tag);
      assert.equal(await objects.put(key, bytesOf("two")), next);
      await assert.rejects(objects.get(key, 2), { code: "too-large" });
      await objects.delete(key);
      await objects.delete(key);
      assert.equal(await objects.get(key, 3), undefined);
    });
    await test.step("objects that are asked for at once have an answer each", async () => {
      const keys = Array.from({ length: 40 }, (_, n) => `v1/segments/u-owner/${n}`);
      for (const one of keys) await objects.put(one, bytesOf(one));
      const read = await Promise.allSettled(
        [...keys, "v1/none"].map((one) => objects.get(one, 24)),
      );
      const texts = read.map((one) =>
        one.status === "rejected" ? one.reason.code : one.value && `${Buffer.from(one.value.bytes)}`
      );
      assert.deepEqual(texts, [...keys, undefined]);
      const short = await Promise.allSettled(keys.slice(0, 11).map((one) => objects.get(one, 21)));
      assert.equal(short.filter(({ status }) => status === "rejected").length, 1);
    });
    await test.step("a list has several pages", async () => {
      await server.sql(
        `insert into reprise.object (key, bytes)
         select 'v1/copies/u-owner/' || n, 'x' from generate_series(1, 4500) n`,
        "team",
      );
      const pages = await Array.fromAsync(objects.list("v1/copies/"));
      assert.deepEqual(pages.map(({ length }) => length), [2000, 2000, 500]);
      assert.equal(new Set(pages.flat().map(({ key }) => key)).size, 4500);
      const [first] = await Array.fromAsync(objects.list("v1/copies/u-owner/44"));
      assert.equal(first?.length, 111);
      assert.equal(first?.[0]?.size, 1);
    });
  });
});

// Slow: a server is stopped and started.
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
    for (const [address, message] of cases) await assert.rejects(openDatabase(address), message);
    await assert.rejects(
      openDatabaseTeam(url),
      /the database's owner can make a store with: reprise sync team URL/,
    );
    await makeDatabase(url);
    await using team = await openDatabaseTeam(url);
    await server.stop();
    await assert.rejects(
      listHeads(team.objects),
      /cannot be reached|does not accept the connection/,
    );
    await server.start();
  });
});

onPostgres.test("a store of a development version is refused with what to do", async () => {
  await withPostgres(async (server) => {
    const url = await server.database("team");
    await server.sql("create schema reprise; create table reprise.segment (x int)", "team");
    await assert.rejects(openDatabase(url), {
      code: "unsupported-version",
      message: /^Cannot use the team's store: a development version of Reprise made it\. [^\n]+$/,
    });
    await assert.rejects(makeObjectTable(url), /: a development version of Reprise made it/);
  });
});
