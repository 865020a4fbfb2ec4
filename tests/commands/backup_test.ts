import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { namespaceOf } from "../../lib/core/workspace/namespace.ts";
import { listBackups } from "../../lib/features/backup/mod.ts";
import { jsonLines } from "../_support/cli.ts";
import { inHome } from "../_support/cli_home.ts";
import { lines, RewrittenSession } from "../_support/rewritten_session.ts";
import { keepPiSession } from "./_pi_session.ts";

inHome.test("one that cannot be backed up does not stop the others", async (home) => {
  const { path } = keepPiSession(home, "1111aaaa");
  keepPiSession(home, "2222bbbb");
  const elsewhere = join(home.path, "elsewhere");
  const text = Deno.readTextFileSync(path);
  Deno.writeTextFileSync(
    path,
    text.replace(JSON.stringify(home.work), JSON.stringify(elsewhere)),
  );
  // No folder can be made where a file is.
  const namespace = join(home.store, "sessions", namespaceOf(elsewhere));
  Deno.mkdirSync(dirname(namespace), { recursive: true, mode: 0o700 });
  Deno.writeTextFileSync(namespace, "");
  const everything = ["backup", "--agent", "pi", "--all", "--json"];
  const first = await home.run(everything);
  assert.equal(first.status, 1);
  const told = jsonLines<{ ref: string; status: string; error?: string }>(first.stdout);
  assert.deepEqual(told.map(({ ref, status }) => `${ref} ${status}`), [
    "pi:1111aaaa failed",
    "pi:2222bbbb backed-up",
  ]);
  assert.match(told[0]?.error ?? "", /^Cannot use store: /);
  assert.match(first.stderr, /pi:1111aaaa: Cannot use store[^]*1 session of pi; failed: 1\n$/);
  Deno.removeSync(namespace);
  const { stdout } = await home.succeed(everything);
  assert.match(stdout, /"backed-up".*\n.*"unchanged"/);
});

inHome.test("backup prune shows what it would do, and does it with --write", async (home) => {
  using session = new RewrittenSession();
  for (const turn of [1, 2, 3]) await session.write(`{"turn":${turn}}\n${lines(60, 1)}`);
  Deno.mkdirSync(home.store, { mode: 0o700 });
  Deno.renameSync(join(session.root, "backups"), join(home.store, "backups"));
  const prune = ["backup", "prune", "--keep", "2"];
  const dry = await home.run(prune);
  assert.match(
    dry.stderr,
    /^claude:s1: would remove generation 1, would compress [\d.]+ KB\nWould remove or compress old backups of 1 session \([\d.]+ KB in all\)\. To do it: --write\n$/,
  );
  assert.equal(listBackups(home.store)[0]?.generations.length, 3);
  const { stdout } = await home.succeed([...prune, "--write", "--json"]);
  const [done] = jsonLines(stdout);
  assert.deepEqual([done?.ref, done?.removed], ["claude:s1", [1]]);
  const list = await home.run(["backup", "list"]);
  assert.match(list.stdout, /on disk/);
  assert.match(list.stderr, /^1 session backed up: [\d.]+ KB in [\d.]+ KB\n$/);
  assert.equal((await home.run([...prune, "--write"])).stderr, "Nothing to remove or compress\n");
});
