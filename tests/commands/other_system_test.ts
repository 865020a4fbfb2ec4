/** Sessions whose directory is a path from another operating system, or no path: they belong to no project. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { openLibrary } from "../../lib/library/mod.ts";
import { sessionsToShare } from "../../lib/features/team/sessions_to_share.ts";
import { jsonLines } from "../_support/cli.ts";
import { sessionId, testsAtHome } from "../_support/cli_home.ts";
import { assistant, user } from "../_support/log_bytes.ts";
import { talkAbout } from "../frontends/mcp/_history.ts";
import { keepClaudeSession } from "./_fake_agent.ts";
import { UNIX } from "../_support/needing.ts";

const onUnix = testsAtHome(UNIX);
const WINDOWS = "C:\\Users\\ada\\secret-client";
const FOREIGN = [WINDOWS, "c:/x", "\\\\server\\share\\x", "\\\\?\\C:\\x", "\\\\wsl$\\Ubuntu\\home"];
/** Directories that lead into the project if they are resolved, or that no system call takes. */
const ODD = ["work", ".", "..", "~", "~/work", "src/x", "file:///work", "/\0", "/a\nb", "C:"];

onUnix.test("a session of another system's directory belongs to no project", async (home) => {
  const strange = [...FOREIGN, ...ODD, `${home.work}\0`, `${home.work}/${"x/".repeat(5000)}`];
  home.keep(sessionId("aaaa"), [user("Strange is here")]);
  for (const [index, cwd] of strange.entries()) {
    const id = sessionId(`c${String(index).padStart(3, "0")}`);
    if (cwd.length < 200) keepClaudeSession(home, id, cwd);
    const own = sessionId(`d${String(index).padStart(3, "0")}`);
    home.keep(own, [user("Strange one"), assistant("Yes")], { cwd });
  }
  const library = openLibrary({ root: home.store, cwd: home.work });
  const lines = [
    ["list", "--json"],
    ["search", "strange", "--json"],
    ["list", "--cwd", WINDOWS.toLowerCase(), "--json"],
    ["list", "--all", "--json"],
  ];
  for (const round of ["first", "remembered"]) {
    const [list, search, named, all] = await home.runAll(lines, { env: { PATH: "" } });
    const refs = (text = "") => jsonLines(text).map(({ ref }) => String(ref)).sort();
    assert.deepEqual([list?.stderr, refs(list?.stdout)], ["", [sessionId("aaaa")]], round);
    assert.match(search?.stdout ?? "", /aaaa0000/);
    assert.doesNotMatch(search?.stdout ?? "", /[cd]0\d\d0000/);
    assert.deepEqual(refs(named?.stdout), [`claude:${sessionId("c000")}`, sessionId("d000")]);
    const rows = jsonLines(all?.stdout ?? "");
    assert.equal(rows.length, 34);
    assert.ok(rows.some(({ cwd }) => cwd === WINDOWS));
  }
  const project = { directory: home.work, project: "demo" } as const;
  const agents = ["claude", "reprise"] as const;
  const shared = await sessionsToShare(library, [{ ...project, agents: [...agents] }], () => {});
  assert.deepEqual(shared.map(({ id }) => id), [sessionId("aaaa")]);
  await using talk = await talkAbout(home);
  assert.equal((await talk.call("list_sessions", {})).match(/Strange/g)?.length, 1);
  await assert.rejects(talk.call("read_session", { ref: sessionId("d000") }), /this project/);
  await assert.rejects(talk.call("list_sessions", { cwd: WINDOWS }), /--all/);
});

onUnix.test("a session of another system's directory goes on after a relink", async (home) => {
  const { ref } = keepClaudeSession(home, sessionId("cccc"), WINDOWS);
  const below = keepClaudeSession(home, sessionId("dddd"), "c:/users/ADA/Secret-client/src");
  await Deno.mkdir(join(home.work, "src"));
  const told: [string[], RegExp][] = [
    [
      ["resume", ref, "--print"],
      /directory is a path from another operating system: C:\\.+\nIf it moved: reprise relink 'C:\\Users.+ NEW\n.+chat --resume.+\n.+--cwd DIR/,
    ],
    [
      ["handover", ref, "--to", "pi", "--force"],
      /\(C:\\.+\) is a path from another operating system; .+--cwd/,
    ],
    [
      ["relink", `${WINDOWS}\\`, "."],
      /secret-client are now listed under .+work: .*2 sessions of other agents/,
    ],
  ];
  for (const [args, message] of told) assert.match((await home.run(args)).stderr, message);
  assert.match((await home.run(["resume", ref, "--print"])).stdout, /^cd \S+work && claude/);
  const rows = jsonLines((await home.run(["list", "--json"])).stdout);
  assert.deepEqual(rows.map(({ ref, cwd }) => [ref, cwd]).sort(), [
    [ref, home.work],
    [below.ref, join(home.work, "src")],
  ]);
  await home.succeed(["relink", "--undo", WINDOWS.toUpperCase()]);
  assert.match((await home.run(["list"])).stderr, /No sessions of this project/);
});

onUnix.test("files of another system's directory are named below it, and never restored", async (home) => {
  const write = (call_id: string, file_path: string): NewEvent[] => {
    const input = { file_path, content: "1\n" };
    const call = { type: "tool_call", call_id, name: "write", input };
    return [
      { kind: "assistant_message", payload: { content: [call] } } as NewEvent,
      { kind: "tool_end", payload: { call_id, name: "write", status: "ok", output: "" } },
    ];
  };
  const [first, relative] = [sessionId("aaaa"), sessionId("bbbb")];
  home.keep(first, [
    ...write("1", `${WINDOWS}\\src\\a.txt`),
    ...write("2", "b.txt"),
    ...write("3", "..\\out.txt"),
    ...write("4", join(home.work, "c.txt")),
  ], { cwd: WINDOWS });
  home.keep(relative, write("1", "b.txt"), { cwd: "." });
  Deno.writeTextFileSync(join(home.work, "b.txt"), "1\n");
  const out = join(home.path, "out");
  const { stderr } = await home.run(["files", first, "--out", out]);
  assert.deepEqual([...Deno.readDirSync(out)].map(({ name }) => name).sort(), ["b.txt", "src"]);
  assert.match(stderr, /Not written: C:\\Users\\ada\\out\.txt: the file is outside/);
  assert.match(stderr, /Not written: \S+work\/c\.txt: the file is outside/);
  const reasons = [[first, "a path from another operating system"], [
    relative,
    "not an absolute path",
  ]];
  for (const [ref = "", why] of reasons) {
    const { status, stderr } = await home.run(["files", ref, "--restore"]);
    assert.deepEqual([status, stderr.includes(`directory is ${why}`)], [1, true], stderr);
  }
  for (const args of [["blame", "b.txt"], ["list", "--file", "./b.txt"]]) {
    const { stdout, stderr } = await home.run([...args, "--all"]);
    assert.doesNotMatch(stdout + stderr, /aaaa0000|bbbb0000/, args.join(" "));
  }
});
