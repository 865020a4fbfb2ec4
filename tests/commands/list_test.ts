import assert from "node:assert/strict";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { dirname, join } from "node:path";
import { AGENT_NAMES } from "../../lib/core/event/agent_name.ts";
import { jsonLines } from "../_support/cli.ts";
import { CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { assistant, toolEnd, toolStart, user } from "../_support/log_bytes.ts";
import { keepClaudeSession } from "./_fake_agent.ts";
import { keepPiSession } from "./_pi_session.ts";
import { needing, UNIX } from "../_support/needing.ts";

/** Makes a home with a session of each sort. */
function furnished(): CliHome {
  const home = new CliHome();
  const other = join(home.path, "other");
  home.keep(sessionId("aaaa"), [user("Older question"), assistant("Answer")]);
  home.keep(sessionId("bbbb"), [
    user("Newer question"),
    { kind: "session_closed", payload: { status: "completed" } },
  ]);
  home.keep(sessionId("cccc"), [user("Put away"), {
    kind: "session_archived",
    payload: { archived: true },
  }]);
  home.keep(sessionId("dddd"), [user("Elsewhere")], { cwd: other });
  return home;
}

function ids(stdout: string): string[] {
  return stdout.split("\n").slice(1).flatMap((line) => line === "" ? [] : [line.slice(0, 4)]);
}

Deno.test("list shows this directory's sessions, the newest update first", async () => {
  await using home = furnished();
  const { status, stdout, stderr } = await home.run(["list"]);
  assert.deepEqual([status, stderr], [0, ""]);
  const [head = "", ...rows] = stdout.trimEnd().split("\n");
  assert.match(
    head,
    /^id +agent +created +updated +messages +cost +status +directory +title$/,
  );
  assert.equal(rows.length, 2);
  assert.match(rows[0] ?? "", /^bbbb0000 .* 1 +- +completed +\S+ +Newer question$/);
  assert.match(rows[1] ?? "", /^aaaa0000 .* 2 +- +interrupted +\S+ +Older question$/);
});

Deno.test("list chooses by directory, time, title, archive and number", async () => {
  await using home = furnished();
  const other = join(home.path, "other");
  const cases: [string[], string[]][] = [
    [["--all"], ["dddd", "bbbb", "aaaa"]],
    [["-a", "-n", "1"], ["dddd"]],
    [["--cwd", other], ["dddd"]],
    [["--cwd", "../other/"], ["dddd"]],
    [["--archived"], ["cccc"]],
    [["--title", "OLDER"], ["aaaa"]],
    [["--title", "question", "--limit", "1"], ["bbbb"]],
    [["--since", "2026-11-21"], ["bbbb", "aaaa"]],
    [["--since", "2026-11-21T20:21:55Z"], ["bbbb", "aaaa"]],
    [["--since", "2026-11-21T20:21:56Z"], ["bbbb"]],
    [["--since", "9999w"], ["bbbb", "aaaa"]],
    [["--agent", "reprise"], ["bbbb", "aaaa"]],
    [["--agent", "all"], ["bbbb", "aaaa"]],
    [["--exact"], ["bbbb", "aaaa"]],
  ];
  const results = await home.runAll(cases.map(([args]) => ["list", ...args]));
  for (const [index, [args, expected]] of cases.entries()) {
    const { status, stdout = "", stderr } = results[index] ?? {};
    assert.deepEqual([status, stderr, ids(stdout)], [0, "", expected], args.join(" "));
  }
});

inHome.test("a date means midnight where the reader is", async (home) => {
  home.keep(sessionId("aaaa"), [], { created: new Date("2026-11-20T20:00:00Z") });
  const found = async (env: Record<string, string>): Promise<string[]> =>
    ids((await home.run(["list", "--since", "2026-11-21"], { env })).stdout);
  assert.deepEqual(await found({}), []);
  assert.deepEqual(await found({ TZ: "Asia/Tokyo" }), ["aaaa"]);
});

Deno.test("list finds a directory through a link, and one that is gone by its name", async () => {
  await using home = furnished();
  const gone = join(home.path, "gone");
  home.keep(sessionId("eeee"), [user("Where am I?")], { cwd: gone });
  await Deno.symlink(home.work, join(home.path, "link"), { type: "junction" });
  const [link, missing] = await home.runAll([["list", "--cwd", "../link"], [
    "list",
    "--cwd",
    gone,
  ]]);
  assert.deepEqual(ids(link?.stdout ?? ""), ["bbbb", "aaaa"]);
  assert.deepEqual(ids(missing?.stdout ?? ""), ["eeee"]);
});

inHome.test("list --json is one summary a line with every field", async (home) => {
  const kept = home.keep(sessionId("aaaa"), [
    { ...user("First\n  question"), turn_id: "t1" },
    {
      kind: "assistant_message",
      turn_id: "t1",
      payload: {
        content: "Answer",
        model: "m-1",
        usage: { input: 10, output: 2, cache_read: 3, reasoning: 1 },
        cost_usd: 0.25,
      },
    },
    { ...user("Second"), turn_id: "t2" },
    { kind: "session_renamed", payload: { title: "Named" } },
  ]);
  const { status, stdout, stderr } = await home.run(["list", "--json"]);
  assert.deepEqual([status, stderr], [0, ""]);
  assert.deepEqual(jsonLines(stdout), [{
    ref: kept.id,
    agent: "reprise",
    session_id: kept.id,
    path: kept.path,
    cwd: home.work,
    title: "Named",
    first_user_message: "First question",
    last_user_message: "Second",
    created_at: "2026-11-21T20:21:53.000Z",
    updated_at: "2026-11-21T20:21:56.000Z",
    renamed_at: "2026-11-21T20:21:57.000Z",
    last_seq: 5,
    message_count: 3,
    turn_count: 2,
    usage: { input: 10, output: 2, cache_read: 3, reasoning: 1 },
    cost_usd: 0.25,
    models: ["m-1"],
    status: "interrupted",
    archived: false,
    bytes: (await Deno.stat(kept.path)).size,
  }]);
});

inHome.test("list --sort orders by a value, largest first, before the rows are limited", async (home) => {
  const answer = (cost_usd: number, input: number): NewEvent => ({
    kind: "assistant_message",
    payload: { content: "Answer", model: "m-1", usage: { input }, cost_usd },
  });
  home.keep(sessionId("aaaa"), [user("Beta"), answer(0.5, 1)]);
  home.keep(sessionId("bbbb"), [user("alpha")]);
  home.keep(sessionId("cccc"), [user("Gamma"), answer(0.1, 9), user("More")]);
  const cases: [string[], string[]][] = [
    [["--sort", "cost"], ["aaaa", "cccc", "bbbb"]],
    [["--sort", "tokens", "-n", "1"], ["cccc"]],
    [["--sort", "messages", "-n", "2"], ["cccc", "aaaa"]],
    [["--sort", "title"], ["bbbb", "aaaa", "cccc"]],
    [["--sort", "created"], ["cccc", "bbbb", "aaaa"]],
  ];
  for (const [flags, ids] of cases) {
    const { stdout } = await home.run(["list", "--json", ...flags]);
    assert.deepEqual(jsonLines(stdout).map(({ ref }) => String(ref).slice(0, 4)), ids, `${flags}`);
  }
  const { status, stderr } = await home.run(["list", "--sort", "size"]);
  assert.deepEqual([status, /^reprise: Cannot sort by size\. Choose one of .*cost/.test(stderr)], [
    2,
    true,
  ]);
});

inHome.test("list names a status only where it is not idle", async (home) => {
  const lines = [
    ["idle", "assistant", { role: "assistant", content: [{ type: "text", text: "Done" }] }],
    ["open", "user", { role: "user", content: "And now" }],
  ] as const;
  for (const [name, type, message] of lines) {
    const id = `${name}0000-1111-4222-8333-444455556666`.replace(/[^0-9a-f-]/g, "a");
    const { path } = keepClaudeSession(home, id, home.work);
    const record = {
      type,
      uuid: "u2",
      parentUuid: "u1",
      isSidechain: false,
      sessionId: id,
      message,
    };
    const timestamp = "2026-11-21T20:00:01.000Z";
    Deno.writeTextFileSync(path, `${JSON.stringify({ ...record, timestamp })}\n`, { append: true });
  }
  const told = jsonLines<{ status: string }>((await home.run(["list", "--json"])).stdout);
  assert.deepEqual(told.map(({ status }) => status).sort(), ["idle", "interrupted"]);
  const { stdout } = await home.run(["list"]);
  assert.doesNotMatch(stdout, /idle/);
  assert.match(stdout, / interrupted /);
});

inHome.test("a session that is being written runs", async (home) => {
  const recording = home.talk(["record"]);
  await recording.write('{"kind":"user_message","payload":{"content":"hi"}}\n');
  await recording.line();
  const during = jsonLines((await home.run(["list", "--json"])).stdout);
  await recording.endInput();
  await recording.end();
  const after = jsonLines((await home.run(["list", "--json"])).stdout);
  assert.deepEqual(during.map(({ status }) => status), ["running"]);
  assert.deepEqual(after.map(({ status }) => status), ["completed"]);
});

inHome.test("lists the sessions whose commands name a deleted file", async (home) => {
  home.keep(sessionId("aaaa"), [
    user("Clean up"),
    ...[toolStart("c1", { command: "rm -f config/prod.yaml" }), toolEnd("c1", "")],
  ]);
  home.keep(sessionId("bbbb"), [user("Where is prod.yaml?")]);
  const [named, other, json] = await home.runAll([
    ["list", "--file", "config/prod.yaml"],
    ["list", "--file", "config/other.yaml"],
    ["list", "--file", "config/prod.yaml", "--json"],
  ]);
  assert.deepEqual(ids(named?.stdout ?? ""), ["aaaa"]);
  assert.match(
    named?.stderr ?? "",
    /^No session changed this file\. Sessions whose tool calls name the file:\n$/,
  );
  assert.deepEqual([other?.stdout, json?.stdout], ["", ""]);
  Deno.mkdirSync(join(home.work, "config"));
  Deno.writeTextFileSync(join(home.work, "config/prod.yaml"), "");
  assert.equal((await home.run(["list", "--file", "config/prod.yaml"])).stdout, "");
});

inHome.test("explains an empty list on stderr, and says what to do", async (home) => {
  const cases: [string[], RegExp[]][] = [
    [[], [/^No sessions yet$/m, /reprise chat/, /reprise record --help/]],
    [["--here"], [/^No sessions of .*work yet$/m, /add --all/, /reprise chat/]],
    [["--all"], [/^No sessions yet$/m, /reprise record --help/]],
    [["--title", "x", "--here"], [/^No session of .*work matches/m, /add --all/]],
    [["--archived"], [/matches/]],
    [["--since", "1d", "--all"], [/^No session matches all of these flags\n$/]],
    [["--agent", "pi"], [/^No sessions by pi$/m]],
    [["--gone", "--all"], [/^No prompts of deleted sessions were found\n$/]],
  ];
  const results = await home.runAll(cases.map(([args]) => ["list", ...args]));
  for (const [index, [args, patterns]] of cases.entries()) {
    const { status, stdout, stderr = "" } = results[index] ?? {};
    assert.deepEqual([status, stdout], [0, ""], args.join(" "));
    for (const pattern of patterns) assert.match(stderr, pattern);
    if (args.includes("--all")) assert.doesNotMatch(stderr, /list --all|with --all/);
  }
  const json = await home.run(["list", "--json"]);
  assert.deepEqual(json, { status: 0, stdout: "", stderr: "" });
  assert.ok(
    !(await Array.fromAsync(Deno.readDir(home.path), ({ name }) => name)).includes("store"),
  );
});

inHome.test("list --agent suggests the agent that was meant, and list --agents names all", async (home) => {
  const lines = ["list", "search x", "stats", "backup"].map((line) => line.split(" "));
  const results = await home.runAll(lines.map((args) => [...args, "--agent", "nobody"]));
  for (const [index, [command]] of lines.entries()) {
    const { status, stdout, stderr = "" } = results[index] ?? {};
    assert.deepEqual([status, stdout], [2, ""], command);
    assert.match(
      stderr,
      /^reprise: Cannot use "nobody" for --agent <name>\. All choices: reprise list --agents\.\n/,
    );
  }
  for (const typed of ["Claude Code", "cladue", "CLAUDE"]) {
    const { status, stderr } = await home.run(["list", "--agent", typed]);
    assert.equal(status, 2);
    assert.match(stderr, /Did you mean claude\? All choices: reprise list --agents/, typed);
  }
  const [table, json] = await home.runAll([["list", "--agents"], ["list", "--agents", "--json"]]);
  assert.match(table?.stdout ?? "", /^claude +read, written +Claude Code$/m);
  assert.match(table?.stdout ?? "", /^aider +read +Aider$/m);
  assert.deepEqual(jsonLines(json?.stdout ?? "").map(({ agent }) => agent), [...AGENT_NAMES]);
});

Deno.test(needing("one session that cannot be read hides no other", UNIX), async () => {
  await using home = furnished();
  const folder = home.keep(sessionId("1111"), []);
  await Deno.remove(folder.path);
  await Deno.mkdir(folder.path);
  const loop = home.keep(sessionId("2222"), []);
  await Deno.remove(loop.path);
  await Deno.symlink(loop.path, loop.path);
  const empty = home.keep(sessionId("3333"), []);
  await Deno.remove(empty.path);
  const { stdout, stderr } = await home.succeed(["list"]);
  assert.deepEqual(ids(stdout), ["bbbb", "aaaa"]);
  const told = stderr.trimEnd().split("\n");
  assert.equal(told.length, 2, stderr);
  for (const line of told) assert.match(line, /^reprise: Cannot .*: .*(1111|2222)/);
});

inHome.test("titles of other scripts keep the columns in line", async (home) => {
  home.keep(sessionId("aaaa"), [user("学校のページ")]);
  home.keep(sessionId("bbbb"), [user("plain")]);
  const [head = "", ...rows] = (await home.run(["list"])).stdout.trimEnd().split("\n");
  const at = head.indexOf("title");
  assert.deepEqual(rows.map((row) => row.slice(at)), ["plain", "学校のページ"]);
});

inHome.test("short ids are as long as it takes to tell sessions apart", async (home) => {
  home.keep(sessionId("aaaaaaaa-000"), [user("one")]);
  home.keep(sessionId("aaaaaaaa-00a"), [user("two")]);
  const { stdout } = await home.run(["list"]);
  const names = stdout.trimEnd().split("\n").slice(1).map((row) => row.split(" ")[0] ?? "");
  assert.equal(new Set(names).size, 2);
  const shown = await home.runAll(names.map((name) => ["conversation", name]));
  assert.deepEqual(shown.map(({ status }) => status), [0, 0]);
});

inHome.test("leaves unknown facts of other agents' sessions out, with a dash in the table", async (home) => {
  const { path } = keepPiSession(home);
  const [, message = ""] = Deno.readTextFileSync(path).split("\n");
  Deno.writeTextFileSync(join(dirname(path), "headless.jsonl"), `${message}\n`);
  const [table, json] = await home.runAll([
    ["list", "--agent", "pi", "--all"],
    ["list", "--agent", "pi", "--all", "--json"],
  ]);
  const row = jsonLines(json?.stdout ?? "").find(({ ref }) => ref === "pi:headless") ?? {};
  assert.deepEqual(["created_at" in row, "cwd" in row, row.title], [false, false, "Asked of pi"]);
  assert.match(
    table?.stdout ?? "",
    /^headless +pi +- +2026-11-21 20:00 +… +… +\S+ +- +Asked of pi$/m,
  );
});

inHome.test("list chooses by branch, model and the end of a stretch of time, and shows what is asked", async (home) => {
  const answer = { kind: "assistant_message", payload: { content: "ok", model: "m-1" } } as const;
  home.keep(sessionId("aaaa"), [user("One"), answer], { branch: "main" });
  const failed = { kind: "turn_failed", payload: { reason: "error", message: "529" } } as const;
  home.keep(sessionId("bbbb"), [user("Two"), failed], { branch: "fix/it" });
  home.keep(sessionId("cccc"), [user("Three"), failed, answer], {
    created: new Date("2026-11-25T12:00:00Z"),
  });
  const cases: [string[], string[]][] = [
    [["--branch", "main"], ["aaaa"]],
    [["--model", "M-1"], ["cccc", "aaaa"]],
    [["--failed"], ["bbbb"]],
    [["--until", "2026-11-21"], ["bbbb", "aaaa"]],
    [["--until", "2026-11-20"], []],
    [["--since", "2026-11-25", "--until", "2026-11-25"], ["cccc"]],
  ];
  const results = await home.runAll(cases.map(([args]) => ["list", ...args]));
  for (const [index, [args, expected]] of cases.entries()) {
    const { status, stdout = "", stderr = "" } = results[index] ?? {};
    assert.deepEqual([status, ids(stdout)], [0, expected], args.join(" "));
    assert.equal(stderr.includes("matches all of these flags"), expected.length === 0);
  }
  const asked = ["list", "--columns", "branch, model ,id,title", "--exact"];
  const { stdout } = await home.run(asked);
  assert.deepEqual(stdout.trimEnd().split("\n").map((line) => line.split(/ {2,}/)), [
    ["branch", "model", "id", "title"],
    ["-", "m-1", "cccc0000", "Three"],
    ["fix/it", "-", "bbbb0000", "Two"],
    ["main", "m-1", "aaaa0000", "One"],
  ]);
  const [row] = jsonLines<{ git_branch: string }>(
    (await home.run(["list", "--json", "--branch", "main"])).stdout,
  );
  assert.equal(row?.git_branch, "main");
});

inHome.test("list names the columns there are, where one is asked for that is not", async (home) => {
  const [unknown, json, paged] = await home.runAll([
    ["list", "--columns", "id,size"],
    ["list", "--columns", "id", "--json"],
    ["list", "--columns", "", "--max-chars", "500"],
  ]);
  assert.equal(unknown?.status, 2);
  assert.match(unknown?.stderr ?? "", /No column has the name ".+"\. All columns: id,ref,agent,/);
  assert.deepEqual([json?.status, paged?.status], [2, 2]);
});

inHome.test("list --failed shows sessions that end with an error, else those with failed commands", async (home) => {
  const failed = { kind: "turn_failed", payload: { reason: "error", message: "529" } } as const;
  const deploy = {
    kind: "tool_end",
    payload: { call_id: "c1", name: "bash", status: "error", output: "no credentials" },
  } as const;
  home.keep(sessionId("aaaa"), [user("Deploy"), toolStart("c1", {}), deploy, assistant("No")]);
  home.keep(sessionId("bbbb"), [user("Read"), toolStart("c1", {}), toolEnd("c1", "ok")]);
  const fallback = await home.run(["list", "--failed"]);
  assert.deepEqual(ids(fallback.stdout), ["aaaa"]);
  assert.match(fallback.stderr, /^No session ends with an error\. Sessions with failed commands:/);
  home.keep(sessionId("cccc"), [user("Ask"), failed]);
  const ended = await home.run(["list", "--failed"]);
  assert.deepEqual(ids(ended.stdout), ["cccc"]);
  assert.equal(ended.stderr, "Sessions with failed commands: reprise list --failed-calls\n");
  const calls = await home.run(["list", "--failed-calls"]);
  assert.deepEqual([ids(calls.stdout), calls.stderr], [["aaaa"], ""]);
});

inHome.test("list, search and stats say which days are meant by words", async (home) => {
  const week = ["--since", "last-week", "--until", "last week"];
  const results = await home.runAll([
    ...[["list", ...week], ["search", "One", ...week], ["stats", ...week]],
    ...[["list", "--since", "2026-11-01"], ["list", "--json", ...week]],
  ]);
  const lengths = results.map(({ stderr = "" }) => {
    const [, first = "", last = ""] = /^(\S{10}) to (\S{10})\n/.exec(stderr) ?? [];
    return (Date.parse(last) - Date.parse(first)) / 86_400_000;
  });
  assert.deepEqual(lengths, [6, 6, 6, NaN, NaN]);
  const { stderr } = await home.run(["list", "--all", "--since", "last week"]);
  assert.match(stderr, /^\S{10} to \S{10}; for last week alone, add --until "last week"\n/);
  const today = await home.run(["list", "--all", "--since", "today"]);
  assert.match(today.stderr, /^\S{10}\n/);
});

inHome.test("at a terminal, what is sorted or filtered in a project tells that others were left out", async (home) => {
  home.keep(sessionId("aaaa"), [user("Fly to Sydney")]);
  const told = (done: string): RegExp =>
    new RegExp(`Only this project was ${done}. For all projects, add --all`);
  const cases = [
    [["list", "--sort", "cost"], "listed"],
    [["list", "--since", "2026-01-01"], "listed"],
    [["digest", "--since", "2026-01-01"], "summarized"],
  ] as const;
  for (const [args, done] of cases) {
    assert.match((await home.run(args, { columns: 80 })).stderr, told(done));
    for (const held of ["--all", "--here", "--json"]) {
      assert.doesNotMatch(
        (await home.run([...args, held], { columns: 80 })).stderr,
        /Only this project/,
      );
    }
    assert.doesNotMatch((await home.run(args)).stderr, /Only this project/);
  }
  assert.doesNotMatch((await home.run(["list"], { columns: 80 })).stderr, /Only this project/);
});

inHome.test("at a terminal, a search that found something here tells that it searched this project only", async (home) => {
  home.keep(sessionId("aaaa"), [user("Fly to Sydney")]);
  const told = "Only this project was searched. For all projects, add --all\n";
  const [here, ...others] = await Promise.all([
    home.run(["search", "Sydney"], { columns: 80 }),
    home.run(["search", "Sydney"]),
    ...["--all", "--here", "--json"].map((flag) =>
      home.run(["search", "Sydney", flag], { columns: 80 })
    ),
  ]);
  // A slow machine shows progress, and clears its line.
  assert.equal(here.stderr.split("\r\x1b[2K").at(-1), told);
  for (const { status, stderr } of others) assert.deepEqual([status, stderr], [0, ""]);
});
