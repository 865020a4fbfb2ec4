/** A store that an older version made: it is upgraded in place, and all that is in it stays. */
import assert from "node:assert/strict";
import { sessionId } from "../../../_support/cli_home.ts";
import { user } from "../../../_support/log_bytes.ts";
import { onPostgres } from "../../../_support/postgres.ts";
import { expectStatus, type TeamHomes, withTeamServer } from "../../../_support/team_homes.ts";
import { upgradeTeamStore } from "../../../../lib/features/team/postgres/init_store.ts";

/** As each older version made it. */
const OLDER = [1, 2].map((version) => ({
  version,
  schema: Deno.readTextFileSync(
    new URL(`../../../../testdata/team/store_schema_${version}.sql`, import.meta.url),
  ),
}));
const ONE = sessionId("aaaa1111");

/** Everything that the schema consists of: two stores of one version tell the same. */
const SHAPE = `
select * from (
  select 'column', format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default)
    from information_schema.columns where table_schema = 'reprise'
  union all select 'constraint', conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
    from pg_constraint where connamespace = 'reprise'::regnamespace
  union all select 'index', indexdef from pg_indexes where schemaname = 'reprise'
  union all select 'policy', polrelid::regclass || ' ' || polname || ' ' || pg_get_expr(polqual, polrelid)
    from pg_policy
  union all select 'protected', relname || relrowsecurity from pg_class
    where relnamespace = 'reprise'::regnamespace and relkind = 'r'
  union all select 'right', relname || array_to_string(relacl, ' ') from pg_class
    where relnamespace = 'reprise'::regnamespace
  union all select 'storage', format('%s.%s %s', attrelid::regclass, attname, attstorage)
    from pg_attribute where attrelid in (select oid from pg_class where relname in ('segment', 'segment_7'))
  union all select 'options', relname || coalesce(array_to_string(reloptions, ' '), '') from pg_class
    where relnamespace = 'reprise'::regnamespace
  union all select 'trigger', tgrelid::regclass || pg_get_triggerdef(oid) from pg_trigger
    where not tgisinternal
  union all select 'view', viewname || definition from pg_views where schemaname = 'reprise'
  union all select 'column right', format('%s %s %s', table_name, column_name, grantee)
    from information_schema.column_privileges where table_schema = 'reprise'
  union all select 'function', pg_get_functiondef(oid) || array_to_string(proacl, ' ')
    from pg_proc where pronamespace = 'reprise'::regnamespace
) t order by 1, 2`;

/** What the store holds, in the columns that all versions have. */
const CONTENTS = Object.entries({
  segment: "owner, session, n, off, len, sha, head, codec, bytes",
  summary: "*",
  mark: "*",
  store: "id",
}).map(([table, columns]) =>
  `select '${table}', json_agg(t order by t::text) from (select ${columns} from reprise.${table}) t`
).join(" union all ");

async function withOldStore(
  newTeam: () => Promise<TeamHomes>,
  schema: string,
  test: (team: TeamHomes) => Promise<void>,
): Promise<void> {
  const team = await newTeam();
  await team.sql(`begin; ${schema} commit; grant reprise_member to ann, ben`);
  await test(team);
}

/** Shares as the first program did: a session of the team, and a private one. */
const SHARED = `set session authorization ann;
select reprise.hello('11111111-1111-4111-8111-111111111111', 'laptop');
select reprise.claim('[{"id": "old", "project": "site", "form": "log", "visible": "team"},
  {"id": "own", "project": "diary", "form": "log", "visible": "private"}]',
  '11111111-1111-4111-8111-111111111111');
select reprise.append_many('[{"session": "old", "n": 1, "off": 0, "prev": "", "len": 4, "codec": 0,
  "sha": "2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806", "at": 0, "size": 4,
  "project": "site", "form": "log", "visible": "team",
  "summary": {"len": 4, "made_by": "reprise", "row": {"title": "Why zebra?"}}}]', E'one\\n');
select reprise.put_mark('old', 'title', '"a title"', now(), '11111111-1111-4111-8111-111111111111')`;

