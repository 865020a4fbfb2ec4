/** A member who speaks SQL: the database itself keeps what this program would not ask for. */
import assert from "node:assert/strict";
import { listHeads, writeHead } from "../../../../lib/features/team/objects/heads.ts";
import {
  hashedName,
  parseHeadKey,
  sessionCopy,
  withdrawnKey,
} from "../../../../lib/features/team/objects/object_keys.ts";
import type { Team } from "../../../../lib/features/team/open_team.ts";
import { connect, type Connection } from "../../../../lib/features/team/postgres/connect.ts";
import { openDatabaseTeam } from "../../../_support/database_team.ts";
import { onPostgres } from "../../../_support/postgres.ts";
import { makeStore, onTeam, withTeamHomes } from "../../../_support/team_homes.ts";

const ANN = "11111111-1111-4111-8111-111111111111";

/** Ann shares a session with all, and one in a project that ben may not read; one was withdrawn. */
async function shareAll(url: string): Promise<void> {
  await using team = await openDatabaseTeam(url);
  const { objects, owner } = team;
  const bytes = new TextEncoder().encode("title of closed\n");
  for (const project of ["p", "closed"]) {
    const place = { owner, device: ANN, project };
    await objects.put(`${sessionCopy(place, "claude:3f6a")}1-0-9-x.zst`, bytes);
    await writeHead(objects, { ...place, machine: "laptop" }, ["1"]);
  }
  await objects.put(withdrawnKey(owner, "claude:aaaa"), new Uint8Array());
}

/** The projects whose heads a member may read, by the hashes of their names. */
async function projectsOf({ objects }: Team): Promise<string[]> {
  const heads = [...(await listHeads(objects)).keys()];
  return heads.map((key) => parseHeadKey(key)?.project ?? "").sort();
}

/** A function that the planner would like to ask before the policies. */
const LEAK = `create function pg_temp.leak(text) returns boolean language plpgsql cost 0.0000001
  as $$ begin
    if $1 ~ '/withdrawn|p-${hashedName("closed")}' then raise 'leaked %', $1; end if;
    return true;
  end $$`;

/** The whole store, as its owner sees it. */
async function contents(owner: Connection): Promise<string> {
  const parts = ["object", "project"].map((table) =>
    `select '${table}' as "table", md5(string_agg(t::text, ',' order by t::text)) as md5
     from reprise.${table} t`
  );
  return JSON.stringify(await owner.rows("look", parts.join(" union all ")));
}

/** Runs statements; gives the rows, or what the server said. */
async function answerTo(member: Connection, statements: string): Promise<string> {
  try {
    return JSON.stringify(await member.rows("try", statements));
  } catch (error) {
    return String(error);
  }
}

/** What ben tries, and a pattern of what the server answers. None of it changes a byte. */
const TRIES = Deno.readTextFileSync(
  new URL("../../../../testdata/team/hostile_sql.txt", import.meta.url),
).replaceAll("OPEN", hashedName("p")).replaceAll("CLOSED", hashedName("closed")).split("\n\n");

// Slow: each attempt compares all that the store holds.
onPostgres.test("a member who speaks SQL reads, changes and forges nothing that is not his", async (test) => {
  await withTeamHomes(async (team) => {
    await makeStore(team);
    await team.sql(`create role closed_readers; grant closed_readers to ann;
        insert into reprise.project values ('closed', 'closed_readers')`);
    await using owner = await connect(team.address("owner"));
    await using ben = await connect(team.address("ben"));
    await shareAll(team.address("ann"));
    await ben.rows("make a function", LEAK);
    assert.equal(
      await answerTo(
        ben,
        `select count(*) > 1 as is from reprise.object where key like '%/p-${hashedName("p")}%'`,
      ),
      '[{"is":true}]',
    );
    for (const text of TRIES) {
      const [, name = "", sql = "", answer = ""] = /^(.*)\n([^]*)\n-> (.*)$/m.exec(text) ?? [];
      await test.step(name, async () => {
        const before = await contents(owner);
        assert.match(await answerTo(ben, sql), new RegExp(answer));
        assert.equal(await contents(owner), before);
      });
    }
    await test.step("what he may read follows the readers of projects", async () => {
      await using ben = await openDatabaseTeam(team.address("ben"));
      const [open, closed] = ["p", "closed"].map(hashedName);
      assert.deepEqual(await projectsOf(ben), [open]);
      await team.sql("grant closed_readers to ben");
      assert.deepEqual(await projectsOf(ben), [open, closed].sort());
      await team.sql("create role nobody; insert into reprise.project values ('p', 'nobody')");
      assert.deepEqual(await projectsOf(ben), [closed]);
      await team.sql("revoke reprise_member from ben");
      await assert.rejects(projectsOf(ben), { code: "permission" });
    });
  });
});

onTeam.test("a member's name may have any letters, and is his own", async (team) => {
  await makeStore(team);
  const name = 'B\u00e9n "the_1/st"';
  await team.sql(`create role "${name.replaceAll('"', '""')}" login in role reprise_member`);
  const url = team.address(encodeURIComponent(name));
  await shareAll(url);
  await using member = await openDatabaseTeam(url);
  assert.equal(member.owner, name);
  assert.equal((await projectsOf(member)).length, 2);
});

onTeam.test("functions that a member left in the public schema stand in for none of PostgreSQL's", async (team) => {
  await makeStore(team);
  await shareAll(team.address("ann"));
  await using ben = await connect(team.address("ben"));
  // As every member could before PostgreSQL 15.
  await team.sql("grant create on schema public to ben");
  const traps = [
    ...["to_regclass", "octet_length", "unnest", "sha256", "session_user"].flatMap((name) =>
      ["text", "varchar", "text[], text[]"].map((args) => [name, args])
    ),
  ].map(([name, args]) =>
    `create function public.${name}(${args}) returns text language plpgsql as
       $$ begin raise 'a trap'; end $$;`
  );
  await ben.rows("leave traps", traps.join("\n"));
  await using ann = await openDatabaseTeam(team.address("ann"));
  assert.equal((await projectsOf(ann)).length, 2);
  const key = withdrawnKey("ann", "claude:aaaa");
  assert.notEqual(await ann.objects.get(key, 100), undefined);
  await ann.objects.delete(key);
  assert.equal(await ann.objects.get(key, 100), undefined);
});
