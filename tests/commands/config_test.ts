import assert from "node:assert/strict";
import { join } from "node:path";
import type { CliResult } from "../_support/cli.ts";
import { inHome } from "../_support/cli_home.ts";

const DEFAULTS = {
  "session.enabled": true,
  "session.durability": "boundary",
  "session.auto_prune": false,
  "session.resume_last_on_start": false,
  "redact.on_export": true,
  "cache.enabled": true,
  "roots.wsl": false,
  "watch.bell": false,
  "search.auto_index": true,
};

inHome.test("config list shows every setting, and as one JSON object those that have a value", async (home) => {
  const [text, json] = await home.runAll([["config", "list"], ["config", "list", "--json"]]);
  assert.deepEqual([text?.status, json?.status], [0, 0]);
  assert.match(text?.stdout ?? "", /^session\.enabled = true\nsession\.durability = boundary\n/);
  assert.match(text?.stdout ?? "", /^session\.max_storage_mb = \(not set\)$/m);
  assert.deepEqual(JSON.parse(json?.stdout ?? ""), DEFAULTS);
  await assert.rejects(Deno.stat(home.store), Deno.errors.NotFound);
});

inHome.test("a settings file that cannot be read is told with its path, and is not overwritten", async (home) => {
  await Deno.mkdir(home.store, { mode: 0o700 });
  const path = join(home.store, "config.json");
  for (const text of ["nonsense", "[]", "null"]) {
    await Deno.writeTextFile(path, text, { mode: 0o600 });
    const lines = [["list"], ["get", "session.enabled"], ["set", "session.enabled", "true"]];
    for (
      const { status, stderr } of await home.runAll(lines.map((args) => ["config", ...args]))
    ) {
      assert.equal(status, 1);
      assert.match(stderr, /^reprise: Cannot read settings: .*config\.json\n$/);
    }
    assert.equal(await Deno.readTextFile(path), text);
  }
});

inHome.test("a value that a setting cannot have is mended by config set or unset of it", async (home) => {
  await Deno.mkdir(home.store, { mode: 0o700 });
  const path = join(home.store, "config.json");
  const run = async (...args: string[]): Promise<CliResult> => await home.run(["config", ...args]);
  const bad = '{"session.enabled":"yes","session.retention_days":"x","later":1}';
  await Deno.writeTextFile(path, bad, { mode: 0o600 });
  const told = await run("get", "session.durability");
  assert.deepEqual([told.status, told.stdout], [1, ""]);
  assert.match(
    told.stderr,
    /session\.enabled is "yes", but must be true or false; to remove this setting: reprise config unset session\.enabled: /,
  );
  assert.equal((await run("set", "session.enabled", "false")).status, 0);
  assert.match((await run("list")).stderr, /session\.retention_days is "x"/);
  assert.equal((await run("unset", "session.retention_days")).status, 0);
  assert.equal((await run("get", "session.enabled")).stdout, "false\n");
  assert.deepEqual(JSON.parse(await Deno.readTextFile(path)), {
    "session.enabled": false,
    later: 1,
  });
});

inHome.test("config list and doctor name what the file holds to no effect, and what to write", async (home) => {
  const path = join(home.store, "config.json");
  const tell = async (settings: unknown): Promise<string[]> => {
    await Deno.mkdir(home.store, { recursive: true, mode: 0o700 });
    await Deno.writeTextFile(path, JSON.stringify(settings), { mode: 0o600 });
    const [list, doctor] = await home.runAll([["config", "list", "--json"], ["doctor"]]);
    assert.deepEqual([list?.status, doctor?.status, doctor?.stdout], [0, 0, ""]);
    assert.equal(`${list?.stderr}No problems found: ${home.store}\n`, doctor?.stderr);
    return (list?.stderr ?? "").split("\n").slice(0, -1);
  };
  assert.deepEqual(await tell({ "session.retention_days": 30 }), []);
  assert.deepEqual(
    await tell({ session: { retention_days: 30, durability: "event" }, "redact.on_export": false }),
    [
      'reprise: setting "session" is ignored. Use instead: "session.retention_days": 30, ' +
      `"session.durability": "event" (in ${path})`,
    ],
  );
  const [unknown, ...more] = await tell({ "session.retention": 30, deep: { er: {} } });
  assert.match(
    unknown ?? "",
    /^reprise: setting "session\.retention" is ignored, because it is unknown/,
  );
  assert.match(unknown ?? "", / Known settings: session\.enabled, .*config\.json\)$/);
  assert.deepEqual(more.map((line) => line.slice(0, 33)), ['reprise: setting "deep" is ignore']);
});

inHome.test("sanitizes names from the settings file", async (home) => {
  await Deno.mkdir(home.store, { mode: 0o700 });
  const settings = {
    "\u001b[2J": 1,
    session: { retention_days: "\u009b2J" },
    "chat.model": "some\u001b[2J\u009b2Jmodel",
  };
  await Deno.writeTextFile(join(home.store, "config.json"), JSON.stringify(settings), {
    mode: 0o600,
  });
  for (const json of [[], ["--json"]]) {
    const { stdout, stderr } = await home.run(["config", "list", ...json]);
    assert.match(stderr, /retention_days/);
    assert.match(stdout, /chat\.model.*some.*model/);
    // deno-lint-ignore no-control-regex
    assert.doesNotMatch(stdout + stderr, /[\u001b\u009b]/);
  }
  const exact = await home.run(["config", "get", "chat.model"]);
  assert.equal(exact.stdout, "some\u001b[2J\u009b2Jmodel\n");
});
