import assert from "node:assert/strict";
import { factsIn } from "../../lib/library/catalogue/facts_file.ts";
import { indexPath } from "../../lib/library/catalogue/cache/search_database.ts";
import { basename, dirname } from "node:path";
import { cacheProblem } from "../../lib/library/catalogue/cache/own_cache.ts";
import { openLibrary } from "../../lib/library/library.ts";
import { AGENT_FOLDERS, furnishAgents } from "../_support/agent_homes.ts";
import { cliEnvironment } from "../_support/cli.ts";
import { CliHome, inHome, sessionId, testsAtHome } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { UNIX } from "../_support/needing.ts";
import { snapshot } from "../_support/store_snapshot.ts";
import { FORBIDDEN_WRITING, ORDINARY_USER, whileUnwritable } from "../_support/unwritable.ts";
import { settle } from "../_support/settle.ts";
import { listed as listedRows } from "../_support/listed.ts";
import { onUnix, testsNeeding, testsWith } from "../_support/tests_in.ts";

const inSettledHome = testsWith(settledHome);

/** Makes a home with two sessions that are old enough to be cached. */
async function settledHome(): Promise<CliHome> {
  const home = new CliHome();
  home.keep(sessionId("aaaa"), [user("first prompt")]);
  home.keep(sessionId("bbbb"), [user("second prompt")]);
  await settle();
  return home;
}

async function listed(home: CliHome): Promise<string> {
  const { status, stdout, stderr } = await home.run(["list", "--all", "--json"]);
  assert.deepEqual([status, stderr], [0, ""]);
  assert.ok(stdout.includes("first prompt"));
  return stdout;
}

/** Names in a folder. */
function namesIn(path: string): string[] {
  return [...Deno.readDirSync(path)].map(({ name }) => name).sort();
}

function modeOf(path: string): number {
  return (Deno.statSync(path).mode ?? 0) & 0o777;
}

testsAtHome(UNIX).test(
  "without a store, caches what it reads and creates nothing else",
  async (home) => {
    furnishAgents(home);
    await settle();
    const before = snapshot(home.path).length;
    assert.ok(before > 4);
    const lines = [["list", "--all"], ["stats", "--all"], ["index", "build"], ["search", "the"]];
    for (const { status, stderr } of await home.runInOrder(lines)) assert.equal(status, 0, stderr);
    const cached = snapshot(dirname(home.cache)).length;
    const made = namesIn(home.path).filter((name) => !AGENT_FOLDERS.includes(name));
    assert.deepEqual(made, [Deno.build.os === "darwin" ? "Library" : ".cache", "work"]);
    const folders_above = Deno.build.os === "darwin" ? 2 : 1;
    assert.equal(snapshot(home.path).length, before + cached + folders_above);
    const databases = [...factsIn(home.cache), indexPath(home.cache)].map((path) => basename(path));
    assert.deepEqual(namesIn(home.cache), ["CACHEDIR.TAG", ...databases]);
    for (const path of [dirname(home.cache), home.cache]) assert.equal(modeOf(path), 0o700);
  },
);

inHome.test("the second list, stats and search of a home without a store read no session", async (home) => {
  furnishAgents(home);
  await settle();
  await home.runInOrder([["list", "--all"], ["stats", "--all"], ["index", "build"]]);
  const { open, openSync, readFile } = Deno;
  const reads = async (...args: string[]): Promise<string[]> => {
    const paths: string[] = [];
    Deno.open = (path, options) => (paths.push(`${path}`), open(path, options));
    Deno.openSync = (path, options) => (paths.push(`${path}`), openSync(path, options));
    Deno.readFile = (path, options) => (paths.push(`${path}`), readFile(path, options));
    try {
      const { status, stdout, stderr } = await home.run(args);
      assert.ok(status < 2 && (stdout + stderr).length > 20, args.join(" "));
    } finally {
      Object.assign(Deno, { open, openSync, readFile });
    }
    // Heads of Codex's files are looked at anew: they tell which ones are subagents.
    return paths.filter((path) => /\/(?:\.pi|\.claude)\/.*\.jsonl$/.test(path));
  };
  for (const args of [["list", "--all"], ["stats", "--all"], ["search", "zzznothere"]]) {
    assert.deepEqual(await reads(...args), [], args.join(" "));
  }
  assert.ok((await reads("stats", "--all", "--no-cache")).length > 0);
});

