import assert from "node:assert/strict";
import { join } from "node:path";
import { jsonLines } from "../_support/cli.ts";
import { CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { assistant, toolEnd, toolStart, user } from "../_support/log_bytes.ts";
import { snapshot } from "../_support/store_snapshot.ts";
import { isHarmless } from "../text/render/_harmless.ts";
import { HOSTILE } from "./_hostile.ts";
import { shellLine, TERMINAL, Terminal } from "./_terminal.ts";
import { needing } from "../_support/needing.ts";

const CLAUDE_ID = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

/** Keeps a session of Claude Code with escaped letters beyond ASCII. */
function keepClaude(home: CliHome): void {
  const folder = join(home.path, ".claude", "projects", home.work.replaceAll(/[^a-zA-Z0-9]/g, "-"));
  Deno.mkdirSync(folder, { recursive: true });
  const common = { sessionId: CLAUDE_ID, version: "2.1.330", cwd: home.work, isSidechain: false };
  const records = [
    {
      ...{ type: "user", uuid: "u1", parentUuid: null, timestamp: "2026-11-20T10:00:00.000Z" },
      ...{ ...common, message: { role: "user", content: "Où est le café du ledger ?" } },
    },
    {
      ...{ type: "assistant", uuid: "a1", parentUuid: "u1", timestamp: "2026-11-20T10:00:05.000Z" },
      ...{
        ...common,
        message: {
          ...{ id: "m1", role: "assistant", model: "x", stop_reason: "end_turn" },
          content: [{ type: "text", text: "Dans la tour du ledger." }],
        },
      },
    },
  ];
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join("")
    .replaceAll("é", "\\u00e9").replaceAll("ù", "\\u00f9");
  Deno.writeTextFileSync(join(folder, `${CLAUDE_ID}.jsonl`), text);
}

function fill(home: CliHome): void {
  home.keep(sessionId("aaaa"), [user("Where is the ledger?"), assistant("In the tower")], {
    title: "The ledger",
  });
  home.keep(sessionId("bbbb"), [
    user("Count the ledger"),
    toolStart("c1", { path: "src/ledger.ts" }),
    toolEnd("c1", "export const ledger = 1;"),
  ], { cwd: home.path });
  keepClaude(home);
}

inHome.test("search finds what every agent keeps, in all directories, best first", async (home) => {
  fill(home);
  const { stdout } = await home.succeed(["search", "ledger", "--all", "--json"]);
  const hits = jsonLines(stdout);
  assert.deepEqual(hits.map(({ agent, role }) => `${agent} ${role}`), [
    ...["reprise user", "reprise user", "claude user", "claude assistant"],
    ...["reprise tool", "reprise tool"],
  ]);
  const found = hits.find(({ session_id }) => session_id === sessionId("aaaa"));
  const { score, ...fields } = found ?? {};
  assert.ok(typeof score === "number" && score > 0);
  assert.deepEqual(fields, {
    ...{ ref: sessionId("aaaa"), seq: 2, agent: "reprise", session_id: sessionId("aaaa") },
    ...{ title: "The ledger", cwd: home.work, time: "2026-11-21T20:21:54.000Z", role: "user" },
    ...{ snippet: "Where is the ledger?", ranges: [[13, 19]], tier: "message" },
  });
});

inHome.test("every hit names an event that show jumps to", async (home) => {
  fill(home);
  const { stdout } = await home.run(["search", "ledger", "--all"]);
  const places = stdout.match(/^\S+#\d+(?= {2})/gm) ?? [];
  assert.equal(places.length, 6);
  assert.ok(places.some((place) => place.startsWith("claude:")));
  const shown = await home.runAll(places.map((place) => ["show", place]));
  for (const [index, { status, stdout, stderr }] of shown.entries()) {
    assert.equal(status, 0, stderr);
    assert.match(stdout, /ledger/, places[index]);
  }
});

inHome.test("a directory is shortened where it is in the home, not where its name only begins so", async (home) => {
  home.keep(sessionId("aaaa"), [user("a zebra")], { cwd: join(home.path, "work") });
  home.keep(sessionId("bbbb"), [user("a zebra")], { cwd: `${home.path}-2` });
  const { stdout } = await home.run(["search", "zebra", "--all"]);
  assert.match(stdout, /^aaaa0000#2 .* {2}~\Swork {2}/m);
  assert.ok(stdout.includes(`  ${home.path}-2  `), stdout);
});

inHome.test("options narrow a search, and say how much was left out", async (home) => {
  fill(home);
  const count = async (...args: string[]): Promise<number> => {
    const scope = args.includes("--cwd") ? [] : ["--all"];
    const { stdout } = await home.run(["search", ...args, ...scope, "--json"]);
    return jsonLines(stdout).length;
  };
  assert.equal(await count("ledger", "--agent", "reprise"), 4);
  assert.equal(await count("ledger", "--agent", "claude"), 2);
  assert.equal(await count("ledger", "--agent", "pi"), 0);
  assert.equal(await count("ledger", "--cwd", home.work), 3);
  assert.equal(await count("ledger", "--cwd", home.path), 6);
  assert.equal(await count("ledger", "--role", "tool"), 2);
  assert.equal(await count("ledger", "--since", "2026-11-21"), 4);
  assert.equal(await count("--regex", "le[d]g\\w+\\?$"), 1);
  assert.equal(await count("café"), 1);
  assert.equal(await count("CAFÉ", "ledger", "-a"), 1);
  const { stdout, stderr } = await home.run([
    "search",
    "ledger",
    "--all",
    "-n",
    "2",
    "--sort",
    "time",
    "--json",
  ]);
  assert.deepEqual(jsonLines(stdout).map(({ seq }) => seq), [4, 3]);
  assert.equal(
    stderr,
    "At least this many hits: 3. To count all hits: --count. To see more: -n COUNT\n",
  );
});

inHome.test("--count prints the number of all hits, whatever is left out of a page", async (home) => {
  fill(home);
  const [count, json, none, page] = await home.runAll([
    ["search", "ledger", "--all", "--count", "-n", "1"],
    ["search", "ledger", "--all", "--count", "--json"],
    ["search", "zebra", "--all", "--count"],
    ["search", "ledger", "--all", "--count", "--max-chars", "500"],
  ]);
  assert.deepEqual(count, { status: 0, stdout: "6\n", stderr: "" });
  assert.deepEqual([json?.stdout, none?.stdout], ['{"hits":6}\n', "0\n"]);
  assert.match(page?.stderr ?? "", /--count.*--max-chars|--max-chars.*--count/);
  assert.equal(page?.status, 2);
});

inHome.test("archived sessions are searched, those in the trash are not", async (home) => {
  fill(home);
  assert.equal((await home.run(["archive", "aaaa"])).status, 0);
  assert.equal((await home.run(["delete", "bbbb"])).status, 0);
  const { stdout } = await home.run(["search", "ledger", "--agent", "reprise", "--json"]);
  const refs = jsonLines(stdout).map(({ ref }) => ref);
  assert.deepEqual(refs, [sessionId("aaaa")]);
});

inHome.test("a query that cannot be read is a usage error that says why; nothing found is none", async (home) => {
  fill(home);
  const [open, regex, negated, role, nothing] = await home.runAll([
    ["search", "(ledger"],
    ["search", "--regex", "led("],
    ["search", "NOT ledger"],
    ["search", "ledger", "--role", "nobody"],
    ["search", "zebra"],
  ]);
  assert.equal(open?.stderr, 'reprise: Cannot search for "(ledger": "(" has no matching ")"\n');
  assert.match(regex?.stderr ?? "", /^reprise: Cannot search for "led\(": .*[Uu]nterminated/);
  assert.match(negated?.stderr ?? "", /excluded; add a word to search for/);
  assert.match(role?.stderr ?? "", /Choices: user, assistant, reasoning, tool/);
  assert.deepEqual([open, regex, negated, role].map((one) => one?.status), [2, 2, 2, 2]);
  assert.deepEqual(nothing, { status: 1, stdout: "", stderr: "No session mentions: zebra\n" });
});

inHome.test("says that there is no session to search, not that none matches", async (home) => {
  const [none] = await home.runAll([["search", "ledger"]]);
  fill(home);
  const nowhere = join(home.path, "nowhere");
  const [place, agent, both] = await home.runAll([
    ["search", "ledger", "--cwd", nowhere],
    ["search", "ledger", "--agent", "pi", "--json"],
    ["search", "ledger", "--agent", "pi", "--cwd", nowhere],
  ]);
  const results = [none, place, agent, both];
  assert.deepEqual(results.map((one) => [one?.status, one?.stdout]), results.map(() => [1, ""]));
  assert.equal(none?.stderr, "There are no sessions to search\n");
  assert.equal(
    place?.stderr,
    `No sessions of ${nowhere}. To search all projects, add --all\n`,
  );
  assert.equal(agent?.stderr, "There are no sessions by pi to search\n");
  assert.match(both?.stderr ?? "", /^No sessions of .*nowhere by pi\. To search all projects/);
});

inHome.test("a search changes no byte and no time, ours or another agent's", async (home) => {
  fill(home);
  const before = snapshot(home.path);
  assert.equal((await home.run(["search", "ledger", "--no-cache"])).status, 0);
  assert.deepEqual(snapshot(home.path), before);
});

inHome.test("no hostile text of a session reaches the terminal through a search", async (home) => {
  for (const [index, text] of HOSTILE.entries()) {
    home.keep(sessionId(`b${index}`.padEnd(8, "0")), [user(`needle ${text} needle`)], {
      title: text,
    });
  }
  const results = await home.runAll([
    ["search", "needle", "-n", "500"],
    ["search", "needle", "--json", "-n", "500"],
    ["search", HOSTILE.join(" ").replaceAll("\0", "")],
  ]);
  for (const { stdout, stderr } of results) {
    assert.ok(stdout.length + stderr.length > 0);
    for (const line of `${stdout}${stderr}`.split("\n")) assert.ok(isHarmless(line), line);
  }
  assert.equal(results[1]?.stdout.trim().split("\n").length, HOSTILE.length);
  assert.match(results[0]?.stdout ?? "", /␛\[2J/);
});

Deno.test(
  needing("on a terminal the match is marked, and a line is no longer than the terminal", TERMINAL),
  async () => {
    await using home = new CliHome();
    fill(home);
    const script = shellLine(["search", "tower"]);
    await using terminal = await Terminal.open(home, script, { columns: 60 });
    await terminal.until(/In the tower/);
    const raw = await terminal.rawWith("tower");
    // deno-lint-ignore no-control-regex -- the escapes of colours
    assert.match(raw, /In the .*\x1b\[[\d;]*m.*tower/);
    // deno-lint-ignore no-control-regex -- the escapes of colours
    const rows = raw.replaceAll(/\x1b\[[\d;?]*[A-Za-z]/g, "").split(/\r?\n/);
    const head = rows.find((row) => row.includes("aaaa0000#3")) ?? "";
    assert.match(head, /^.{50,60}$/u);
  },
);

inHome.test("summaries and what is attached are found as context, with the index and without", async (home) => {
  const attached = { type: "text", text: "the zebrafish", name: "notes.txt", audience: "model" };
  home.keep(
    sessionId("aaaa"),
    [
      { kind: "user_message", payload: { content: [{ type: "text", text: "Read" }, attached] } },
      {
        kind: "compaction_applied",
        payload: { status: "Compacted", summary: "A zebrafish was seen" },
      },
      user("And then?"),
    ] as Parameters<CliHome["keep"]>[1],
  );
  const search = ["search", "zebrafish", "--all", "--json"];
  const scanned = jsonLines((await home.run(search)).stdout);
  assert.deepEqual(scanned.map(({ role }) => role), ["context", "context"]);
  assert.equal((await home.run(["index", "build"])).status, 0);
  // A score grows older with its message.
  const found = (rows: readonly Record<string, unknown>[]): unknown[] =>
    rows.map(({ score: _, ...row }) => row);
  assert.deepEqual(found(jsonLines((await home.run(search)).stdout)), found(scanned));
  const none = await home.run([...search, "--role", "user"]);
  assert.equal(none.stdout, "");
  assert.match(none.stderr, /Only messages with the role user were searched.* omit --role\n$/);
});

inHome.test("a search looks in all projects where this one has nothing, unless it is held here", async (home) => {
  home.keep(sessionId("aaaa"), [user("Where is the ledger?")]);
  home.keep(sessionId("bbbb"), [user("Fly to Sydney")], { cwd: join(home.path, "api-gateway") });
  const [wide, held, named, other] = await home.runAll([
    ["search", "Sydney"],
    ["search", "Sydney", "--here"],
    ["search", "Sydney", "--project", "gateway"],
    ["search", "ledger", "--project", "API-Gateway"],
  ]);
  assert.match(wide?.stdout ?? "", /^bbbb0000#2 /);
  assert.equal(wide?.stderr, "Nothing in this project. In all projects:\n");
  assert.match(held?.stderr ?? "", /^No session of this project mentions: Sydney\n/);
  assert.deepEqual([named?.stderr, other?.status, held?.status], ["", 1, 1]);
  const unknown = await home.run(["search", "Sydney", "--project", "gatewax"]);
  assert.deepEqual([unknown.status, /include: .*work/.test(unknown.stderr)], [2, true]);
  const near = await home.run(["list", "--project", "apigatewya"]);
  assert.match(near.stderr, /\. Did you mean api-gateway\?\n/);
});

inHome.test("a search quotes no message for a common word of a question, unless it has no other", async (home) => {
  home.keep(sessionId("aaaa"), [
    ...[user("Do we need which one?"), assistant("The token is read-only")],
    ...[user("Get on"), assistant("Forks are public")],
  ]);
  const [asked, common] = await home.runAll([
    ["search", "which token do forks get", "--json"],
    ["search", "which get", "--json"],
  ]);
  const found = (out = ""): unknown[] => jsonLines(out).map(({ seq, tier }) => [seq, tier]);
  assert.deepEqual(found(asked?.stdout), [[3, "session"], [5, "session"]]);
  assert.deepEqual(found(common?.stdout), [[2, "session"], [4, "session"]]);
});

inHome.test("a search shows a copy of a session in no further tier", async (home) => {
  const time = "2026-11-21T20:00:00.000Z";
  const events = [{ ...user("The slow login query"), time }, assistant("A slow one")];
  home.keep(sessionId("aaaa"), events);
  home.keep(sessionId("bbbb"), events);
  const { stdout, stderr } = await home.run(["search", "slow", "query"]);
  assert.equal(stdout.match(/#\d/g)?.length, 1);
  assert.equal(stderr, "");
});

inHome.test("a search finds words in different messages of one session, unless it is exact", async (home) => {
  home.keep(sessionId("aaaa"), [user("Use postgres"), assistant("A pool of ten"), user("pool")]);
  home.keep(sessionId("bbbb"), [user("Use postgres alone")]);
  const [hits, exact, rows, both] = await home.runAll([
    ["search", "pool", "postgres", "--json"],
    ["search", "pool", "postgres", "--exact"],
    ["search", "-l", "pool", "postgres"],
    ["search", "--role", "user", "--since", "2026-11-21", "--json", "-n", "1"],
  ]);
  assert.deepEqual(jsonLines(hits?.stdout ?? "").map(({ seq, tier }) => [seq, tier]), [
    [2, "session"],
    [4, "session"],
  ]);
  assert.match(
    hits?.stderr ?? "",
    /^No message has all of these words\. These sessions have the words in different messages/,
  );
  assert.deepEqual([hits?.status, exact?.status, exact?.stdout], [0, 1, ""]);
  assert.match(rows?.stdout ?? "", /^id +hits .*\naaaa0000 +3 .*\n$/);
  assert.deepEqual(jsonLines(both?.stdout ?? "").map(({ snippet }) => snippet), ["pool"]);
  // People get both tiers where the first one has room; programs ask for one.
  home.keep(sessionId("cccc"), [user("A pool for postgres")]);
  const [first, strict, json] = await home.runAll([
    ["search", "-l", "pool", "postgres"],
    ["search", "-l", "pool", "postgres", "--exact"],
    ["search", "pool", "postgres", "--json"],
  ]);
  assert.match(first?.stdout ?? "", /^id [^]*\ncccc0000 +1 [^]*\naaaa0000 +3 /);
  assert.match(
    first?.stderr ?? "",
    /^Sessions that contain all words, but in different messages:\n$/,
  );
  assert.deepEqual([strict?.stdout.includes("aaaa"), strict?.stderr], [false, ""]);
  assert.equal(jsonLines(json?.stdout ?? "").length, 1);
});

inHome.test("a search counts what a session was copied from once", async (home) => {
  keepClaude(home);
  home.keep(sessionId("aaaa"), [{
    ...assistant("Dans la tour du ledger."),
    time: "2026-11-20T10:00:05.000Z",
  }]);
  const [hits, count] = await home.runAll([["search", "tour", "--json"], [
    "search",
    "tour",
    "--count",
  ]]);
  assert.equal(jsonLines(hits?.stdout ?? "").length, 1);
  assert.equal(count?.stdout, "1\n");
});
