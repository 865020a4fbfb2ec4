import assert from "node:assert/strict";
import { rowOf } from "../../../lib/frontends/acp/open_sessions.ts";
import type { SessionUpdate } from "../../../lib/frontends/acp/protocol.ts";
import { replay } from "../../../lib/frontends/acp/replay.ts";
import { openLibrary } from "../../../lib/library/library.ts";
import { contentBlocks } from "../../../lib/frontends/acp/content_blocks.ts";
import { transcript } from "../../../lib/core/projection/transcript/transcript.ts";
import type { TranscriptItem } from "../../../lib/core/projection/transcript/item.ts";
import { listed } from "../../_support/listed.ts";
import { furnishEditorHome } from "../../_support/acp_home.ts";
import { furnishAgents } from "../../_support/agent_homes.ts";
import { inHome } from "../../_support/cli_home.ts";
import type { SessionHandle } from "../../../lib/library/handle/session_handle.ts";

const STATES: Readonly<Record<string, string>> = { ok: "completed" };

/** Lists the speakers and the status of calls, in order. */
function inTranscript(items: readonly TranscriptItem[]): string[] {
  return items.flatMap((item) => {
    switch (item.type) {
      case "message":
        return contentBlocks(item.content).map(() => `${item.role} ${item.seq}`);
      case "reasoning":
        return [`thought ${item.seq}`];
      case "tool":
      case "bash":
        return [`${STATES[item.status] ?? "failed"} ${item.seq}:${item.call_id}`];
      default:
        return [];
    }
  });
}

const SPEAKERS: Readonly<Record<string, string>> = {
  user_message_chunk: "user",
  agent_message_chunk: "assistant",
  agent_thought_chunk: "thought",
};

function inReplay(updates: readonly SessionUpdate[]): string[] {
  return updates.flatMap((update) => {
    const { sessionUpdate } = update;
    if (sessionUpdate === "tool_call") {
      return update.toolCallId.endsWith(":diff")
        ? []
        : [`${update.status} ${update.toolCallId.slice(1)}`];
    }
    if (!("messageId" in update) || isRemark(update)) return [];
    return [`${SPEAKERS[sessionUpdate]} ${update.messageId?.slice(1)}`];
  });
}

/** True for a line that stands for what is no message, such as a compaction or a notice. */
function isRemark(update: SessionUpdate): boolean {
  const { content } = update as { content?: { text?: string } };
  return /^\[[\w ,]+\] /.test(content?.text ?? "");
}

async function itemsOf(session: SessionHandle): Promise<readonly TranscriptItem[]> {
  const shown = transcript();
  let state = shown.initial();
  const items: TranscriptItem[] = [];
  for await (const events of session.events({ needs: shown.needs })) {
    for (const event of events) state = shown.apply(state, event);
    items.push(...shown.take(state));
  }
  return [...items, ...shown.result(state)];
}

inHome.test("a replay tells each message, thought and call of a transcript once", async (home) => {
  furnishAgents(home);
  furnishEditorHome(home);
  const variable = (name: string): string | undefined => name === "HOME" ? home.path : undefined;
  const library = openLibrary({ root: home.store, variable, cwd: home.work });
  const rows = await listed(library);
  const agents = new Set(rows.map(({ agent }) => agent));
  // With recorded samples there are more.
  for (const agent of ["claude", "codex", "pi", "reprise"]) assert.ok(agents.has(agent), agent);
  for (const { ref } of rows) {
    const session = await library.open(ref);
    const row = await rowOf(library, session);
    const updates: SessionUpdate[] = [];
    for await (const some of replay(session, { row, limit: 1e9, cwd: "/" })) updates.push(...some);
    const items = await itemsOf(session);
    assert.deepEqual(inReplay(updates), inTranscript(items), ref);
    const calls = updates.filter(({ sessionUpdate }) => sessionUpdate === "tool_call");
    const ids = calls.map((update) => "toolCallId" in update ? update.toolCallId : "");
    assert.equal(new Set(ids).size, ids.length, `${ref}: an id of a call is its own`);
  }
});
