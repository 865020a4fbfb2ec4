/** Lists of a store with many sessions: what a statement reads does not grow with the store. */
import assert from "node:assert/strict";
import { initTeamStore } from "../../../../lib/features/team/postgres/init_store.ts";
import { openTeamStore } from "../../../../lib/features/team/postgres/postgres_store.ts";
import { branchQuery } from "../../../../lib/features/team/postgres/branch_query.ts";
import type { BranchQuery } from "../../../../lib/features/team/team_store.ts";
import { onPostgres, type PostgresServer, withPostgres } from "../../../_support/postgres.ts";

const SESSIONS = Deno.env.get("REPRISE_TORTURE") === "all" ? 100_000 : 5_000;
const ROWS = 50;

/** Sessions of ten members in 50 projects, a minute apart; every seventh is its owner's alone. */
const FILL = `
set search_path = reprise;
create role ada login;
grant reprise_member to ada;
insert into device
  select gen_random_uuid(), case when g = 0 then 'ada' else 'member' || g end, 'device ' || g
  from generate_series(0, 9) g;
insert into project select 'p' || g from generate_series(0, 49) g;
insert into session (owner, id, project, device, form, visible, readers, changed_at)
  select d.owner, 'id' || g, 'p' || (g % 50), d.id, 'copy',
    case when g % 7 = 0 then 'private' else 'team' end,
    case when g % 7 > 0 then 'reprise_member' end, now() - g * interval '1 minute'
  from generate_series(1, ${SESSIONS}) g
  join (select *, row_number() over (order by label) - 1 as place from device) d
    on d.place = (g / 50) % 10;
insert into branch
  select owner, id, 1, device, null, 0, 1000, '', changed_at from session;
insert into summary
  select owner, id, 1, 1000, 'test', '{"title": "a session"}' from session;
analyze;`;

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

/** The rows of tables that a plan looked at. */
function rowsRead(plan: Plan): number {
  const read = plan["Relation Name"] === undefined
    ? 0
    : (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0)) * plan["Actual Loops"];
  return read + (plan.Plans ?? []).reduce((sum, one) => sum + rowsRead(one), 0);
}

async function rowsReadFor(
  server: PostgresServer,
  query: BranchQuery,
  as = "ada",
): Promise<number> {
  const [text, values] = branchQuery(query, true);
  const literal = (value: unknown): string =>
    Array.isArray(value) ? `'{${value.join(",")}}'` : `'${value}'`;
  const statement = values.reduce<string>(
    (sql, value, index) =>
      sql.replaceAll(`$${index + 1}`, typeof value === "number" ? `${value}` : literal(value)),
    text,
  );
  const explained = await server.sql(
    `set session authorization ${as}; explain (analyze, format json) ${statement};`,
    "team",
  );
  const [{ Plan: plan }] = JSON.parse(explained) as [{ Plan: Plan }];
  return rowsRead(plan);
}

// Slow: a planner chooses an index only where there are many rows.
onPostgres.test(`the newest of ${SESSIONS} sessions are listed by looking at few rows`, async () => {
  await withPostgres(async (server) => {
    const url = await server.database("team");
    await initTeamStore(url);
    await server.sql(FILL, "team");
    const since = (await server.sql("select (now() - interval '9 minutes')::text", "team"))
      .trim();
    const most = ROWS * 20;
    // At most eleven ids begin so, however many there are.
    const begins = ["id4777", "claude:id4777"];
    const queries: BranchQuery[] = [{ limit: ROWS }, { project: "p3", limit: ROWS }, { since }];
    for (const query of [...queries, { sessions: ["id77"] }, { begins, limit: ROWS }]) {
      const rows = await rowsReadFor(server, query);
      assert.ok(rows > 0 && rows < most, `${JSON.stringify(query)}: ${rows} rows`);
    }
    // The newest sessions are not his, and he does not look through them.
    await server.sql(
      `create role closed; create role eve login; grant reprise_member to eve;
         update reprise.project set readers = 'closed'`,
      "team",
    );
    assert.ok(await rowsReadFor(server, { limit: ROWS }, "eve") < most);
    await server.sql("update reprise.project set readers = 'reprise_member'", "team");
    await using store = await openTeamStore(url);
    const all = await store.branches();
    assert.equal(new Set(all.map(({ session }) => session)).size, all.length);
    assert.equal(all.length, SESSIONS - Math.floor(SESSIONS / 7));
    const found = await store.summaries({ project: "p3", limit: ROWS });
    const times = found.map(({ changed_at }) => changed_at);
    assert.equal(found.length, ROWS);
    assert.deepEqual(times, [...times].sort().reverse());
  });
});
