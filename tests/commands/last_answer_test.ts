import assert from "node:assert/strict";
import { jsonLines } from "../_support/cli.ts";
import { inHome, sessionId } from "../_support/cli_home.ts";
import { assistant, toolEnd, toolStart, user } from "../_support/log_bytes.ts";
import { answerInPi, keepPiSession } from "./_pi_session.ts";

const TALK = [
  user("Why?"),
  assistant("Let me look."),
  toolStart("c1"),
  toolEnd("c1", "line"),
  assistant("Because.\n\n    of tabs"),
  user("And now?"),
  assistant("Nothing."),
];

inHome.test("show --last counts messages and calls, not the tokens below them", async (home) => {
  home.keep(sessionId("aaaa"), [...TALK, {
    kind: "session_closed",
    payload: { status: "completed" },
  }]);
  const [text, json] = await home.runAll([
    ["show", "aaaa", "--last", "1"],
    ["show", "aaaa", "--last", "1", "--json"],
  ]);
  assert.match(text?.stdout ?? "", /^assistant #8 .*\nNothing\.\n[^]*Session completed/);
  assert.deepEqual(jsonLines(json?.stdout ?? "").map(({ type }) => type), ["message", "closed"]);
});

inHome.test("show --last counts no line of tokens", async (home) => {
  const { ref, path } = keepPiSession(home);
  answerInPi(path, 20);
  const { stdout } = await home.run(["show", ref, "--last", "1"]);
  assert.match(stdout, /^assistant .*\nAnswered by pi\n\n.*20 in.*1 out/);
});

inHome.test("show --answer prints the text of one answer alone", async (home) => {
  home.keep(sessionId("aaaa"), TALK);
  home.keep(sessionId("bbbb"), [user("Anyone?")]);
  const { ref, path } = keepPiSession(home);
  answerInPi(path, 20);
  const cases: [string[], number, string, RegExp][] = [
    [["aaaa"], 0, "Nothing.\n", /^$/],
    [["aaaa#2"], 0, "Because.\n\n    of tabs\n", /^$/],
    [["aaaa#3"], 0, "Because.\n\n    of tabs\n", /^$/],
    [["bbbb"], 1, "", /^reprise: Session bbbb\S* has no answer with text\n/],
    [["aaaa#99"], 1, "", /^reprise: Cannot find event "aaaa\S*#99": the last event is 8\n/],
    [["aaaa", "--json"], 2, "", /^reprise: --answer cannot be used with --json\n/],
    [["aaaa", "--max-chars", "900"], 2, "", /--max-chars <count> cannot be used with --answer/],
  ];
  const results = await home.runAll([[ref], ...cases.map(([args]) => args)].map((args) => [
    ...["show", ...args],
    "--answer",
  ]));
  assert.equal(results[0]?.stdout, "Answered by pi\n");
  for (const [index, [args, status, stdout, stderr]] of cases.entries()) {
    const printed = results[index + 1];
    assert.deepEqual([printed?.status, printed?.stdout], [status, stdout], args.join(" "));
    assert.match(printed?.stderr ?? "", stderr);
  }
});
