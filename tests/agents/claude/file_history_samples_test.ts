import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { claudeAgent } from "../../../lib/agents/claude/claude_agent.ts";
import { sessionFiles } from "../../../lib/features/blame/files/session_files.ts";
import { SessionHandle } from "../../../lib/library/handle/session_handle.ts";
import { recordingsBelow, SAMPLES, testRecorded } from "../../_support/samples.ts";

const FOLDER = join(SAMPLES, "claude-code", "entireio__cli");

testRecorded("files of recorded sessions are proven", FOLDER, async () => {
  let count = 0;
  let proven = 0;
  for (const path of recordingsBelow(FOLDER)) {
    const session = { agent: "claude", id: basename(path, ".jsonl"), path } as const;
    const { files } = await sessionFiles(new SessionHandle(claudeAgent.open(session), undefined));
    for (const { path: name, state, first } of files) {
      count++;
      // Their diffs show tabs as spaces, and their edits tell the file before.
      assert.equal(first.grade, "proven", `${path}: ${name}`);
      // Some were formatted by a command.
      const is_known = state.grade === "proven" || state.doubt === "command";
      assert.ok(is_known, `${path}: ${name}: ${state.doubt}`);
      if (state.grade === "proven") proven++;
    }
  }
  assert.ok(count > 10 && proven > count / 2, `${proven} of ${count}`);
});
