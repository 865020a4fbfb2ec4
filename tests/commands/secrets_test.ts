import assert from "node:assert/strict";
import { join } from "node:path";
import { jsonLines } from "../_support/cli.ts";
import { inHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { mulberry32 } from "../_support/mulberry32.ts";
import { isHarmless } from "../text/render/_harmless.ts";
import { fill } from "../text/redaction/_secret_samples.ts";

const random = mulberry32(21);

inHome.test("scan of a session without secrets says so on stderr, and succeeds", async (home) => {
  home.keep(sessionId("aaaa"), [user("hi")]);
  const [text, json] = await home.runAll([["secrets", "aaaa"], ["secrets", "aaaa", "--json"]]);
  for (const result of [text, json]) {
    assert.deepEqual(result, { status: 0, stdout: "", stderr: "No secrets were found\n" });
  }
});

inHome.test("scan tells kind, place and placeholder of each secret, never the secret, and fails", async (home) => {
  const token = fill("gh|p_{a36}", random);
  const password = fill("{a12}", random);
  const { path } = home.keep(sessionId("aaaa"), [
    user(`bare ${password} first`),
    user(`use ${token}, PASSWORD=${password}`),
    {
      kind: "assistant_message",
      payload: { content: [{ type: "tool_call", call_id: "c", name: "http", input: { token } }] },
    },
  ]);
  const before = await Deno.readFile(path);
  const [text, json, byPath] = await home.runAll([
    ["secrets", "aaaa"],
    ["secrets", "aaaa", "--json"],
    ["secrets", path, "--json"],
  ]);
  assert.deepEqual([text?.status, json?.status, byPath?.status], [1, 1, 1]);
  assert.equal(
    text?.stdout,
    [
      "aaaa#2 payload.content: password, 12 characters: [redacted:password:1]",
      "aaaa#3 payload.content: github-token, 40 characters: [redacted:github-token:1]",
      "aaaa#3 payload.content: password, 12 characters: [redacted:password:1]",
      "aaaa#4 payload.content[0].input.token: github-token, 40 characters: [redacted:github-token:1]",
    ].map((line) => `${line}\n`).join(""),
  );
  assert.equal(text?.stderr, "Found 2 secrets in 4 places: 1 github-token, 1 password\n");
  assert.deepEqual(jsonLines(json?.stdout ?? "").at(-1), {
    kind: "github-token",
    placeholder: "[redacted:github-token:1]",
    field: "payload.content[0].input.token",
    offset: 0,
    length: 40,
    seq: 4,
  });
  assert.equal(byPath?.stdout, json?.stdout);
  const said = JSON.stringify([text, json, byPath]);
  for (const part of [token.slice(4, 12), password.slice(0, 6)]) assert.ok(!said.includes(part));
  assert.deepEqual(await Deno.readFile(path), before);
});

inHome.test("show, conversation, search and --json print secrets as they are", async (home) => {
  const token = fill("gh|p_{a36}", random);
  home.keep(sessionId("aaaa"), [user(`use ${token} to push`)]);
  const lines = [["show", "aaaa"], ["search", "push"]];
  const results = await home.runAll([
    ...[["conversation", "aaaa"], ...lines],
    ...lines.map((line) => [...line, "--json"]),
  ]);
  for (const { status, stdout, stderr } of results) {
    assert.equal(status, 0, stderr);
    assert.ok(stdout.includes(token), stdout);
  }
});

inHome.test("scan shows no hostile key of a session as it is", async (home) => {
  const key = "\x1b[2J\u202e" + "x".repeat(500);
  home.keep(sessionId("aaaa"), [{
    kind: "assistant_message",
    payload: {
      content: [{
        type: "tool_call",
        call_id: "c",
        name: "x",
        input: { [key]: fill("gh|p_{a36}", random) },
      }],
    },
  }]);
  const { status, stdout, stderr } = await home.run(["secrets", "aaaa"]);
  assert.equal(status, 1);
  assert.match(stdout, /␛\[2J<U\+202E>x{50,60}…: github-token/);
  assert.ok((stdout + stderr).trimEnd().split("\n").every((line) => isHarmless(line)));
});

inHome.test("scan refuses an event of a session, and what is no session", async (home) => {
  home.keep(sessionId("aaaa"), [user("hi")]);
  const statuses = [["secrets"], ["secrets", "aaaa#2"], ["secrets", "ffff"], [
    "secrets",
    "aaaa",
    "--all",
  ]]
    .map(async (args) => (await home.run(args)).status);
  assert.deepEqual(await Promise.all(statuses), [2, 1, 1, 2]);
});

inHome.test("count of all sessions tells kinds, agents and sessions, and no part of a secret", async (home) => {
  const [token, password] = [fill("gh|p_{a36}", random), fill("{a12}", random)];
  home.keep(sessionId("aaaa"), [user(`use ${token}, PASSWORD=${password}`)], { title: token });
  home.keep(sessionId("bbbb"), [user(`use ${token}`)]);
  home.keep(sessionId("cccc"), [user("hi")]);
  const [text, json, none] = await home.runAll([
    ["secrets", "--all"],
    ["secrets", "--agent", "reprise", "--json"],
    ["secrets", "--all", "--since", "2026-11-25"],
  ]);
  const project = ["secrets", "--all", "--project"];
  const [here, elsewhere] = await home.runAll([[...project, home.work], [
    ...project,
    join(home.path, "other"),
  ]]);
  assert.equal(here?.stdout, text?.stdout);
  assert.equal(elsewhere?.stderr, "No secrets were found in 0 sessions\n");
  assert.equal(
    text?.stdout,
    `kind          secrets  sessions
github-token        2  2
password            1  1

agent    secrets  sessions
reprise        3  2

session   secrets  kinds
aaaa0000        2  1 github-token, 1 password
bbbb0000        1  1 github-token
`,
  );
  assert.equal(text?.stderr, "Found 3 secrets in 2 of 3 sessions\n");
  assert.deepEqual(jsonLines(json?.stdout ?? ""), [
    {
      ...{ ref: "aaaa0000", agent: "reprise", secrets: 2, places: 3 },
      kinds: { "github-token": 1, password: 1 },
    },
    { ref: "bbbb0000", agent: "reprise", secrets: 1, kinds: { "github-token": 1 }, places: 1 },
  ]);
  assert.deepEqual([text?.status, json?.status, none?.status], [1, 1, 0]);
  assert.equal(none?.stderr, "No secrets were found in 0 sessions\n");
  const said = JSON.stringify([text, json, none]);
  for (const part of [token.slice(4, 8), password.slice(0, 4)]) assert.ok(!said.includes(part));
});

inHome.test("scan of a session looks at its subagents, and names them", async (home) => {
  const id = "5b2f0000-0000-4000-8000-000000000001";
  const folder = join(home.path, ".claude", "projects", "-work");
  const line = (more: Record<string, unknown>): string =>
    JSON.stringify({
      ...{ sessionId: id, cwd: home.work, timestamp: "2026-11-21T10:00:00.000Z", version: "2.1.0" },
      ...{ type: "user", parentUuid: null, isSidechain: false, ...more },
    }) + "\n";
  Deno.mkdirSync(join(folder, id, "subagents"), { recursive: true });
  const said = (content: string): unknown => ({ role: "user", content });
  Deno.writeTextFileSync(join(folder, `${id}.jsonl`), line({ uuid: "u1", message: said("Go") }));
  Deno.writeTextFileSync(
    join(folder, id, "subagents", "agent-a1b2c3.jsonl"),
    line({
      ...{ uuid: "s1", isSidechain: true, agentId: "a1b2c3" },
      message: said(`use ${fill("gh|p_{a36}", random)}`),
    }),
  );
  const [text, json, thread] = await home.runAll([
    ["secrets", `claude:${id}`],
    ["secrets", `claude:${id}`, "--json"],
    ["secrets", `claude:${id}~a1b2c3`],
  ]);
  assert.match(text?.stdout ?? "", /^claude:5b2f\S*~\S*a1b2c3#\d+ .*github-token/);
  assert.match(json?.stdout ?? "", /"thread":"[^"]*a1b2c3"/);
  assert.deepEqual([text?.status, json?.status, thread?.status], [1, 1, 1]);
});

inHome.test("scan finds secrets of records that another one replaced, and of files beside the session", async (home) => {
  const id = "5b2f0000-0000-4000-8000-000000000002";
  const folder = join(home.path, ".claude", "projects", "-work");
  const [replaced, beside, shown] = [0, 1, 2].map(() => fill("gh|p_{a36}", random));
  const line = (content: string): string =>
    JSON.stringify({
      ...{ sessionId: id, cwd: home.work, timestamp: "2026-11-21T10:00:00.000Z", version: "2.1.0" },
      ...{ type: "user", uuid: "u1", parentUuid: null, isSidechain: false },
      message: { role: "user", content },
    }) + "\n";
  Deno.mkdirSync(join(folder, id, "tool-results"), { recursive: true });
  const path = join(folder, `${id}.jsonl`);
  const result = join(folder, id, "tool-results", "t1.txt");
  Deno.writeTextFileSync(path, line(`use ${replaced} and ${shown}`) + line(`use ${shown}`));
  Deno.writeTextFileSync(result, `got ${beside} and ${shown}\n`);
  const [text, json, all, scrub] = await home.runAll([
    ["secrets", `claude:${id}`],
    ["secrets", `claude:${id}`, "--json"],
    ["secrets", "--all", "--json"],
    ["secrets", `claude:${id}`, "--scrub", "--json"],
  ]);
  assert.equal(text?.stderr, "Found 3 secrets in 4 places: 3 github-token\n");
  const lines = text?.stdout.trimEnd().split("\n").slice(2) ?? [];
  const end = "github-token, 40 characters: [redacted:github-token:";
  const told = [path, result].map((one) => one.replace(home.path, "~"));
  assert.deepEqual(lines, [`${told[0]}: ${end}2]`, `${told[1]}: ${end}3]`]);
  const paths = jsonLines(json?.stdout ?? "").map(({ path }) => path);
  assert.deepEqual(paths, [undefined, undefined, path, result]);
  assert.equal(jsonLines(all?.stdout ?? "")[0]?.secrets, 3);
  assert.equal(jsonLines(scrub?.stdout ?? "")[0]?.secrets, 3);
});
