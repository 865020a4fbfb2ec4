import assert from "node:assert/strict";
import type { SearchHit } from "../../lib/search/search_task.ts";
import { withoutCopies } from "../../lib/search/tiers.ts";

const TIME = Date.UTC(2026, 10, 21);

function hitOf(ref: string, agent: SearchHit["agent"], facts: Partial<SearchHit> = {}): SearchHit {
  const [, session_id = ref] = ref.split(":");
  const place = { ref, agent, session_id, seq: 3, role: "user", time: TIME, snippet: "a word" };
  return { score: 1, ...place, ...facts } as SearchHit;
}

function refs(hits: readonly SearchHit[]): string[] {
  return withoutCopies(hits).map(({ ref }) => ref);
}

Deno.test("withoutCopies keeps the hit of another agent, and leaves out its backup", () => {
  const [backup, original] = [hitOf("aaaa", "reprise"), hitOf("claude:bbbb", "claude")];
  assert.deepEqual(refs([backup, original]), ["claude:bbbb"]);
  assert.deepEqual(refs([original, backup]), ["claude:bbbb"]);
});

Deno.test("withoutCopies keeps hits that differ in role, text or time, and those without a time", () => {
  const first = hitOf("claude:aaaa", "claude");
  for (
    const facts of [
      ...[{ role: "assistant" }, { snippet: "a word more" }, { time: TIME + 1000 }] as const,
    ]
  ) {
    const other = hitOf("claude:bbbb", "claude", facts as Partial<SearchHit>);
    assert.deepEqual(refs([first, other]), ["claude:aaaa", "claude:bbbb"], JSON.stringify(facts));
  }
  const timeless = [first, hitOf("claude:bbbb", "claude")].map((hit) => ({ ...hit, time: NaN }));
  assert.equal(refs(timeless).length, 2);
});

Deno.test("withoutCopies compares whole seconds where one of two agents keeps these alone", () => {
  const whole = hitOf("claude:aaaa", "claude");
  const parts = [250, 750].map((ms, at) => hitOf(`pi:${at}`, "pi", { time: TIME + ms }));
  assert.deepEqual(refs([whole, ...parts.slice(0, 1)]), ["claude:aaaa"]);
  assert.deepEqual(refs(parts), ["pi:0", "pi:1"]);
});

Deno.test("withoutCopies leaves out a team's copy of a session that is here", () => {
  const own = hitOf("aaaa", "reprise");
  const copy = hitOf("team:ada/aaaa", "reprise", { session_id: "aaaa", snippet: "a [redacted]" });
  const later = { ...copy, seq: 4 };
  assert.deepEqual(refs([own, copy, later]), ["aaaa", "team:ada/aaaa"]);
});
