/** The cache under kills, on a full disk, in a folder that cannot be written, and of another user. */
import assert from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import { factsIn } from "../../lib/library/catalogue/facts_file.ts";
import { cliCommand, cliEnvironment, jsonLines } from "../_support/cli.ts";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { forEachCrash } from "../_support/crash_states.ts";
import { atFullSize } from "../_support/full_size.ts";
import { needing } from "../_support/needing.ts";
import { fill, SMALL_DISK, withSmallDisk } from "../_support/small_disk.ts";
import { childPath } from "../_support/processes.ts";
import { killAtEach, runTraced, STRACE, type Traced } from "../_support/strace.ts";
import { FORBIDDEN_WRITING, ROOT, whileUnwritable } from "../_support/unwritable.ts";
import { answerInPi, keepPiSession } from "../commands/_pi_session.ts";
import { settle } from "../_support/settle.ts";

const CALLS = ["mkdir", "openat", "fcntl", "write", "pwrite64", "ftruncate", "unlink"];
/** A home with sessions that are old enough to be cached. */
async function settledHome(): Promise<CliHome> {
  const home = new CliHome();
  home.keep(sessionId("aaaa"), [user("a prompt")]);
  answerInPi(keepPiSession(home).path, 1234);
  await settle();
  return home;
}

/** Asks with the cache and without it: both say the same, and nothing on stderr. */
async function assertSame(home: CliHome, env: Record<string, string> = {}): Promise<void> {
  const answer = async (...args: string[]): Promise<string> => {
    const { status, stdout, stderr } = await home.run([...args, "--all", "--json"], { env });
    assert.deepEqual([status, stderr], [0, ""], args.join(" "));
    return stdout;
  };
  assert.equal(await answer("stats"), await answer("stats", "--no-cache"));
  // Counts that somebody read stay known, so a list may tell more than without the cache.
  const refs = (text: string): string[] => jsonLines<{ ref: string }>(text).map(({ ref }) => ref);
  const listed = refs(await answer("list"));
  assert.ok(listed.length > 1);
  assert.deepEqual(listed, refs(await answer("list", "--no-cache")));
}

/** Returns the name of the database of facts. */
async function databaseName(): Promise<string> {
  await using home = await settledHome();
  await home.succeed(["list", "--all"]);
  const [path] = factsIn(home.cache);
  assert.ok(path !== undefined);
  return basename(path);
}

// Slow: four commands answer twice for each state of the cache.
Deno.test("P10 killed at any call on its cache, a command leaves one that answers right", async () => {
  await using home = await settledHome();
  const base = dirname(home.cache);
  Deno.mkdirSync(base, { recursive: true });
  const run = (): Promise<unknown> => home.run(["stats", "--all", "--json"]);
  const check = async (): Promise<void> => {
    await assertSame(home);
    await assertSame(home);
  };
  assert.ok(await forEachCrash(base, run, () => undefined, check) >= 4);
});

Deno.test({
  // Its size is that of the system: a process is started for each of its calls.
  ...atFullSize("P10 killed at any system call on its cache, a command leaves one to use", STRACE),
  fn: async () => {
    const database = await databaseName();
    const attempt = async (fault: readonly string[]): Promise<Traced> => {
      await using home = await settledHome();
      const names = ["", database, `${database}-journal`];
      const paths = [dirname(home.cache), ...names.map((name) => join(home.cache, name))];
      const traced = await runTraced(
        [...paths.flatMap((path) => ["-P", path]), "-e", `trace=${CALLS.join(",")}`, ...fault],
        [...cliCommand(), "stats", "--all", "--json"],
        { env: cliEnvironment({ home: home.path }), cwd: home.work },
      );
      await assertSame(home);
      await assertSame(home);
      return traced;
    };
    const { tried, killed } = await killAtEach(await attempt([]), CALLS, attempt);
    assert.ok(killed > 0 && killed >= tried / 2, `${killed} of ${tried}`);
  },
});

Deno.test(
  needing(
    "P10 a full disk changes no answer and prints no warning about the cache",
    SMALL_DISK,
  ),
  async () => {
    for (const spare of [0, 4096, 8192]) {
      await withSmallDisk(async (disk) => {
        await using home = await settledHome();
        const env = { REPRISE_CACHE: join(disk, "cache") };
        const free = fill(disk, spare);
        await assertSame(home, env);
        await free();
        await assertSame(home, env);
      });
    }
  },
);

Deno.test(
  needing(
    "P10 a read-only cache folder is read without a warning",
    FORBIDDEN_WRITING,
  ),
  async () => {
    await using home = await settledHome();
    await assertSame(home);
    await whileUnwritable(home.cache, async () => {
      await assertSame(home);
      keepPiSession(home, "2222bbbb");
      await settle();
      await assertSame(home);
      const { stdout } = await home.run(["list", "--all", "--json"]);
      assert.ok(stdout.includes("2222bbbb"));
    });
  },
);

Deno.test(needing("a cache folder that another user owns is not used", ROOT), async () => {
  await using home = await settledHome();
  await home.run(["list", "--all"]);
  for (const path of [home.path, join(home.path, ".cache")]) Deno.chmodSync(path, 0o711);
  const uid = 65_533;
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-config",
      "--no-lock",
      "-A",
      childPath("cache_problem"),
      `${uid}`,
      home.cache,
    ],
  }).output();
  const found = new TextDecoder().decode(stdout);
  assert.match(found, new RegExp(`^the owner is user 0, not you \\(${uid}\\): `));
});
