import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { claudeAgent } from "../../../lib/agents/claude/claude_agent.ts";
import { sessionFiles } from "../../../lib/blame/files/session_files.ts";
import { SessionHandle } from "../../../lib/library/session_handle.ts";
import { needing, recorded } from "../../_support/needing.ts";
import { SAMPLES } from "../../_support/samples.ts";

const FOLDER = join(SAMPLES, "claude-code", "entireio__cli");

function samples(): string[] {
  try {
    return [...Deno.readDirSync(FOLDER)].map(({ name }) => join(FOLDER, name))
      .filter((path) => path.endsWith(".jsonl"));
  } catch {
    // NotFound: the test is skipped.
    return [];
  }
}

Deno.test({
  ...needing("files of recorded sessions are proven", recorded(samples().length > 0)),
  fn: async () => {
    let count = 0;
    let proven = 0;
    for (const path of samples()) {
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
  },
});