/** Ways to make the folder of the caches or of the store unsafe. */
const UNSAFE: Readonly<Record<string, (path: string, home: CliHome) => void>> = {
  "the path is a link": (path, home) => Deno.symlinkSync(home.work, path),
  "every user of this machine can change the file": (path) => {
    Deno.mkdirSync(path);
    Deno.chmodSync(path, 0o777);
  },
  "the path is not a folder": (path) => Deno.writeTextFileSync(path, ""),
};

for (const [reason, make] of Object.entries(UNSAFE)) {
  onUnix.test(`a cache folder is not used if ${reason}; doctor says so`, async () => {
    for (const level of ["base", "own"]) {
      await using home = await settledHome();
      const path = level === "base" ? dirname(home.cache) : home.cache;
      Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      make(path, home);
      const before = snapshot(home.path);
      const made = await listed(home);
      assert.equal(await listed(home), made);
      await home.succeed(["stats", "--all"]);
      await home.succeed(["search", "prompt"]);
      assert.deepEqual(snapshot(home.path), before);
      const { status, stdout } = await home.run(["doctor", "--json"]);
      assert.equal(status, 1);
      assert.match(stdout, new RegExp(`^{"code":"cache",[^\n]*${reason}[^\n]*\n$`));
      assert.match((await home.run(["cache", "status"])).stderr, new RegExp(reason));
      assert.match((await home.run(["index", "build"])).stderr, new RegExp(reason));
      if (Deno.lstatSync(path).isDirectory) {
        assert.match((await home.succeed(["doctor", "--fix"])).stdout, /^fixed: .*every user/);
        assert.equal(modeOf(path), 0o700);
      }
    }
  });
}

testsNeeding(UNIX, ORDINARY_USER).test("a cache folder of another user is not used", () => {
  assert.match(cacheProblem("/usr/no-cache") ?? "", /^user 0 owns it, not you .*: \/usr$/);
});

testsWith(settledHome, FORBIDDEN_WRITING).test(
  "in a home that cannot be written everything works without the cache",
  async (home) => {
    await whileUnwritable(home.path, async () => {
      const made = await listed(home);
      assert.equal(await listed(home), made);
      for (const args of [["stats", "--all"], ["search", "prompt"], ["show", "aaaa"]]) {
        await home.succeed(args);
      }
      const { stdout } = await home.run(["doctor"]);
      assert.match(stdout, /look: .*reprise.*: the cache is not used: /);
      assert.equal((await home.run(["index", "build"])).status, 1);
    });
    assert.throws(() => Deno.statSync(home.cache), Deno.errors.NotFound);
  },
);

inSettledHome.test("two versions of the program use one cache folder side by side", async (home) => {
  const env = cliEnvironment({ home: home.path });
  const rows = async (version: string): Promise<unknown> =>
    await listedRows(openLibrary({ variable: (name) => env[name], cache: { version } }));
  const wanted = await listedRows(openLibrary({ variable: (name) => env[name] }));
  assert.throws(() => Deno.statSync(home.cache), "a program gets no cache unless it asks");
  for (let round = 0; round < 3; round++) {
    const both = await Promise.all([rows("1"), rows("2"), rows("1")]);
    assert.deepEqual(both, [wanted, wanted, wanted]);
  }
  assert.ok(factsIn(home.cache).length > 0);
});

inSettledHome.test("a damaged database is counted as empty, cleared, and made anew", async (home) => {
  const rows = await listed(home);
  const [path = ""] = factsIn(home.cache);
  const bytes = Deno.readFileSync(path);
  for (const length of [0, 100, bytes.length / 2, bytes.length - 4096]) {
    Deno.writeFileSync(path, bytes.subarray(0, length));
    assert.equal((await home.succeed(["cache", "status"])).stderr, "", `${length}`);
    assert.equal(await listed(home), rows);
    assert.equal(await listed(home), rows);
  }
  Deno.writeFileSync(path, bytes.subarray(0, bytes.length / 2));
  await home.succeed(["cache", "clear"]);
  assert.equal(await listed(home), rows);
});
