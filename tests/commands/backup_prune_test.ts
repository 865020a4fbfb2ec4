import assert from "node:assert/strict";
import { join } from "node:path";
import { listBackups } from "../../lib/features/backup/mod.ts";
import { jsonLines } from "../_support/cli.ts";
import { CliHome } from "../_support/cli_home.ts";
import { lines, RewrittenSession } from "../_support/rewritten_session.ts";

Deno.test("backup prune shows what it would do, and does it with --write", async () => {
  using session = new RewrittenSession();
  for (const turn of [1, 2, 3]) await session.write(`{"turn":${turn}}\n${lines(60, 1)}`);
  await using home = new CliHome();
  Deno.mkdirSync(home.store, { mode: 0o700 });
  Deno.renameSync(join(session.root, "backups"), join(home.store, "backups"));
  const [help, usage, dry] = await home.runInOrder([
    ["backup", "prune", "--help"],
    ["backup", "prune", "--keep", "0"],
    ["backup", "prune", "--keep", "2"],
  ]);
  assert.match(help?.stdout ?? "", /only\s+show what would change/);
  assert.equal(usage?.status, 2);
  assert.match(
    dry?.stderr ?? "",
    /^claude:s1: would remove generation 1, would compress [\d.]+ KB\n/,
  );
  assert.match(
    dry?.stderr ?? "",
    /\nWould remove or compress old backups of 1 session \([\d.]+ KB in all\)\. To do it: --write\n$/,
  );
  assert.equal(listBackups(home.store)[0]?.generations.length, 3);
  const { stdout } = await home.succeed([
    "backup",
    "prune",
    "--keep",
    "2",
    "--write",
    "--json",
  ]);
  const [done] = jsonLines(stdout) as { ref: string; removed: number[] }[];
  assert.deepEqual([done?.ref, done?.removed], ["claude:s1", [1]]);
  const [list, again] = await home.runInOrder([
    ["backup", "list"],
    ["backup", "prune", "--keep", "2", "--write"],
  ]);
  assert.match(list?.stdout ?? "", /on disk/);
  assert.match(list?.stderr ?? "", /^1 session backed up: [\d.]+ KB in [\d.]+ KB\n$/);
  assert.match(again?.stderr ?? "", /^Nothing to remove or compress\n$/);
});
