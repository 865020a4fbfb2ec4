import assert from "node:assert/strict";
import type { SearchHit } from "../../../lib/library/search/search_task.ts";
import { withoutCopies } from "../../../lib/library/search/copies.ts";

const TIME = Date.UTC(2026, 10, 21);

function hitOf(ref: string, facts: Partial<SearchHit> = {}): SearchHit {
  const agent = ref.includes(":") ? "claude" : "reprise";
  const text = { seq: 3, role: "user", time: TIME, snippet: "a word" } as const;
  return { ref, agent, session_id: "aaaa", score: 1, ...text, ...facts } as SearchHit;
}

Deno.test("withoutCopies keeps the hit of a session, and leaves out those of its copies", () => {
  const original = hitOf("claude:aaaa");
  const team = hitOf("team:ada/aaaa", { snippet: "a [redacted]" });
  const cases: [name: string, hits: SearchHit[], kept: number[]][] = [
    ["a backup behind its session", [original, hitOf("bbbb")], [0]],
    ["a backup before its session", [hitOf("bbbb"), original], [1]],
    ["two copies", [original, hitOf("claude:b"), hitOf("claude:c")], [0]],
    ["another role", [original, hitOf("claude:b", { role: "assistant" })], [0, 1]],
    ["another text", [original, hitOf("claude:b", { snippet: "two words" })], [0, 1]],
    ["another second", [original, hitOf("claude:b", { time: TIME + 1000 })], [0, 1]],
    ["a whole second", [original, hitOf("claude:b", { time: TIME + 250 })], [0]],
    ["parts of a second", [250, 750].map((ms) => hitOf(`pi:${ms}`, { time: TIME + ms })), [0, 1]],
    ["no time", ["pi:a", "pi:b"].map((ref) => hitOf(ref, { time: NaN })), [0, 1]],
    ["a team's copy", [hitOf("aaaa"), team, { ...team, seq: 4 }], [0, 2]],
  ];
  for (const [name, hits, kept] of cases) {
    assert.deepEqual(withoutCopies(hits), kept.map((at) => hits[at]), name);
  }
});
