import { eventually } from "../_support/eventually.ts";
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { jsonLines } from "../_support/cli.ts";
import { CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { assistant, toolStart, user } from "../_support/log_bytes.ts";
import { said } from "./_recorded.ts";
import { needing, UNIX } from "../_support/needing.ts";

const TALK: NewEvent[] = [user("Why?"), assistant("Because."), toolStart("c1")];

inHome.test("a repaired copy is taken back into the store by a fork of its path", async (home) => {
  const kept = home.keep(sessionId("aaaa"), TALK);
  const copy = join(home.work, "clean.jsonl");
  Deno.copyFileSync(kept.path, copy);
  Deno.removeSync(dirname(kept.path), { recursive: true });
  const { stdout } = await home.run(["fork", "./clean.jsonl"]);
  const [row] = jsonLines((await home.run(["list", "--json"])).stdout);
  assert.deepEqual([row?.session_id, row?.title], [stdout.trim(), "Why?"]);
});

inHome.test("suggests a fork for a session that may not be written", async (home) => {
  const writer = home.talk(["record"]);
  await writer.write(said("Hello"));
  const answer = JSON.parse(await writer.line() ?? "");
  const refused = await home.run(["record", "--resume", answer.session_id], { stdin: said("x") });
  assert.equal(refused.status, 1);
  assert.match(
    refused.stderr,
    new RegExp(`To continue in a copy instead: reprise fork ${answer.session_id}\n$`),
  );
  const forked = await home.run(["fork", answer.session_id]);
  assert.equal(forked.status, 0, forked.stderr);
  const recorded = await home.run(["record", "--resume", forked.stdout.trim()], {
    stdin: said("x"),
  });
  assert.equal(recorded.status, 0, recorded.stderr);
  await writer.endInput();
  assert.equal((await writer.end()).status, 0);
});

Deno.test(
  needing("a fork that is interrupted leaves nothing, and its status says so", UNIX),
  async () => {
    await using home = new CliHome();
    const text = "word ".repeat(20_000);
    home.keep(sessionId("aaaa"), Array.from({ length: 60 }, () => user(text)));
    const [namespace = ""] = [...Deno.readDirSync(join(home.store, "sessions"))]
      .map(({ name }) => join(home.store, "sessions", name));
    const names = (): string[] => [...Deno.readDirSync(namespace)].map(({ name }) => name);
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
      if (!cancelled) continue;
      assert.equal(stdout, "");
      assert.deepEqual(names().toSorted(), before.toSorted());
    }
    assert.ok(cancelled);
    assert.equal((await home.run(["fork", "aaaa"])).status, 0);
  },
);
