/** Forks of what is written, and forks that are interrupted; `fork.txt` proves the others. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { openLocalStore } from "../../lib/core/store/open_store.ts";
import { inHome, sessionId, testsAtHome } from "../_support/cli_home.ts";
import { eventually } from "../_support/eventually.ts";
import { user } from "../_support/log_bytes.ts";
import { UNIX } from "../_support/needing.ts";
import { said } from "./_recorded.ts";

inHome.test("suggests a fork for a session that may not be written", async (home) => {
  await using writer = openLocalStore({ root: home.store }).create({ cwd: home.work });
  await writer.append(user("Hello"));
  const resume = (id: string) => home.run(["record", "--resume", id], { stdin: said("x") });
  const refused = await resume(writer.id);
  assert.equal(refused.status, 1);
  const advice = `To continue in a copy instead: reprise fork ${writer.id}\n`;
  assert.ok(refused.stderr.endsWith(advice), refused.stderr);
  const forked = await home.succeed(["fork", writer.id]);
  const recorded = await resume(forked.stdout.trim());
  assert.equal(recorded.status, 0, recorded.stderr);
  await writer.finish();
});

testsAtHome(UNIX).test(
  "a fork that is interrupted leaves nothing, and its status says so",
  async (home) => {
    const text = "word ".repeat(20_000);
    home.keep(sessionId("aaaa"), Array.from({ length: 60 }, () => user(text)));
    const sessions = join(home.store, "sessions");
    const [namespace] = Deno.readDirSync(sessions);
    const names = (): string[] =>
      [...Deno.readDirSync(join(sessions, namespace?.name ?? ""))].map(({ name }) => name).sort();
    let cancelled = false;
    // On a busy machine the program may be done before the signal reaches it.
    for (let attempt = 0; attempt < 8 && !cancelled; attempt++) {
      const before = names();
      const running = home.talk(["fork", "aaaa"]);
      const ended = running.end();
      await eventually(() => names().length > before.length);
      running.kill("SIGINT");
      const { status, stdout } = await ended;
      cancelled = status === 130;
      if (cancelled) assert.deepEqual([stdout, names()], ["", before]);
    }
    assert.ok(cancelled);
    await home.succeed(["fork", "aaaa"]);
  },
);
