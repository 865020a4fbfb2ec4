import { eventually } from "../_support/eventually.ts";
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type { NewEvent } from "../../lib/event/envelope.ts";
import { jsonLines } from "../_support/cli.ts";
import { CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { assistant, toolStart, user } from "../_support/log_bytes.ts";
import { snapshot } from "../_support/store_snapshot.ts";
import { keepPiSession } from "./_pi_session.ts";
import { said } from "./_recorded.ts";
import { needing, UNIX } from "../_support/needing.ts";

const TALK: NewEvent[] = [user("Why?"), assistant("Because."), toolStart("c1")];
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\n$/;

inHome.test("fork prints the new id, and says on stderr where it was forked and how to go on", async (home) => {
  const kept = home.keep(sessionId("aaaa"), TALK);
  const before = snapshot(kept.directory);
  const { stdout, stderr } = await home.succeed(["fork", "aaaa#3"]);
  assert.match(stdout, ID);
  const id = stdout.trim();
  assert.equal(stderr, `Forked aaaa at event 3 of 4\nContinue it with: reprise resume ${id}\n`);
  assert.deepEqual(snapshot(kept.directory), before);
  const [verified, conversation] = await home.runAll([
    ["doctor", id],
    ["conversation", id],
  ]);
  assert.deepEqual([verified?.status, verified?.stderr], [0, ""]);
  const messages = JSON.parse(conversation?.stdout ?? "");
  assert.deepEqual(messages.map(({ content }: { content: unknown }) => content), [
    "Why?",
    "Because.",
  ]);
  const recorded = await home.run(["record", "--resume", id], { stdin: said("What else?") });
  assert.equal(jsonLines(recorded.stdout)[0]?.seq, 5);
});

inHome.test("fork --json is one object, with a title and a directory of its own", async (home) => {
  home.keep(sessionId("aaaa"), TALK);
  const args = ["fork", "aaaa", "--json", "--title", "Other way", "--cwd", ".."];
  const { stdout, stderr } = await home.succeed(args);
  assert.match(stderr, /^1 call had not ended at that event. The model is told$/m);
  const [made] = jsonLines(stdout);
  assert.deepEqual(made?.parent, { session_id: sessionId("aaaa"), seq: 4, reason: "fork" });
  const [row] = jsonLines((await home.run(["list", "--cwd", "..", "--json"])).stdout);
  assert.deepEqual([row?.session_id, row?.title, row?.cwd], [
    made?.session_id,
    "Other way",
    home.path,
  ]);
});

inHome.test("fork says what is wrong with what it was given", async (home) => {
  home.keep(sessionId("aaaa"), TALK);
  const { ref: foreign } = keepPiSession(home);
  const [none, absent, other, usage] = await home.runAll([
    ["fork", "aaaa#9"],
    ["fork", "bbbb"],
    ["fork", foreign],
    ["fork"],
  ]);
  assert.deepEqual([none?.status, none?.stdout], [1, ""]);
  assert.match(none?.stderr ?? "", /^reprise: Cannot find event 9 of .*: the last one is 4\n$/);
  assert.match(absent?.stderr ?? "", /^reprise: Cannot find session/);
  assert.match(
    other?.stderr ?? "",
    /^reprise: Cannot fork (pi:\S+): the session belongs to another agent\. Import it first: reprise import \1\n$/,
  );
  assert.equal(usage?.status, 2);
  assert.equal(
    jsonLines((await home.run(["list", "--agent", "reprise", "--all", "--json"])).stdout).length,
    1,
  );
});

inHome.test("a damaged session is forked as far as it can be read, and that is said", async (home) => {
  const kept = home.keep(sessionId("aaaa"), TALK);
  Deno.writeTextFileSync(kept.path, "noise\n", { append: true });
  const { stdout, stderr } = await home.succeed(["fork", "aaaa"]);
  assert.match(
    stderr,
    /^reprise: the log is damaged: 1 malformed-line; see: reprise doctor aaaa$/m,
  );
  const verified = await home.run(["doctor", stdout.trim()]);
  assert.doesNotMatch(verified.stdout, /malformed/);
});

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
    new RegExp(
      `stop that process first, or continue in a copy: reprise fork ${answer.session_id}\n$`,
    ),
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
