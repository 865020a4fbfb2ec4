/** What `resume` reads and prints of long sessions. */
import assert from "node:assert/strict";
import type { NewEvent } from "../../lib/event/envelope.ts";
import { cliCommand, cliEnvironment } from "../_support/cli.ts";
import { CliHome, type KeptSession, sessionId } from "../_support/cli_home.ts";
import { linesOf, user } from "../_support/log_bytes.ts";
import { HAS_STRACE, runTraced } from "../_support/strace.ts";
import { answerInPi, keepPiSession } from "./_pi_session.ts";

const MIB = 1024 * 1024;
/** Larger than what is read of a long log. */
const LONG_BYTES = 48 * MIB;
/** What may be read of it: the end that is searched for the branch, and a little for the rest. */
const MOST_READ = 20 * MIB;

/** Keeps a long log of one turn, which begins and ends with some events. */
function keepLong(
  home: CliHome,
  last: readonly NewEvent[],
  first: readonly NewEvent[] = [],
): KeptSession {
  const kept = home.keep(sessionId("aaaa"), first);
  using file = Deno.openSync(kept.path, { append: true });
  const text = "A line of a long answer.\n".repeat(4000);
  const answer = (at: number): NewEvent => ({
    kind: "assistant_message",
    turn_id: "t1",
    payload: { content: text, message_id: `m${at}`, usage: { input: 10, output: 1 } },
  });
  const write = (events: readonly NewEvent[], from: number): number => {
    const lines = linesOf(events, from);
    for (const line of lines) {
      for (let at = 0; at < line.length;) at += file.writeSync(line.subarray(at));
    }
    return lines.reduce((sum, { length }) => sum + length, 0);
  };
  let seq = 2 + first.length;
  for (let size = write([user("begin")], seq++); size < LONG_BYTES;) {
    size += write([answer(seq)], seq++);
  }
  write(last, seq);
  return kept;
}

/** Resumes a session, of whose file little may be read; gives what it prints. */
async function resumeReading(home: CliHome, ref: string, path: string): Promise<string> {
  const { status, stdout, stderr, calls } = await runTraced(
    ["-P", path, "-e", "trace=read,pread64,readv,preadv,mmap"],
    [...cliCommand(), "resume", ref],
    { env: cliEnvironment({ home: home.path }), cwd: home.work },
  );
  assert.deepEqual([status, stderr], [0, ""]);
  const read = calls.map((call) => Number(/= (\d+)$/.exec(call)?.[1] ?? 0));
  const total = read.reduce((sum, bytes) => sum + bytes, 0);
  assert.ok(total > 500 && total < MOST_READ, `${total} bytes were read`);
  return stdout;
}

Deno.test("P7 resume of another agent's long session reads its end alone", {
  ignore: !HAS_STRACE,
}, async () => {
  await using home = new CliHome();
  const { ref, path } = keepPiSession(home, "1111aaaa", "A long text.\n".repeat(3_000_000));
  answerInPi(path, 7);
  const timestamp = "2026-11-21T20:02:00.000Z";
  const records = Array.from({ length: 12 }, (_, at) => ({
    ...{ type: "message", id: `d${at}`, parentId: at === 0 ? "b1" : `d${at - 1}`, timestamp },
    message: { role: "user", content: [{ type: "text", text: `asked ${at}` }] },
  }));
  const lines = records.map((record) => JSON.stringify(record) + "\n").join("");
  await Deno.writeTextFile(path, lines, { append: true });
  const stdout = await resumeReading(home, ref, path);
  assert.match(stdout, /asked 4\n/);
  assert.match(stdout, /asked 11\n/);
  assert.doesNotMatch(stdout, /asked 3\n/);
  assert.match(stdout, /\n {2}pi --session /);
});

Deno.test("P7 resume of a long log reads its end alone", { ignore: !HAS_STRACE }, async () => {
  await using home = new CliHome();
  const snapshot: NewEvent = {
    kind: "workspace_snapshot",
    payload: { root: home.work, git_branch: "topic" },
  };
  const { path } = keepLong(home, [
    snapshot,
    ...Array.from({ length: 12 }, (_, at): NewEvent => ({
      kind: "assistant_message",
      turn_id: "t1",
      payload: { content: `answer ${at}`, message_id: `last ${at}` },
    })),
  ]);
  for (const ref of ["aaaa", path]) {
    const stdout = await resumeReading(home, ref, path);
    assert.match(stdout, /\nanswer 11\n/);
    assert.match(stdout, /\nanswer 4\n/);
    assert.doesNotMatch(stdout, /answer 3\n/);
    assert.match(stdout, /\nBranch {4}topic\n/);
    assert.match(
      stdout,
      /\nTokens {4}not counted: the session has [\d.]+ MB; see: reprise stats --by session\n/,
    );
  }
});

Deno.test("resume of a long log tells what its checkpoint and its end tell, and nothing else", async () => {
  await using home = new CliHome();
  keepLong(home, [
    {
      kind: "session_checkpoint",
      payload: {
        through_seq: 1,
        archived: false,
        message_count: 480,
        turn_count: 1,
        usage: { input: 1200, output: 34 },
        models: [],
        first_user_message: "begin",
        cost_usd: 0.5,
      },
    },
    user("and on"),
  ], [{ kind: "workspace_snapshot", payload: { root: home.work, git_branch: "topic" } }]);
  const { status, stdout } = await home.run(["resume", "aaaa"]);
  assert.equal(status, 0);
  assert.match(stdout, /and on/);
  assert.match(stdout, /\nTitle {5}begin\n/);
  assert.match(stdout, /\nStatus {4}interrupted, 481 messages\n/);
  assert.match(stdout, /\nTokens {4}1.2k in, 34 out, \$0.50\n/);
  // The branch may have changed since.
  assert.doesNotMatch(stdout, /\nBranch/);
});