// Slow: PostgreSQL makes six databases, three of them with a schema.
onPostgres.test("sync upgrade makes an older store what a new store is", async (test) => {
  await withTeamServer(async (newTeam) => {
    for (const { version, schema } of OLDER) {
      await test.step(`of version ${version}`, async (test) => {
        await withOldStore(
          newTeam,
          schema,
          (team) => upgradeAndGoOn(test, team, newTeam, version),
        );
      });
    }
  });
});

async function upgradeAndGoOn(
  test: Deno.TestContext,
  team: TeamHomes,
  newTeam: () => Promise<TeamHomes>,
  from: number,
): Promise<void> {
  const [home, owner, ben] = [team.machine(), team.machine(), team.machine()];
  await team.sql(SHARED);
  const before = await team.sql(CONTENTS);
  const version = (): Promise<string> => team.sql("select version from reprise.store");
  await test.step("a member is told who upgrades it, and cannot", async () => {
    const refused = await expectStatus(home, ["sync", "join", team.address("ann")], 1);
    const told = "is too old; the store's owner can upgrade it: reprise sync upgrade URL";
    assert.match(refused.stderr, new RegExp(`the store's schema \\(version ${from}\\) ${told}`));
    const upgrade = ["sync", "upgrade", team.address("ann")];
    assert.match(
      (await expectStatus(home, upgrade, 1)).stderr,
      /only the store's owner \(owner\) can upgrade it$/m,
    );
    assert.equal(await version(), `${from}`);
  });
  await test.step("its owner upgrades it, once", async () => {
    const upgrade = ["sync", "upgrade", team.address("owner")];
    const done = await expectStatus(owner, upgrade);
    assert.equal(done.stderr, `Upgraded the team's store from version ${from} to 3\n`);
    const older_word = ["sync", "init", "--upgrade", team.address("owner")];
    assert.match((await expectStatus(owner, older_word)).stderr, /^Nothing to upgrade: .+ 3$/m);
    assert.equal(await team.sql(CONTENTS), before);
  });
  await test.step("it is what a new store is", async () => {
    const fresh = await newTeam();
    await expectStatus(owner, ["sync", "init", fresh.address("owner")]);
    const [upgraded, made] = [await team.sql(SHAPE), await fresh.sql(SHAPE)];
    assert.deepEqual(upgraded.split("\n"), made.split("\n"));
  });
  await test.step("names of projects that are private alone are hidden from then on", async () => {
    assert.equal(await team.sql("select string_agg(id, ',') from reprise.project"), "site");
  });
  await test.step("members go on with it", async () => {
    home.keep(ONE, [user("Why zebra?")]);
    for (const [one, role] of [[home, "ann"], [ben, "ben"]] as const) {
      await expectStatus(one, ["sync", "join", team.address(role)]);
      await expectStatus(one, ["sync", "add", "--project", "site", "--exact", "--yes"]);
    }
    await expectStatus(home, ["sync", "push"]);
    const pulled = await expectStatus(ben, ["sync", "pull"]);
    assert.match(pulled.stderr, /2 readable as team:/);
    assert.match((await expectStatus(ben, ["show", "team:ann/aaaa"])).stdout, /Why zebra\?/);
  });
}

// Slow: a server gets an older store, and two upgrades meet in it.
onPostgres.test("one of two upgrades at once does it, and one that breaks off changes nothing", async () => {
  await withTeamServer(async (newTeam) => {
    await withOldStore(newTeam, OLDER[1]?.schema ?? "", async (team) => {
      const shape = await team.sql(SHAPE);
      // Something that the upgrade finds in its way, behind most of its statements.
      await team.sql(
        "create function reprise.withdraw(text, text) returns int language sql as 'select 1'",
      );
      await team.sql(`create view public.watching as select reprise.withdraw('a', 'b')`);
      const blocked = expectStatus(team.machine(), [
        ...["sync", "upgrade", team.address("owner")],
      ], 1);
      assert.match((await blocked).stderr, /^reprise: Cannot upgrade the store: /);
      await team.sql("drop view public.watching; drop function reprise.withdraw(text, text)");
      assert.equal(await team.sql(SHAPE), shape);
      const both = await Promise.allSettled(
        [1, 2].map(() => upgradeTeamStore(team.address("owner"))),
      );
      assert.ok(both.some(({ status }) => status === "fulfilled"));
      assert.equal(await team.sql("select version from reprise.store"), "3");
    });
  });
});
