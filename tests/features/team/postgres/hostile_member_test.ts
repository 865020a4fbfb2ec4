/** A member who speaks SQL: the database itself keeps what this program would not ask for. */
import assert from "node:assert/strict";
import { hashedName } from "../../../../lib/features/team/objects/object_keys.ts";
import { connect, type Connection } from "../../../../lib/features/team/postgres/connect.ts";
import { openDatabaseTeam } from "../../../_support/database_team.ts";
import { onPostgres } from "../../../_support/postgres.ts";
import { makeStore, onTeam, withTeamHomes } from "../../../_support/team_homes.ts";

const ANN = "11111111-1111-4111-8111-111111111111";
const NAMES = ["open", "mine", "closed"];

/** Ann shares one session with all, has one of her own, and one in a project that ben may not read. */
async function shareAll(url: string): Promise<void> {
  await using store = await openDatabaseTeam(url);
  await store.hello({ id: ANN, label: "laptop" });
  const bytes = new TextEncoder().encode("hush\n");
  const sha = [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))]
    .map((one) => one.toString(16).padStart(2, "0")).join("");
  for (const id of NAMES) {
    const project = id === "closed" ? "closed" : "p";
    const visible = id === "mine" ? "private" : "team";
    const terms = { project, visible, form: "copy" } as const;
    await store.claim([{ id, ...terms }], ANN);
    const place = { session: id, n: 1, off: 0, prev: "", len: bytes.length, sha, bytes };
    const summary = { len: bytes.length, made_by: "t", row: { title: `title of ${id}` } };
    await store.append([{ ...place, ...terms, codec: "plain", summary }]);
  }
  const time = new Date().toISOString();
  await store.putMarks([{ ref: "open", field: "title", value: "t", time, device: ANN }]);
}

