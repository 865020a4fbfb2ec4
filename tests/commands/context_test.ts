import assert from "node:assert/strict";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { inHome, sessionId } from "../_support/cli_home.ts";
import { assistant, user } from "../_support/log_bytes.ts";
import { readPage, talkAbout } from "../frontends/mcp/_history.ts";

inHome.test("read_session gives an agent the sizes, and what was dropped last", async (home) => {
  const compacted: NewEvent = {
    kind: "compaction_applied",
    payload: { status: "", summary: "They looked.", trigger: "auto" },
  };
  home.keep(sessionId("aaaa"), [
    ...[user("find the zebrafish"), assistant("It is in the pond."), compacted],
    ...[user("now the heron"), compacted, user("go on")],
  ]);
  await using talk = await talkAbout(home);
  const sizes = readPage(await talk.call("read_session", { ref: "aaaa", what: "context" }));
  assert.match(sizes.text, /The model's context has 2 messages/);
  const dropped = readPage(await talk.call("read_session", { ref: "aaaa", what: "dropped" }));
  // The first line names the session by its title.
  assert.deepEqual(dropped.text.trimEnd().split("\n").slice(1), ["[user #5] now the heron"]);
});
