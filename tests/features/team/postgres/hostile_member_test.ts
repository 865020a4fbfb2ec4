/** A member who speaks SQL: the database itself keeps what this program would not ask for. */
import assert from "node:assert/strict";
import { openTeamStore } from "../../../../lib/features/team/postgres/postgres_store.ts";
import { connect, type Connection } from "../../../../lib/features/team/postgres/connect.ts";
import { onPostgres } from "../../../_support/postgres.ts";
import { makeStore, onTeam, withTeamHomes } from "../../../_support/team_homes.ts";

const ANN = "11111111-1111-4111-8111-111111111111";
const BEN = "22222222-2222-4222-8222-222222222222";
const SHA = "sha256('x')";

/** Ann shares one session with all, has one of her own, and one in a project that ben may not read. */
const SHARED = `
select reprise.register('${ANN}', 'laptop');
select reprise.claim('[
  {"id": "open", "project": "p", "form": "log", "visible": "team"},
  {"id": "mine", "project": "p", "form": "log", "visible": "private"},
  {"id": "diary entry", "project": "diary", "form": "log", "visible": "private"},
  {"id": "secret", "project": "closed", "form": "log", "visible": "team"}]', '${ANN}');
select reprise.append_many(jsonb_build_array(jsonb_build_object('session', id, 'n', 1, 'off', 0,
    'prev', '', 'len', 4, 'sha', encode(${SHA}, 'hex'), 'codec', 0, 'at', 0, 'size', 4,
    'project', project, 'form', 'log', 'visible', visible, 'summary',
    '{"len": 4, "made_by": "x", "row": {"title": "hush"}}'::jsonb)), convert_to(E'one\\n', 'UTF8'))
  from (values ('open', 'p', 'team'), ('mine', 'p', 'private'), ('secret', 'closed', 'team'))
    t (id, project, visible);
select reprise.put_mark('open', 'title', '"a title"', now(), '${ANN}');`;

const TABLES = [
  ...["store", "device", "project", "session", "branch", "segment", "summary", "mark"],
  ...["words", "policy", "reading", "hold"],
];

/** A function that the planner would like to ask before the policies. */
const LEAK = `create function pg_temp.leak(text) returns boolean language plpgsql cost 0.0000001
  as $$ begin raise 'leaked %', $1; end $$`;

/** The whole store, as its owner sees it. */
async function contents(owner: Connection): Promise<string> {
  const parts = TABLES.map((table) =>
    `select '${table}' as "table", json_agg(t order by t::text) from reprise.${table} t`
  );
  return JSON.stringify(await owner.rows("look", parts.join(" union all ")), null, 1);
}

/** Runs statements; gives the rows, or what the server said. */
async function answerTo(member: Connection, statements: string): Promise<string> {
  try {
    return JSON.stringify(await member.rows("try", statements));
  } catch (error) {
    return String(error);
  }
}

/** Appends the same bytes to his own session, each time but for what the SQL of the fields says. */
const append = (...appends: string[]): string => {
  const items = appends.map((fields) =>
    `'{"session": "mine2", "n": 1, "off": 0, "prev": "",
      "len": 4, "sha": "${"00".repeat(32)}", "codec": 0, "at": 0, "size": 4,
      "project": "p", "form": "log", "visible": "team"}'::jsonb || (${fields})::jsonb`
  );
  return `select reprise.append_many(jsonb_build_array(${items.join(", ")}), 'evil')`;
};
const TWICE = append(
  "'{}'",
  `jsonb_build_object('off', 4,
    'prev', encode(sha256(decode('${"00".repeat(32)}', 'hex')), 'hex'))`,
);

const DENIED = /permission denied/;
const NOT_HIS = /not your session|another member|no reader of project/;
const REFUSED =
  /violates|null value|out of range|invalid|negative|malformed|query returned no rows/;

