/** Several roots of an agent, where its sessions are in a database or old. A transcript tells the rest. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { inHome } from "../_support/cli_home.ts";
import { databaseOf, exported } from "../agents/opencode/_store.ts";

inHome.test("two databases with one id are two sessions, and each has its own reference", async (home) => {
  const [mine, other] = [exported("small"), exported("small")];
  other.info = { ...other.info, title: "The other one" };
  const paths = [join(home.path, ".local/share/opencode"), home.work].map((folder, index) => {
    Deno.mkdirSync(folder, { recursive: true });
    const path = join(folder, "opencode.db");
    Deno.writeFileSync(path, databaseOf(...index === 0 ? [mine] : [other, exported("compaction")]));
    return path;
  });
  await home.succeed(["config", "set", "agents.opencode.roots", home.work]);
  const { stdout } = await home.run(["list", "--all", "--json"]);
  const refs = [...stdout.matchAll(/"ref":"(.*?)"/g)].map(([, ref = ""]) => JSON.parse(`"${ref}"`));
  const second = `${paths[1]}~ses_small`;
  assert.deepEqual(
    refs.sort(),
    [second, "opencode:ses_compaction", "opencode:ses_small"].sort(),
  );
  assert.match((await home.run(["show", second])).stdout, /The other one/);
  const first = await home.succeed(["show", "opencode:ses_small"]);
  assert.doesNotMatch(first.stdout, /The other one/);
  const { stderr } = await home.run(["show", "ses_small"]);
  const advice = "give one of these references";
  const message = `matches 2 sessions: opencode:ses_small, ${second}; ${advice}`;
  assert.ok(stderr.includes(message), stderr);
  const told = await home.run(["show", `${paths[1]}~ses_smal`]);
  assert.deepEqual(told.status, 1, "a part of an id is a thread's, and there is none");
});

inHome.test("a session is deleted by the settings of its own root", async (home) => {
  const work = join(home.path, ".claude-work");
  const old = new Date(Date.now() - 6 * 86_400_000);
  for (const [index, root] of [join(home.path, ".claude"), work].entries()) {
    const sessionId = `${index}f2a91c0-2222-4333-8444-555555555555`;
    const path = join(root, "projects", "-w", `${sessionId}.jsonl`);
    Deno.mkdirSync(dirname(path), { recursive: true });
    const message = { role: "user", content: "x" };
    const record = { type: "user", uuid: "u1", sessionId, cwd: home.work, message };
    Deno.writeTextFileSync(path, `${JSON.stringify({ ...record, timestamp: old })}\n`);
    Deno.utimeSync(path, old, old);
  }
  Deno.writeTextFileSync(join(work, "settings.json"), '{"cleanupPeriodDays":7}');
  await home.run(["config", "set", "agents.claude.roots", work]);
  const { stderr } = await home.run(["list"]);
  assert.match(
    stderr,
    /claude will delete 1 of these sessions .*cleanupPeriodDays is 7 days in ~?.*work/,
  );
});