/** A function that the planner would like to ask before the policies. */
const LEAK = `create function pg_temp.leak(text) returns boolean language plpgsql cost 0.0000001
  as $$ begin
    if $1 ~ '/m-|/marks|p-${hashedName("closed")}' then raise 'leaked %', $1; end if;
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

const adding = (key: string, condition = "null"): string =>
  `select reprise.put('${key}', 'evil', ${condition})`;
const DENIED = /permission denied/;
const NOT_HIS = /each member writes below the own name/;
const REFUSED = /violates check constraint/;
const NONE = /"count":"0"/;
const OPEN = `%/p-${hashedName("p")}%`;

/** What ben tries, and what the server answers. None of it changes a byte. */
const TRIES: [name: string, sql: string, answer: RegExp][] = [
  ...["object", "project"].flatMap((table): [string, string, RegExp][] => [
    [`empties ${table}`, `truncate reprise.${table} cascade`, /permission denied|must be owner/],
    [`locks ${table}`, `lock table reprise.${table} in exclusive mode; select 1`, DENIED],
    [
      `reads ${table} past its policy`,
      `alter table reprise.${table} disable row level security`,
      /must be owner/,
    ],
  ]),
  ["reads who reads what", "select * from reprise.project", DENIED],
  ["changes who reads a project", "update reprise.project set readers = 'ben'", DENIED],
  ["opens a project", "delete from reprise.project", DENIED],
  ["deletes objects", "delete from reprise.object", DENIED],
  ["writes over bytes", "update reprise.object set bytes = 'x'", DENIED],
  ["takes an object", "update reprise.object set writer = 'ben'", DENIED],
  [
    "adds an object beside the function",
    "insert into reprise.object (key, bytes) values ('v1/heads/u-ben/x', 'x')",
    DENIED,
  ],
  [
    "deletes an object of another by the function",
    `select reprise.remove(key) from reprise.object where writer = 'ann'`,
    /"remove"/,
  ],
  ["asks for another's name in keys", "select reprise.key_name('ann')", DENIED],
  ["writes below another's name", adding(`v1/heads/u-ann/${ANN}/p-x.json`), NOT_HIS],
  ["writes what all read", adding(`v1/heads/fold-${hashedName("p")}.json`), NOT_HIS],
  ["writes a store of his own", adding("v1/heads/store.json"), NOT_HIS],
  ["writes at the top", adding("x"), NOT_HIS],
  [
    "replaces what he may read, if it is unchanged",
    `select reprise.put(key, 'evil', tag) from reprise.object where writer <> 'ben'`,
    NOT_HIS,
  ],
  [
    "shares in a project that he may not read",
    adding(`v1/segments/u-ben/x/p-${hashedName("closed")}/x/1`),
    /you are not a reader of this project.*grant closed_readers to ben/,
  ],
  ["names an object without end", adding(`v1/heads/u-ben/${"x".repeat(1100)}`), REFUSED],
  ["names an object with a line break", adding("v1/heads/u-ben/x\ny"), REFUSED],
  ["names an object in other letters", adding("v1/heads/u-ben/\u00e9"), REFUSED],
  ["changes a policy", "drop policy reading on reprise.object", /must be owner/],
  ["turns a rule off", "alter table reprise.object disable trigger all", /must be owner/],
  ["makes a table in the schema", "create table reprise.evil (x int)", DENIED],
  [
    "makes a function in the schema",
    "create function reprise.evil() returns int language sql as 'select 1'",
    DENIED,
  ],
  ["becomes another member", "set session authorization ann; set role ann", /permission denied/],
  [
    "reads what is private, or closed to him",
    `select count(*) from reprise.object where writer = 'ann' and key not like '${OPEN}'`,
    NONE,
  ],
  [
    "finds the bytes of what is private",
    `select count(*) from reprise.object where position('title of mine' in encode(bytes, 'escape')) > 0`,
    NONE,
  ],
  ["reads another member's marks", "select count(*) from reprise.object where key ~ 'marks'", NONE],
  [
    "looks by a function of his own",
    `select count(*) from reprise.object where pg_temp.leak(key) and key not like '${OPEN}'
       and key <> 'v1/heads/store.json'`,
    NONE,
  ],
];

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
      await answerTo(ben, `select count(*) > 1 as is from reprise.object where key like '${OPEN}'`),
      '[{"is":true}]',
    );
    for (const [name, sql, answer] of TRIES) {
      await test.step(name, async () => {
        const before = await contents(owner);
        assert.match(await answerTo(ben, sql), answer);
        assert.equal(await contents(owner), before);
      });
    }
    await test.step("what he may read follows the readers of projects", async () => {
      await using store = await openDatabaseTeam(team.address("ben"));
      await store.hello({ id: crypto.randomUUID(), label: "desktop" });
      const sessions = async (): Promise<string[]> =>
        (await store.branches()).map(({ session }) => session).sort();
      await sessions();
      assert.deepEqual(await sessions(), ["open"]);
      await team.sql("grant closed_readers to ben");
      assert.deepEqual(await sessions(), ["closed", "open"]);
      await team.sql("create role nobody; insert into reprise.project values ('p', 'nobody')");
      assert.deepEqual(await sessions(), ["closed"]);
      await team.sql("revoke reprise_member from ben");
      await assert.rejects(sessions(), { code: "permission" });
    });
  });
});

onTeam.test("a member's name may have any letters, and is his own", async (team) => {
  await makeStore(team);
  const name = 'B\u00e9n "the_1/st"';
  await team.sql(`create role "${name.replaceAll('"', '""')}" login in role reprise_member`);
  const url = team.address(encodeURIComponent(name));
  await shareAll(url);
  await using store = await openDatabaseTeam(url);
  const { owner } = await store.hello({ id: ANN, label: "laptop" });
  assert.equal(owner, name);
  assert.deepEqual((await store.branches()).map(({ session }) => session).sort(), NAMES.toSorted());
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
  await using store = await openDatabaseTeam(team.address("ann"));
  await store.hello({ id: ANN, label: "laptop" });
  assert.equal((await store.summaries({ mine: true, sessions: ["mine"] })).length, 1);
  assert.equal((await store.hashes(["mine"])).length, 1);
  const range = { owner: "ann", session: "mine", n: 1, from: 0 };
  const [window] = await Array.fromAsync(store.segments([range]));
  assert.equal(window?.[0]?.bytes.length, 5);
  assert.equal(await store.withdraw("mine"), true);
});
