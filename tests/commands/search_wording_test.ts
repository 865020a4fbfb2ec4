import assert from "node:assert/strict";
import { join } from "node:path";
import { jsonLines } from "../_support/cli.ts";
import { type CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { assistant, toolEnd, toolStart, user } from "../_support/log_bytes.ts";

const STRONG = "No session has all of these words. Nearest by wording:\n";
const WEAK = "Nothing close. Weak matches:\n";

/** Keeps sessions about other subjects: rarity needs some to compare. */
function keepOthers(home: CliHome, cwd = home.work): void {
  for (let index = 0; index < 20; index++) {
    home.keep(sessionId(`${1000 + index}`), [
      user(`Rename the column number ${index} of the invoice`),
      assistant("The column has its new name, and the tests pass."),
    ], { cwd });
  }
}

function keepRetries(home: CliHome, cwd = home.work): void {
  home.keep(sessionId("aaaa"), [
    user("Uploads fail at night"),
    toolStart("c1"),
    toolEnd("c1", "quokka"),
    assistant("The proxy closes idle connections. Uploading is retried with jitter now."),
  ], { cwd });
}

inHome.test("a question finds the message that is nearest by wording", async (home) => {
  keepOthers(home);
  keepRetries(home);
  const question = "why did we retry the uploads with jitter last spring?";
  const [people, json, rows, page] = await home.runAll([
    ["search", question],
    ["search", question, "--json"],
    ["search", question, "-l"],
    ["search", question, "--max-chars", "4000"],
  ]);
  assert.equal(people?.stderr, STRONG);
  assert.match(
    people?.stdout ?? "",
    /^aaaa0000#5 .* assistant .*\n +The proxy .*Uploading is retried/,
  );
  const [hit = {}] = jsonLines(json?.stdout ?? "");
  const { seq, tier, strength, snippet = "", ranges = [] } = hit;
  assert.deepEqual([seq, tier, strength], [5, "wording", "strong"]);
  const marked = (ranges as [number, number][]).map(([a, b]) => `${snippet}`.slice(a, b));
  assert.deepEqual(marked, ["Uploading", "retried", "jitter"]);
  assert.match(rows?.stdout ?? "", /^id [^]*\naaaa0000 +1 /);
  assert.match(page?.stdout ?? "", /^aaaa0000#5 /);
  // Only what all words have ends with success.
  assert.deepEqual([people, json, rows, page].map((one) => one?.status), [1, 1, 1, 1]);
  assert.equal((await home.run(["search", "retried jitter"])).status, 0);
});

inHome.test("weak matches are told as such, three at most", async (home) => {
  keepOthers(home);
  const { status, stdout, stderr } = await home.run([
    "search",
    "giraffe columns of zebras",
    "--json",
  ]);
  assert.deepEqual([status, stderr], [1, WEAK]);
  const hits = jsonLines(stdout);
  assert.deepEqual(hits.map(({ strength }) => strength), ["weak", "weak", "weak"]);
  const none = await home.run(["search", "giraffes or zebras?"]);
  assert.deepEqual([none.status, none.stdout], [1, ""]);
  assert.equal(none.stderr, "No session mentions: giraffes or zebras?\n");
});

inHome.test("--any starts with the third tier; other ways to ask never reach it", async (home) => {
  keepOthers(home);
  keepRetries(home);
  const run = async (...args: string[]): Promise<unknown[]> => {
    const { status, stdout } = await home.run(["search", ...args, "--json"]);
    return [status, jsonLines(stdout).map(({ ref, tier }) => `${ref} ${tier}`.slice(-12))];
  };
  assert.deepEqual(await run("--any", "retried", "jitter", "-n", "1"), [1, ["0000 wording"]]);
  assert.deepEqual(
    (await run("--any", "column", "names", "-n", "9"))[1],
    Array(3).fill("0000 wording"),
  );
  assert.deepEqual((await run("retried", "giraffe", "--exact"))[1], []);
  assert.deepEqual((await run('"retried giraffe"'))[1], []);
  assert.deepEqual((await run("--regex", "retried giraffe"))[1], []);
  assert.equal((await home.run(["search", "retried giraffe", "--count"])).stdout, "0\n");
  assert.equal((await home.run(["search", "--any", "--exact", "a"])).status, 2);
});

inHome.test("filters hold for matches by wording, and tool output is none", async (home) => {
  keepOthers(home);
  keepRetries(home);
  const refs = async (...args: string[]): Promise<string[]> => {
    const { stdout } = await home.run(["search", "--any", ...args, "--json"]);
    return jsonLines(stdout).map(({ ref, seq }) => `${ref}`.slice(0, 4) + `#${seq}`);
  };
  assert.deepEqual(await refs("uploads with jitter"), ["aaaa#5"]);
  assert.deepEqual(await refs("uploads with jitter", "--role", "user"), ["aaaa#2"]);
  assert.deepEqual(await refs("uploads with jitter", "--role", "tool"), []);
  assert.deepEqual(await refs("uploads with jitter", "--until", "2026-01-01"), []);
  assert.deepEqual(await refs("uploads with jitter", "--agent", "claude"), []);
  assert.deepEqual(await refs("jitter uploads -proxy"), []);
  assert.deepEqual(await refs("the quokka"), []);
});

inHome.test("a question is answered by this project, else by all, and copies count once", async (home) => {
  const other = join(home.path, "other");
  home.keep(sessionId("bbbb"), [user("Print the invoice")]);
  keepOthers(home, other);
  keepRetries(home, other);
  const question = "which uploads were retried with jitter?";
  const [wide, held] = await home.runAll([
    ["search", question],
    ["search", question, "--here"],
  ]);
  assert.equal(wide?.stderr, `Nothing in this project. In all projects:\n${STRONG}`);
  assert.match(wide?.stdout ?? "", /^aaaa0000#5 /);
  assert.match(held?.stderr ?? "", /^No session of this project mentions: /);
  await home.succeed(["fork", "aaaa"]);
  const { stdout } = await home.run(["search", question, "--all", "--json"]);
  assert.equal(jsonLines(stdout).length, 1);
});

inHome.test("texts without spaces are compared by pairs of characters", async (home) => {
  keepOthers(home);
  home.keep(sessionId("aaaa"), [
    user("数据库连接池为什么会超时"),
    assistant("因为代理关闭空闲连接"),
  ]);
  const { stdout, stderr } = await home.run(["search", "连接池超时的原因", "--json"]);
  assert.equal(stderr, STRONG);
  const [{ seq, snippet, ranges } = {}] = jsonLines(stdout);
  assert.deepEqual([seq, snippet], [2, "数据库连接池为什么会超时"]);
  assert.deepEqual(ranges, [[3, 6], [10, 12]]);
});
