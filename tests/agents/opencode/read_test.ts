/** What a database of OpenCode shows that no case does: sums with forks, and the end of a long session. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { opencodeAgent, opencodeFormat } from "../../../lib/agents/opencode/opencode_agent.ts";
import type { LogEvent } from "../../../lib/core/event/envelope.ts";
import { onlySession, readAll, testAgentContract } from "../../_support/agent_contract.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { databaseOf, exported, forkOf } from "./_store.ts";

const small = exported("small");
const everything = exported("everything");
const compaction = exported("compaction");

testAgentContract("opencode in its database", {
  agent: opencodeAgent,
  format: opencodeFormat,
  files: { ".local/share/opencode/opencode.db": databaseOf(small, everything, compaction) },
  forks: {
    ".local/share/opencode/opencode.db": databaseOf(
      ...[small, everything, compaction].flatMap((session) => [session, forkOf(session)]),
    ),
  },
  ids: ["ses_small", "ses_everything", "ses_compaction"],
  cwd: "/home/ada/src/ledger",
  unit: "rows",
});

Deno.test("the last messages are read from the last rows, as is the row of a long session", async () => {
  const long = exported("small");
  const [prompt, answer] = long.messages;
  assert.ok(prompt !== undefined && answer !== undefined);
  long.messages = Array.from({ length: 60 }, (_, at) => {
    const id = String(at).padStart(2, "0");
    return [prompt, answer].map(({ info, parts }) => ({
      info: {
        ...info,
        id: `${info.id}_${id}`,
        parentID: `${prompt.info.id}_${id}`,
        time: { ...info.time, created: info.time.created + 10_000 * at },
      },
      parts: parts.map((part) => ({
        ...part,
        id: `${part.id}_${id}`,
        ...(part.type === "text" ? { text: `${at} ${"x".repeat(2000)}` } : {}),
      })),
    }));
  }).flat();
  await withDirectory(async (folder) => {
    const path = join(folder, "opencode.db");
    Deno.writeFileSync(path, databaseOf(long));
    const session = await onlySession(opencodeAgent, path);
    const { events } = await readAll(opencodeAgent, session);
    const end = await opencodeAgent.open(session).readTail({ messages: 2 });
    assert.ok(end.length > 0 && end.length < 10, `${end.length}`);
    const seen = (part: readonly LogEvent[]): unknown =>
      part.map((event) => event.form === "known" ? [event.source?.id, event.payload] : []);
    assert.deepEqual(seen(end), seen(events.slice(-end.length)));
    const row = await opencodeAgent.open(session).summarize();
    const exact = await opencodeAgent.open(session).summarize({ exact: true });
    assert.equal(row?.message_count, undefined);
    assert.equal(exact?.message_count, 120);
    assert.deepEqual(
      [row?.title, row?.last_user_message, row?.status, row?.updated_at],
      [exact?.title, exact?.last_user_message, exact?.status, exact?.updated_at],
    );
  });
});
