import assert from "node:assert/strict";
import { BlamedHome } from "../features/blame/_repository.ts";
import { jsonLines } from "../_support/cli.ts";
import { inHome } from "../_support/cli_home.ts";
import { GIT } from "../_support/trapped_repository.ts";
import { testsNeeding } from "../_support/tests_in.ts";

const withGit = testsNeeding(GIT);

const FIRST = "2026-11-20T10:00:00Z";
const EDITED = "2026-11-20T11:00:00Z";
const SECOND = "2026-11-20T12:00:00Z";

interface Trace {
  ranges: Record<string, unknown>[];
}

function furnished(): BlamedHome {
  const home = new BlamedHome();
  home.commit(FIRST, { "a.ts": "const one = 1;\nconst two = 2;\n" });
  const edit = { old_string: "const two = 2;", new_string: "const zwei = 2;\nconst drei = 3;" };
  home.edits("aaaa", [{ path: "a.ts", ...edit, time: EDITED }]);
  home.commit(SECOND, { "a.ts": "const one = 1;\nconst zwei = 2;\nconst drei = 3;\n" });
  return home;
}

withGit.test("blame tells the session, the prompt and the agent of lines", async () => {
  await using home = furnished();
  const [whole, some, json, wrong, none, far] = await home.runAll([
    ["blame", "a.ts"],
    ["blame", "a.ts:1"],
    ["blame", "a.ts:2-3", "--json"],
    ["blame", "a.ts:3-2"],
    ["blame", "none.ts"],
    ["blame", "a.ts:99"],
  ]);
  const cells = whole?.stdout.split("\n").map((line) => line.split(/ {2,}/));
  assert.deepEqual(cells?.slice(0, 3), [
    ["1 unknown", "const one = 1;"],
    ["2 proven", "reprise", "aaaa0000#4", "2026-11-20 11:00", "Change 0", "const zwei = 2;"],
    ["3 proven", "reprise", "aaaa0000#4", "2026-11-20 11:00", "Change 0", "const drei = 3;"],
  ]);
  assert.equal(some?.stdout, "1 unknown  const one = 1;\n");
  assert.equal(whole?.stderr, "");
  assert.match(some?.stderr ?? "", /^No session .*\n.*: reprise list --file a\.ts\n$/);
  const [run, ...rest] = jsonLines<Record<string, unknown>>(json?.stdout ?? "");
  assert.deepEqual(rest, []);
  const { commit, ...told } = run ?? {};
  assert.deepEqual(told, {
    ...{ from: 2, to: 3, grade: "proven", agent: "reprise", seq: 4 },
    ref: "aaaa0000-0000-4000-8000-000000000000#4",
    session_id: "aaaa0000-0000-4000-8000-000000000000",
    time: "2026-11-20T11:00:00.000Z",
    ...{ model: "m-1", prompt: { seq: 2, text: "Change 0" } },
    lines: ["const zwei = 2;", "const drei = 3;"],
  });
  assert.deepEqual((commit as { author: string }).author, "Ada");
  assert.equal(wrong?.status, 2);
  assert.match(none?.stderr ?? "", /there is no file \S*none\.ts\n.*: reprise search none\.ts\n$/);
  assert.match(far?.stderr ?? "", /^reprise: Cannot blame line 99: .* has 3 lines\n$/);
  assert.deepEqual([none?.status, far?.status], [1, 1]);
});