/** What ben tries, and what the server answers. None of it changes a byte. */
const TRIES: [name: string, sql: string, answer: RegExp][] = [
  ...TABLES.flatMap((table): [string, string, RegExp][] => [
    [`deletes from ${table}`, `delete from reprise.${table}`, DENIED],
    [`empties ${table}`, `truncate reprise.${table} cascade`, /permission denied|must be owner/],
    [`locks ${table}`, `lock table reprise.${table} in exclusive mode; select 1`, DENIED],
    [
      `reads ${table} past its policy`,
      `alter table reprise.${table} disable row level security`,
      /must be owner/,
    ],
  ]),
  ...["words", "policy", "reading", "hold", "members", "projects", "metrics", "segment_3"].map(
    (table): [string, string, RegExp] => [
      `reads ${table}`,
      `select * from reprise.${table}`,
      DENIED,
    ],
  ),
  ["reads bytes past the audit", "select bytes from reprise.segment", DENIED],
  ...["expire()", "touch('open')", "put_words('open', 1, 0, 'x')", "check_device(null)"].map((
    call,
  ) => [`calls ${call}`, `select reprise.${call}`, DENIED] as [string, string, RegExp]),
  [
    "reads the bytes of what is private, or closed to him",
    `select count(*) from reprise.read_segments('[
      {"i": 0, "owner": "ann", "session": "mine", "n": 1, "from": 0},
      {"i": 1, "owner": "ann", "session": "secret", "n": 1, "from": 0}]', 1000)`,
    /"count":"0"/,
  ],
  [
    "finds words of what is private, or closed to him",
    "select session from reprise.find_words('hush', 10)",
    /^\[\{"session":"open"\}\]$/,
  ],
  [
    "stores another member's segments as one",
    `select reprise.fold('open', 1, 0, 4, ${SHA}, 0::smallint, '')`,
    /false/,
  ],
  ["writes over bytes", "update reprise.segment set bytes = 'x'", DENIED],
  ["shortens a log", "update reprise.branch set len = 0, head = ''", DENIED],
  ["takes a session", "update reprise.session set owner = 'ben'", DENIED],
  [
    "adds bytes beside the functions",
    `insert into reprise.segment values ('ann', 'open', 1, 4, 4, ${SHA}, ${SHA}, 0, 'evil')`,
    DENIED,
  ],
  ["changes who reads a project", "update reprise.project set readers = 'reprise_member'", DENIED],
  ["changes a policy", "drop policy r on reprise.session", /must be owner/],
  ["makes a table in the schema", "create table reprise.evil (x int)", DENIED],
  [
    "makes a function in the schema",
    "create function reprise.evil() returns int language sql as 'select 1'",
    DENIED,
  ],
  ["becomes another member", "set session authorization ann; set role ann", /permission denied/],
  [
    "calls the function inside",
    `select reprise.append('{"session": "open"}', 'evil')`,
    DENIED,
  ],
  ["appends under other terms", append(`'{"visible": "private"}'`), /"moved"/],
  ["appends behind another end", append(`'{"prev": "${"11".repeat(32)}"}'`), /"moved"/],
  ["appends under no terms", append(`'{"visible": null}'`), /"moved"/],
  [
    "signs with what is no signature",
    append(`'{"signed": {"by": "00", "signature": "00"}}'`),
    REFUSED,
  ],
  ["appends to another member's session", append(`'{"session": "open"}'`), NOT_HIS],
  ["greets as another member's machine", `select reprise.hello('${ANN}', 'evil')`, NOT_HIS],
  ["takes another member's machine", `select reprise.register('${ANN}', 'evil')`, NOT_HIS],
  ["shares from another member's machine", `select reprise.claim('[]', '${ANN}')`, NOT_HIS],
  [
    "shares into a project that he may not read",
    `select reprise.claim('[{"id": "x", "project": "closed", "form": "log", "visible": "team"}]', '${BEN}')`,
    NOT_HIS,
  ],
  [
    "begins a branch of another member's session",
    `select reprise.new_branch('open', 1, '${BEN}', 1, 4)`,
    NOT_HIS,
  ],
  [
    "marks from another member's machine",
    `select reprise.put_mark('open', 'title', '"x"', now(), '${ANN}')`,
    NOT_HIS,
  ],
  [
    "marks from the future",
    `select reprise.put_mark('open', 'title', '"x"', now() + interval '1 hour', '${BEN}')`,
    /your clock is ahead/,
  ],
  [
    "marks at the end of time",
    `select reprise.put_mark('open', 'title', '"x"', 'infinity', '${BEN}')`,
    /your clock is ahead/,
  ],
  [
    "marks what is no mark",
    `select reprise.put_mark('open', 'evil', '"x"', now(), '${BEN}')`,
    REFUSED,
  ],
  [
    "gives a title of a megabyte",
    `select reprise.put_mark('open', 'title', to_jsonb(repeat('x', 1000000)), now(), '${BEN}')`,
    REFUSED,
  ],
  [
    "names a session without end",
    `select reprise.claim(jsonb_build_array(jsonb_build_object('id', repeat('x', 5000), 'project', 'p',
      'form', 'log', 'visible', 'team')), '${BEN}')`,
    REFUSED,
  ],
  [
    "names a project without end",
    `select reprise.claim(jsonb_build_array(jsonb_build_object('id', 'x', 'project', repeat('x', 5000),
      'form', 'log', 'visible', 'team')), '${BEN}')`,
    REFUSED,
  ],
  ["names nothing", `select reprise.claim('[{}]', '${BEN}')`, REFUSED],
  [
    "names a form that is none",
    `select reprise.claim('[{"id": "x", "project": "p", "form": "evil", "visible": "team"}]', '${BEN}')`,
    /takes no session as evil/,
  ],
  ["appends a negative size", append(`'{"size": -1}'`), REFUSED],
  ["appends nothing", append(`'{"len": 0}'`), REFUSED],
  ["appends what would become a gigabyte", append(`'{"len": 1000000000}'`), REFUSED],
  ["appends beyond all numbers", append(`'{"len": 99999999999}'`), REFUSED],
  ["appends with a codec that is none", append(`'{"codec": 9}'`), REFUSED],
  ["appends with a hash that is none", append(`'{"sha": "00"}'`), REFUSED],
  [
    "appends a list's row of a megabyte",
    append(`jsonb_build_object('summary', jsonb_build_object('len', 4, 'made_by', 'x', 'row',
      jsonb_build_object('title', repeat('x', 1000000))))`),
    REFUSED,
  ],
  [
    "begins a branch behind nothing",
    `select reprise.new_branch('mine2', 1, '${BEN}', 1, 99)`,
    REFUSED,
  ],
  [
    "begins a branch before the first byte",
    `select reprise.new_branch('mine2', 1, '${BEN}', 1, -4)`,
    REFUSED,
  ],
  [
    "begins a branch without having seen one",
    `select reprise.new_branch('mine2', null, '${BEN}', 1, 0)`,
    /null/,
  ],
  ["rewinds another member's copy", "select reprise.rewind('open', 1, '', 0)", /false/],
  ["withdraws another member's session", "select reprise.withdraw('open')", /false/],
  ["gives another member's session other keys", "select reprise.rekey('open', 'x')", /false/],
  [
    "reads what is private",
    "select count(*) from reprise.segment where session = 'mine'",
    /"count":"0"/,
  ],
  [
    "reads a project that he may not read",
    "select count(*) from reprise.segment where session = 'secret'",
    /"count":"0"/,
  ],
  [
    "reads the name of a project that has private sessions alone",
    "select count(*) from reprise.project where id = 'diary'",
    /"count":"0"/,
  ],
  [
    "asks for the names of projects",
    "select count(*) > 0 as is_told from reprise.project where id in ('diary', 'closed')",
    /"is_told":false/,
  ],
  [
    "makes another member's session private, or his",
    `select reprise.claim('[{"id": "open", "project": "p", "form": "log", "visible": "team",
      "replace": true}]', '${ANN}')`,
    NOT_HIS,
  ],
  [
    "reads the name of such a project",
    "select count(*) from reprise.project where id = 'closed'",
    /"count":"0"/,
  ],
  ["reads another member's marks", "select count(*) from reprise.mark", /"count":"0"/],
  [
    "looks by a function of his own",
    "select count(*) from reprise.session where pg_temp.leak(id) and id not in ('open', 'mine2')",
    /"count":"0"/,
  ],
];

