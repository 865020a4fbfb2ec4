import assert from "node:assert/strict";
import type { NewEvent } from "../../lib/event/envelope.ts";
import { jsonLines } from "../_support/cli.ts";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { assistant, toolEnd, toolStart, user } from "../_support/log_bytes.ts";
import { readPage, talkAbout } from "../mcp/_history.ts";
import { testsWith } from "../_support/tests_in.ts";

const inCompactedHome = testsWith(compactedHome);

function compaction(summary: string): NewEvent {
  return { kind: "compaction_applied", payload: { status: "", summary, trigger: "auto" } };
}

/** A session of which two compactions took a word each. */
function compactedHome(): CliHome {
  const home = new CliHome();
  home.keep(sessionId("aaaa"), [
    user("find the zebrafish"),
    toolStart("c1", { path: "src/pond.ts" }),
    toolEnd("c1", "a fish in line 3"),
    assistant("It is in the pond."),
    compaction("They looked for a fish."),
    user("now the heron"),
    compaction("They looked for animals."),
    user("go on"),
  ]);
  home.keep(sessionId("bbbb"), [user("nothing yet")]);
  return home;
}

inCompactedHome.test("context tells what the model has, and each time that something was dropped", async (home) => {
  const { status, stdout, stderr } = await home.run(["context", "aaaa"]);
  assert.deepEqual([status, stderr], [0, ""]);
  assert.match(stdout, /^The model's context has 2 messages, about \d+ tokens$/m);
  assert.match(stdout, /^ +1 +#6 .*compaction, auto +3 /m);
  assert.match(stdout, /^ +2 +#8 .*compaction, auto +2 /m);
  assert.match(stdout, /reprise context aaaa0000 --dropped 2$/m);
  const none = await home.run(["context", "bbbb"]);
  assert.match(none.stdout, /^Nothing was dropped$/m);
});

inCompactedHome.test("context --dropped prints what was dropped there, and nothing else", async (home) => {
  const [first, last, items] = await home.runAll([
    ["context", "aaaa", "--dropped", "1"],
    ["context", "aaaa", "--dropped"],
    ["context", "aaaa", "--dropped", "1", "--json"],
  ]);
  assert.match(first?.stdout ?? "", /zebrafish[^]*a fish in line 3[^]*in the pond/);
  assert.doesNotMatch(first?.stdout ?? "", /heron|go on/);
  assert.match(last?.stdout ?? "", /heron/);
  assert.doesNotMatch(last?.stdout ?? "", /zebrafish/);
  assert.deepEqual(jsonLines(items?.stdout ?? "").map(({ type }) => type), [
    "message",
    "tool",
    "message",
  ]);
});

inCompactedHome.test("context --give is a prompt that says that nothing in it is a request", async (home) => {
  const { stdout } = await home.run(["context", "aaaa", "--give", "1"]);
  assert.match(stdout, /^The messages below are from earlier[^]*not a new request\.\n\n/);
  assert.match(stdout, /<earlier-conversation session="[^"]*aaaa[^"]*" events="2-5">\n/);
  assert.match(stdout, /zebrafish[^]*<\/earlier-conversation>\n$/);
});

inCompactedHome.test("a number that is not there is refused, and told which there are", async (home) => {
  const [beyond, nothing, wrong] = await home.runAll([
    ["context", "aaaa", "--dropped", "9"],
    ["context", "bbbb", "--dropped"],
    ["context", "aaaa", "--dropped", "x"],
  ]);
  assert.equal(beyond?.status, 1);
  assert.match(beyond?.stderr ?? "", /there is no part 9; the dropped parts are numbered 1 to 2/);
  assert.equal(nothing?.status, 1);
  assert.match(nothing?.stderr ?? "", /nothing was dropped from this session's conversation/);
  assert.equal(wrong?.status, 2);
});

inCompactedHome.test("read_session gives an agent the sizes, and what was dropped last", async (home) => {
  await using talk = await talkAbout(home);
  const sizes = readPage(await talk.call("read_session", { ref: "aaaa", what: "context" }));
  assert.match(sizes.text, /The model's context has 2 messages/);
  const dropped = readPage(await talk.call("read_session", { ref: "aaaa", what: "dropped" }));
  // The first line names the session by its title.
  assert.deepEqual(dropped.text.trimEnd().split("\n").slice(1), ["[user #7] now the heron"]);
});
