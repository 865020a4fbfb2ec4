import assert from "node:assert/strict";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { inHome, sessionId, testsAtHome } from "../_support/cli_home.ts";
import { assistant, toolEnd, toolStart, user } from "../_support/log_bytes.ts";
import { keepPiSession } from "./_pi_session.ts";
import { UNIX } from "../_support/needing.ts";

const onUnix = testsAtHome(UNIX);

const TALK: NewEvent[] = [
  user("Why?"),
  assistant("Let me look."),
  toolStart("c1"),
  toolEnd("c1", Array.from({ length: 60 }, (_, at) => `line ${at}`).join("\n")),
  assistant("Because."),
];

onUnix.test("show --follow prints what a recording process appends, until it is interrupted", async (home) => {
  const say = (content: string): string =>
    JSON.stringify({ kind: "user_message", payload: { content } }) + "\n";
  const recording = home.talk(["record"]);
  await recording.write(say("before"));
  const { session_id = "" } = JSON.parse(await recording.line() ?? "{}");
  const followers = [[], ["--json"], ["--events"], ["--last", "1"]].map((flags) =>
    home.talk(["show", session_id, "--follow", ...flags])
  );
  await Promise.all(followers.map((follower) => follower.until("before")));
  await recording.write(say("after"));
  await Promise.all(followers.map((follower) => follower.until("after")));
  // A call is shown when it has settled, or when the watcher has seen enough.
  await recording.write(
    JSON.stringify({
      kind: "assistant_message",
      payload: { content: [{ type: "tool_call", call_id: "c", name: "slow", input: {} }] },
    }) +
      "\n" + say("later"),
  );
  for (let at = 0; at < 3; at++) await recording.line();
  await followers[2]?.until("later");
  followers.forEach((follower) => follower.kill("SIGINT"));
  const results = await Promise.all(followers.map((follower) => follower.end()));
  assert.deepEqual(results.map(({ status, stderr }) => [status, stderr]), [
    [130, ""],
    [130, ""],
    [130, ""],
    [130, ""],
  ]);
  await recording.endInput();
  assert.equal((await recording.end()).status, 0);
});

onUnix.test("show --follow ends in 143 when it is terminated", async (home) => {
  home.keep(sessionId("aaaa"), TALK);
  const follower = home.start(["show", "aaaa", "--follow"]);
  await follower.until("Because.");
  follower.kill("SIGTERM");
  assert.equal((await follower.end()).status, 143);
});

inHome.test("another agent's session is shown by its reference or its file", async (home) => {
  const { ref, path } = keepPiSession(home);
  const [byRef, byPath] = await home.runAll([["show", ref], ["show", path]]);
  assert.deepEqual([byRef?.status, byRef?.stderr], [0, ""]);
  assert.match(byRef?.stdout ?? "", /Asked of pi/);
  assert.deepEqual(byPath, byRef);
});