// Slow: each of a hundred attempts compares all that the store holds.
onPostgres.test("a member who speaks SQL reads, changes and forges nothing that is not his", async (test) => {
  await withTeamHomes(async (team) => {
    await makeStore(team);
    await team.sql(`create role closed_readers; grant closed_readers to ann;
        insert into reprise.project values ('closed', 'closed_readers')`);
    await using owner = await connect(team.address("owner"));
    await using ann = await connect(team.address("ann"));
    await using ben = await connect(team.address("ben"));
    await ann.rows("share", SHARED);
    await ben.rows("greet", `select reprise.register('${BEN}', 'desktop')`);
    await ben.rows("make a function", LEAK);
    const own = '[{"id": "mine2", "project": "p", "form": "log", "visible": "team"}]';
    assert.match(await answerTo(ben, `select reprise.claim('${own}', '${BEN}')`), /open/);
    const tried = ([name, sql, answer]: typeof TRIES[number]): Promise<boolean> =>
      test.step(name, async () => {
        const before = await contents(owner);
        assert.match(await answerTo(ben, sql), answer);
        assert.equal(await contents(owner), before);
      });
    for (const one of TRIES) await tried(one);
    await team.sql("update reprise.policy set member_bytes = 6, project_bytes = 0");
    await tried(["stores the same sent bytes twice, beyond his quota", TWICE, /used your quota/]);
    const asked = '[{"id": "x", "project": "diary", "form": "log", "visible": "private"}]';
    const claim = `do $$ begin perform reprise.claim('${asked}', '${BEN}'); raise 'taken'; end $$`;
    await tried(["asks for the size of a private project", claim, /taken/]);
  });
});

