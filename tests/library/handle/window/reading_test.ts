import assert from "node:assert/strict";
import { join } from "node:path";
import type { LogEvent } from "../../../../lib/core/event/envelope.ts";
import { openLibrary } from "../../../../lib/library/library.ts";
import { WINDOW_KINDS } from "../../../../lib/library/catalogue/fold_items.ts";
import type { ReadPlace, SessionReading } from "../../../../lib/agents/contract/session_reading.ts";
import { makeAgentLog } from "../../../bench/agent_logs.ts";
import { inDirectory } from "../../../_support/temp_directory.ts";

const NAMES = {
  claude: "01a1ffd4-8013-43b1-89e7-822b38eb0000.jsonl",
  codex: "rollout-2026-11-01T08-00-00-01a1ffd4-8013-43b1-89e7-822b38eb0000.jsonl",
  pi: "2026-11-01T08-00-00-000Z_01a1ffd4-8013-43b1-89e7-822b38eb0000.jsonl",
} as const;

function home(name: string): string | undefined {
  return name === "HOME" ? "/nowhere" : undefined;
}

async function eventsFrom(
  reading: SessionReading,
  place?: ReadPlace,
): Promise<{ events: LogEvent[]; places: ReadPlace[] }> {
  const [events, places]: [LogEvent[], ReadPlace[]] = [[], []];
  for await (const batch of reading.from(place)) {
    events.push(...batch.events);
    if (batch.place !== undefined) places.push(batch.place);
  }
  return { events, places };
}

for (const agent of ["claude", "codex", "pi"] as const) {
  inDirectory.test(`a reading of ${agent} gives the same events from each of its places`, async (directory) => {
    const path = join(directory, NAMES[agent]);
    makeAgentLog(agent, path, 1_600_000);
    const session = await openLibrary({ variable: home }).open(path);
    const options = { needs: WINDOW_KINDS };
    const whole: LogEvent[] = [];
    for await (const events of session.events(options)) whole.push(...events);
    const reading = await session.openReading(options);
    assert.ok(reading !== undefined);
    const { events, places } = await eventsFrom(reading);
    assert.deepEqual(events, whole);
    assert.ok(places.length > 4, `${places.length}`);
    for (const place of places) {
      const rest = await eventsFrom(reading, place);
      assert.deepEqual(rest.events, whole.filter(({ seq }) => seq > place.seq));
    }
  });
}
