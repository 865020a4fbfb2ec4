import assert from "node:assert/strict";
import type { LogEvent } from "../../../../lib/core/event/envelope.ts";
import { readEvents } from "../../../../lib/core/log/read_events.ts";
import { conversation } from "../../../../lib/core/projection/conversation/conversation.ts";
import { foldEvents } from "../../../../lib/core/projection/projection.ts";
import { summary } from "../../../../lib/core/projection/summary.ts";
import { transcript } from "../../../../lib/core/projection/transcript/transcript.ts";
import type { TranscriptItem } from "../../../../lib/core/projection/transcript/item.ts";
import { EventDigest } from "../../../../lib/core/store/import/source_state.ts";
import { copySource } from "../../../../lib/core/store/import/source_copy.ts";
import { verifyLog } from "../../../../lib/core/store/verify_log.ts";
import { readAll } from "../../../_support/agent_contract.ts";
import { agentFiles } from "../../../_support/agent_files.ts";
import { withStore } from "../../../_support/temp_directory.ts";
import { ALL_TORTURE } from "../../../_support/torture.ts";

/** What a person saw of the talk, wherever it is kept: the head names its own session. */
function seen(events: readonly LogEvent[]): unknown[] {
  const items: TranscriptItem[] = [];
  const projection = transcript({ extensions: true });
  items.push(...foldEvents(projection, events));
  return items.filter(({ type }) => type !== "session")
    // A close stands behind the checkpoint, one further.
    .map(({ integrity: _, id = "", ...item }) => ({
      ...(item.type === "closed" ? { ...item, seq: 0 } : item),
      // A record without an id is named by its place in the file.
      id: /^\d+$/.test(id) ? "" : id,
    }));
}

async function eventsOf(path: string): Promise<LogEvent[]> {
  const events: LogEvent[] = [];
  for await (const batch of readEvents(path)) events.push(...batch);
  return events;
}

// Slow: sessions of every agent are imported.
Deno.test("every session of every agent says after its import what it said before", async () => {
  const counts = new Map<string, number>();
  await withStore(async (store) => {
    for await (const { agent, session } of agentFiles(ALL_TORTURE ? Infinity : 2)) {
      const where = `${agent.name}:${session.id} in ${session.path}`;
      const { events } = await readAll(agent, session);
      const { agent: name, id, path } = session;
      const digest = new EventDigest();
      const imported = await store.import({
        agent: name,
        id,
        path,
        ...(events[0]?.form === "known" && events[0].kind === "session_started" &&
            events[0].payload.cwd !== ""
          ? {}
          : { cwd: store.root }),
        events: agent.open(session).read(),
        digest,
        // What is read back is what was read, or this throws.
        async attach(directory): Promise<void> {
          const now = new Date();
          const manifest = await copySource(directory, { agent: name, id, files: [], digest, now });
          assert.equal(manifest.events.count, events.length - 1, where);
        },
      });
      const ours = await eventsOf(imported.path);
      assert.equal(ours.length, imported.events, where);
      assert.deepEqual(imported.alterations, { kept_raw: 0, too_large: 0, demoted: 0 }, where);
      const talk = conversation({ reasoning: "include" });
      assert.deepEqual(foldEvents(talk, ours), foldEvents(talk, events), where);
      assert.deepEqual(seen(ours), seen(events), where);
      const [was, is] = [foldEvents(summary(), events), foldEvents(summary(), ours)];
      for (
        const field of ["title", "usage", "models", "cost_usd", "closed"] as const
      ) {
        assert.deepEqual(is[field], was[field], `${field} of ${where}`);
      }
      // What has no time at all is of now.
      assert.equal(is.updated_at, was.updated_at ?? is.created_at, where);
      const wrong: string[] = [];
      await verifyLog(imported.path, ({ code }) => void wrong.push(code));
      const expected = ["orphan-settlement", "unsettled-call", "invalid-compaction"];
      assert.deepEqual(wrong.filter((code) => !expected.includes(code)), [], where);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  });
  assert.ok(
    [...counts.values()].reduce((sum, count) => sum + count, 0) > (ALL_TORTURE ? 50 : 30),
    `${[...counts]}`,
  );
  assert.ok(counts.size >= 8, `${[...counts]}`);
});