withGit.test("blame writes a record of Agent Trace, with how certain it is beside it", async () => {
  await using home = furnished();
  const { status, stdout } = await home.run(["blame", "a.ts", "--format", "agent-trace"]);
  assert.equal(status, 0);
  const { version, id, timestamp, vcs, tool, files, metadata, ...rest } = JSON.parse(stdout);
  assert.deepEqual([version, tool.name, vcs.type, rest], ["0.1", "reprise", "git", {}]);
  assert.match(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  assert.match(timestamp, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.match(vcs.revision, /^[0-9a-f]{40}$/);
  const [{ path, conversations }, ...others] = files;
  assert.deepEqual([path, others], ["a.ts", []]);
  const hashless = conversations.map(({ ranges: [range], ...one }: Trace) => {
    assert.match(String(range?.content_hash), /^sha256:[0-9a-f]{64}$/);
    return { ...one, lines: [range?.start_line, range?.end_line] };
  });
  assert.deepEqual(hashless, [
    { contributor: { type: "unknown" }, lines: [1, 1] },
    {
      url: "reprise:aaaa0000-0000-4000-8000-000000000000",
      contributor: { type: "ai" },
      lines: [2, 3],
    },
  ]);
  const [grade] = metadata["reprise.grades"];
  assert.deepEqual([grade.grade, grade.start_line], ["proven", 2]);
  assert.match(grade.ref, /#4$/);
});

withGit.test("--file finds a bare name in any folder, but a file that is here alone", async () => {
  await using home = furnished();
  home.edits("bbbb", [{ path: "deep/b.ts", content: "Change\n", time: EDITED }]);
  home.edits("cccc", [{ path: "b.ts", content: "Change\n", time: EDITED }]);
  const refs = async (file: string, cwd = home.work): Promise<string[]> => {
    const { stdout } = await home.run(["list", "--all", "--file", file, "--json"], { cwd });
    return jsonLines<{ ref: string }>(stdout).map(({ ref }) => ref.slice(0, 4)).sort();
  };
  assert.deepEqual(await refs("b.ts"), ["bbbb", "cccc"]);
  assert.deepEqual(await refs("./b.ts"), ["cccc"]);
  assert.deepEqual(await refs("deep/b.ts"), ["bbbb"]);
  assert.deepEqual(await refs("other/deep/b.ts"), []);
  home.write("b.ts", "Change\n");
  assert.deepEqual(await refs("b.ts"), ["cccc"]);
  assert.deepEqual(await refs("b.ts", home.path), ["bbbb", "cccc"]);
  assert.deepEqual(await refs("deep/b.ts", home.path), ["bbbb"]);
});

withGit.test("list and search take a file; blame without git or a repository tells by the sessions", async () => {
  await using home = furnished();
  home.edits("bbbb", [{ path: "b.ts", content: "Change\n", time: EDITED }]);
  home.write("b.ts", "Change\n");
  const [list, none, search, not_found, untracked] = await home.runAll([
    ["list", "--file", "a.ts", "--json"],
    ["list", "--file", "none.ts"],
    ["search", "Change", "--file", "b.ts", "--json"],
    ["search", "Change", "--file", "none.ts"],
    ["blame", "b.ts"],
  ]);
  const last_at = new Date(EDITED).toISOString();
  const rows = jsonLines<{ ref: string; changed: unknown }>(list?.stdout ?? "");
  assert.deepEqual(rows.map(({ ref, changed }) => [ref.slice(0, 4), changed]), [
    ["aaaa", { files: ["a.ts"], edits: 1, last_at }],
  ]);
  assert.match(none?.stderr ?? "", /matches all of these flags\n[^]*: reprise search none\.ts\n$/);
  const hits = jsonLines<{ ref: string; changed: unknown }>(search?.stdout ?? "");
  assert.ok(hits.length > 0);
  for (const { ref, changed } of hits) {
    assert.equal(ref.slice(0, 4), "bbbb");
    assert.deepEqual(changed, { files: ["b.ts"], edits: 1, last_at });
  }
  assert.match(not_found?.stderr ?? "", /that changed none\.ts/);
  assert.match(untracked?.stderr ?? "", /^The file is not in git/);
  assert.match(untracked?.stdout ?? "", /^1 proven +reprise +bbbb0000#4 /);
});

inHome.test("blame of a file outside of any repository needs no git", async (home) => {
  Deno.writeTextFileSync(`${home.work}/a.ts`, "one\n");
  const { status, stdout, stderr } = await home.run(["blame", "a.ts"], { env: { PATH: "" } });
  assert.deepEqual([status, stdout], [0, "1 unknown  one\n"]);
  assert.match(stderr, /^The file is not in git/);
  Deno.mkdirSync(`${home.work}/.git`);
  Deno.writeTextFileSync(`${home.work}/.git/HEAD`, "ref: refs/heads/main\n");
  const inside = await home.run(["blame", "a.ts"], { env: { PATH: "" } });
  assert.match(inside.stderr, /git is not installed/);
});