onPostgres.test("a member who speaks SQL cannot destroy his own session while it is held", async (test) => {
  await withTeamHomes(async (team) => {
    await makeStore(team);
    await using owner = await connect(team.address("owner"));
    await using ben = await connect(team.address("ben"));
    const forms = ["copy", "sealed"];
    const claims = forms.map((form) => ({ id: form, project: "p", form, visible: "team" }));
    const items = forms.flatMap((form) =>
      [0, 4].map((off) =>
        `jsonb_build_object('session', '${form}', 'n', 1, 'off', ${off},
          'prev', ${off === 0 ? "''" : `encode(sha256(${SHA}), 'hex')`}, 'len', 4,
          'sha', encode(${SHA}, 'hex'), 'codec', 0, 'at', 0, 'size', 4,
          'project', 'p', 'form', '${form}', 'visible', 'team')`
      )
    );
    await ben.rows(
      "share",
      `select reprise.register('${BEN}', 'desktop');
        select reprise.claim('${JSON.stringify(claims)}', '${BEN}');
        select reprise.append_many(jsonb_build_array(${items.join(", ")}), 'four')`,
    );
    const head = `sha256(sha256(${SHA}) || ${SHA})`;
    await team.sql("insert into reprise.hold (owner, reason) values ('ben', 'case 7')");
    const tries: [name: string, sql: string, answer: RegExp][] = [
      ["by a block", `select reprise.fold('copy', 1, 0, 8, ${head}, 0::smallint, 'x')`, /false/],
      ["by keys", "select reprise.rekey('sealed', 'x')", /kept by a legal hold/],
      ["by a cut", `select reprise.rewind('copy', 1, ${head}, 0)`, /kept by a legal hold/],
    ];
    for (const [name, sql, answer] of tries) {
      await test.step(name, async () => {
        const before = await contents(owner);
        assert.match(await answerTo(ben, sql), answer);
        assert.equal(await contents(owner), before);
      });
    }
    await team.sql("delete from reprise.hold");
    for (const [, sql] of tries) assert.match(await answerTo(ben, sql), /true/);
  });
});

onTeam.test("functions that a member left in the public schema stand in for none of PostgreSQL's", async (team) => {
  await makeStore(team);
  await using ann = await connect(team.address("ann"));
  await using ben = await connect(team.address("ben"));
  await ann.rows("share", SHARED.replaceAll("closed", "p"));
  // As every member could before PostgreSQL 15.
  await team.sql("grant create on schema public to ben");
  const trap = (name: string, args: string, returns: string): string =>
    `create function public.${name}(${args}) returns ${returns} language plpgsql as
          $$ begin perform reprise.withdraw('mine'); raise 'a trap'; end $$;`;
  const traps = [
    trap("jsonb_array_elements", "text", "setof jsonb"),
    trap("jsonb_to_recordset", "text", "setof record"),
    ...["encode", "decode", "to_char", "octet_length", "sum", "to_regnamespace"].map((name) =>
      trap(name, "text", "text")
    ),
    ...["encode", "decode", "to_char"].map((name) => trap(name, "varchar, varchar", "text")),
  ];
  await ben.rows("leave traps", traps.join("\n"));
  await using store = await openTeamStore(team.address("ann"));
  const device = { id: ANN, label: "laptop" };
  await store.hello(device);
  const time = new Date().toISOString();
  await store.putMarks([{ ref: "mine", field: "title", value: "t", time, device: ANN }]);
  assert.equal((await store.marks(0)).marks.length, 2);
  assert.equal((await store.summaries({ mine: true, sessions: ["mine"] })).length, 1);
  assert.equal((await store.hashes(["mine"])).length, 1);
  let bytes = 0;
  for await (
    const window of store.segments([{ owner: "ann", session: "mine", n: 1, from: 0 }])
  ) {
    for (const one of window) bytes += one.bytes.length;
  }
  assert.equal(bytes, 4);
  assert.equal(await store.rewind("mine", 1, "", 0), false);
});
