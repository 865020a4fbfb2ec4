import assert from "node:assert/strict";
import { factsIn } from "../../lib/library/catalogue/facts_file.ts";
import { indexPath } from "../../lib/library/catalogue/cache/search_database.ts";
import { basename, dirname, join } from "node:path";
import { cacheProblem } from "../../lib/library/catalogue/cache/own_cache.ts";
import { openLibrary } from "../../lib/library/library.ts";
import { AGENT_FOLDERS, furnishAgents } from "../_support/agent_homes.ts";
import { cliEnvironment, jsonLines } from "../_support/cli.ts";
import { CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { needing, UNIX, UNIX as UNIX_SYSTEM } from "../_support/needing.ts";
import { snapshot } from "../_support/store_snapshot.ts";
import { FORBIDDEN_WRITING, ORDINARY_USER, whileUnwritable } from "../_support/unwritable.ts";
import { keepPiSession } from "./_pi_session.ts";
import { settle } from "../_support/settle.ts";
import { listed as listedRows } from "../_support/listed.ts";
import { testsWith } from "../_support/tests_in.ts";

const inSettledHome = testsWith(settledHome);

/** Makes a home with two sessions that are old enough to be cached. */
async function settledHome(): Promise<CliHome> {
  const home = new CliHome();
  home.keep(sessionId("aaaa"), [user("first prompt")]);
  home.keep(sessionId("bbbb"), [user("second prompt")]);
  await settle();
  return home;
}

async function listed(home: CliHome, env: Record<string, string> = {}): Promise<string> {
  const { status, stdout, stderr } = await home.run(["list", "--all", "--json"], { env });
  assert.deepEqual([status, stderr], [0, ""]);
  assert.ok(stdout.includes("first prompt"));
  return stdout;
}

/** Names in a folder; none where it is missing. */
function namesIn(path: string): string[] {
  try {
    return [...Deno.readDirSync(path)].map(({ name }) => name).sort();
  } catch {
    return [];
  }
}

Deno.test(
  needing("without a store, caches what it reads and creates nothing else", UNIX),
  async () => {
    await using home = new CliHome();
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
    assert.deepEqual(namesIn(home.cache), [
      "CACHEDIR.TAG",
      ...[...factsIn(home.cache), indexPath(home.cache)].map((path) => basename(path)),
    ]);
    for (const path of [dirname(home.cache), home.cache]) {
      assert.equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o700);
    }
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

inSettledHome.test("cache status says what is cached, and cache clear removes it", async (home) => {
  const state = async (): Promise<Record<string, unknown>> =>
    jsonLines((await home.run(["cache", "status", "--json"])).stdout)[0] ?? {};
  assert.deepEqual(await state(), { state: "used", path: home.cache, bytes: 0, sessions: 0 });
  const before = await listed(home);
  assert.equal((await home.run(["index", "build"])).status, 0);
  const { sessions, bytes } = await state();
  assert.ok(sessions === 2 && Number(bytes) > 1000, `${bytes}`);
  const { stdout } = await home.run(["cache", "status"]);
  assert.match(stdout, /^The cache is switched on\nsessions {2}2\nsize {6}\d+\.\d KB\npath {6}\//);
  assert.equal((await home.run(["cache", "clear"])).stderr, "The cache is cleared\n");
  assert.throws(() => Deno.statSync(home.cache), Deno.errors.NotFound);
  assert.equal((await home.run(["cache", "clear"])).stderr, "There is no cache\n");
  assert.equal(await listed(home), before);
});

inSettledHome.test("cache clear says why a folder cannot be used, and removes nothing there", async (home) => {
  const file = join(home.path, "file");
  Deno.writeTextFileSync(file, "mine");
  const env = { REPRISE_CACHE: file };
  const { status, stderr } = await home.run(["cache", "clear"], { env });
  assert.deepEqual(
    [status, stderr],
    [1, `reprise: Cannot clear the cache: the path is not a folder: ${file}\n`],
  );
  assert.equal(Deno.readTextFileSync(file), "mine");
});

inSettledHome.test("cache.enabled = false, and settings that cannot be read, switch the cache off", async (home) => {
  assert.equal((await home.run(["config", "set", "cache.enabled", "false"])).status, 0);
  await listed(home);
  assert.deepEqual(namesIn(home.cache), []);
  assert.match((await home.run(["cache", "status"])).stdout, /^The cache is switched off/);
  const { status, stderr } = await home.run(["index", "build"]);
  assert.equal(status, 1);
  assert.match(stderr, /Cannot build the index: the cache is switched off/);
  Deno.writeTextFileSync(join(home.store, "config.json"), "nonsense");
  assert.match((await home.run(["list", "--all"])).stdout, /first prompt/);
  assert.deepEqual(namesIn(home.cache), []);
  Deno.removeSync(join(home.store, "config.json"));
  await listed(home);
  assert.ok(factsIn(home.cache).length > 0);
});

/** Ways to make the folder of the caches or of the store unsafe. */
const UNSAFE: Readonly<Record<string, (path: string, home: CliHome) => void>> = {
  "the path is a link": (path, home) => {
    Deno.mkdirSync(join(home.path, "elsewhere"));
    Deno.symlinkSync(join(home.path, "elsewhere"), path);
  },
  "every user of this machine can change the file": (path) => {
    Deno.mkdirSync(path);
    Deno.chmodSync(path, 0o777);
  },
  "the path is not a folder": (path) => Deno.writeTextFileSync(path, ""),
};

for (const [reason, make] of Object.entries(UNSAFE)) {
  Deno.test(needing(`a cache folder is not used if ${reason}; doctor says so`, UNIX), async () => {
    for (const level of ["base", "own"]) {
      await using home = await settledHome();
      const path = level === "base" ? dirname(home.cache) : home.cache;
      Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      make(path, home);
      const before = snapshot(home.path);
      const made = await listed(home);
      assert.equal(await listed(home), made);
      assert.equal((await home.run(["stats", "--all"])).status, 0);
      assert.equal((await home.run(["search", "prompt"])).status, 0);
      assert.deepEqual(snapshot(home.path), before);
      const { status, stdout } = await home.run(["doctor", "--json"]);
      assert.equal(status, 1);
      const found = jsonLines<{ code: string; detail: string }>(stdout)
        .filter(({ code }) => code === "cache");
      assert.equal(found.length, 1, stdout);
      assert.ok(found[0]?.detail.includes(reason), stdout);
      assert.match((await home.run(["cache", "status"])).stderr, new RegExp(reason));
      assert.match((await home.run(["index", "build"])).stderr, new RegExp(reason));
    }
  });
}

Deno.test(needing("a cache folder of another user is not used", UNIX_SYSTEM, ORDINARY_USER), () => {
  assert.match(cacheProblem("/usr/no-cache") ?? "", /^user 0 owns it, not you .*: \/usr$/);
});

Deno.test(
  needing("doctor --fix makes a cache folder safe that everyone could write", UNIX),
  async () => {
    await using home = await settledHome();
    await listed(home);
    Deno.chmodSync(dirname(home.cache), 0o777);
    const { status, stdout } = await home.run(["doctor", "--fix"]);
    assert.equal(status, 0, stdout);
    assert.match(stdout, /^fixed: .*every user of this machine can change the file/);
    assert.equal((Deno.statSync(dirname(home.cache)).mode ?? 0) & 0o777, 0o700);
  },
);

Deno.test(
  needing("in a home that cannot be written everything works without the cache", FORBIDDEN_WRITING),
  async () => {
    await using home = await settledHome();
    await whileUnwritable(home.path, async () => {
      const made = await listed(home);
      assert.equal(await listed(home), made);
      for (const args of [["stats", "--all"], ["search", "prompt"], ["show", "aaaa"]]) {
        assert.equal((await home.run(args)).status, 0, args.join(" "));
      }
      assert.match(
        (await home.run(["doctor"])).stdout,
        /look: .*reprise.*: the cache is not used: /,
      );
      assert.equal((await home.run(["index", "build"])).status, 1);
    });
    assert.throws(() => Deno.statSync(home.cache), Deno.errors.NotFound);
  },
);

inSettledHome.test("files that an earlier version cached in the data root are ignored, and doctor --fix removes them", async (home) => {
  const names = ["catalogue", "catalogue.lock", "catalogue.usage"];
  for (const name of names) {
    Deno.writeTextFileSync(join(home.store, name), "first secret", { mode: 0o600 });
  }
  Deno.mkdirSync(join(home.store, "index"), { mode: 0o700 });
  Deno.writeTextFileSync(join(home.store, "index", "search.json"), "{}", { mode: 0o600 });
  await listed(home);
  const found = await home.run(["doctor", "--json"]);
  assert.deepEqual(jsonLines(found.stdout).map(({ code, state }) => `${code} ${state}`), [
    ...Array.from({ length: 4 }, () => "leftover fixable"),
  ]);
  assert.equal((await home.run(["doctor", "--fix"])).status, 0);
  assert.deepEqual(namesIn(home.store), ["sessions"]);
});

inSettledHome.test("two versions of the program use one cache folder side by side", async (home) => {
  const env = cliEnvironment({ home: home.path });
  const rows = async (version: string): Promise<unknown> =>
    await listedRows(openLibrary({ variable: (name) => env[name], cache: { version } }));
  const wanted = await listedRows(openLibrary({ variable: (name) => env[name] }));
  assert.deepEqual(namesIn(home.cache), [], "a program gets no cache unless it asks");
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
    const { status, stderr } = await home.run(["cache", "status"]);
    assert.deepEqual([status, stderr], [0, ""], `${length}`);
    assert.equal(await listed(home), rows);
    assert.equal(await listed(home), rows);
  }
  Deno.writeFileSync(path, bytes.subarray(0, bytes.length / 2));
  assert.equal((await home.run(["cache", "clear"])).status, 0);
  assert.equal(await listed(home), rows);
});

inSettledHome.test("two data roots have caches that do not mix", async (home) => {
  await listed(home);
  keepPiSession(home);
  await settle();
  const other = { REPRISE_HOME: join(home.path, "other") };
  const { stdout } = await home.run(["list", "--all"], { env: other });
  assert.doesNotMatch(stdout, /first prompt/);
  assert.equal(namesIn(dirname(home.cache)).length, 2);
});
