import assert from "node:assert/strict";
import { usageOf as piUsage } from "../../../../lib/agents/pi/assistant_events.ts";
import { promptUsage } from "../../../../lib/agents/engine/events/prompt_usage.ts";
import { usageOf as qwenUsage } from "../../../../lib/agents/qwen/chat_record.ts";

Deno.test("P13 promptUsage tells each token once, and nothing where nothing was counted", () => {
  assert.deepEqual(
    promptUsage({ prompt: 100, output: 5, cache_read: 60, cache_write: 30, reasoning: 2 }),
    { input: 10, output: 5, cache_read: 60, cache_write: 30, reasoning: 2 },
  );
  assert.deepEqual(promptUsage({ prompt: 100, output: 5 }), { input: 100, output: 5 });
  assert.deepEqual(promptUsage({ prompt: undefined, output: 5, cache_read: 3 }), {
    output: 5,
    cache_read: 3,
    cache_write: 0,
  });
  assert.equal(promptUsage({ prompt: undefined, output: undefined }), undefined);
});

Deno.test("promptUsage leaves a prompt that cannot hold what came from the cache as it is", () => {
  assert.deepEqual(promptUsage({ prompt: 10, output: 5, cache_read: 60 }), {
    input: 10,
    output: 5,
    cache_read: 60,
    cache_write: 0,
  });
});

Deno.test("Qwen Code's thoughts count as output once, whoever counted them", () => {
  const counts = { promptTokenCount: 100, candidatesTokenCount: 20, thoughtsTokenCount: 5 };
  const of = (totalTokenCount?: number): number | undefined =>
    qwenUsage({ usageMetadata: { ...counts, totalTokenCount } })?.output;
  assert.deepEqual([of(120), of(125), of()], [20, 25, 20]);
});

Deno.test("pi tells input and cache apart itself", () => {
  const { usage } = piUsage({ input: 10, output: 4, cacheRead: 100, cacheWrite: 3 });
  assert.deepEqual(usage, { input: 10, output: 4, cache_read: 100, cache_write: 3 });
});
