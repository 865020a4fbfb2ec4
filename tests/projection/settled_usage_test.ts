import assert from "node:assert/strict";
import { settledUsage } from "../../lib/projection/settled_usage.ts";

Deno.test("an input that includes what came from the cache is told by its log's age and maker", () => {
  const old = { input: 100, output: 5, cache_read: 64 };
  assert.deepEqual(settledUsage(old, { provider: "openai" }), { ...old, input: 36 });
  assert.deepEqual(settledUsage(old, {}), { ...old, input: 36 });
  for (const maker of [{ provider: "anthropic" }, { model: "claude-sonnet-4-5" }]) {
    assert.equal(settledUsage(old, maker), old);
  }
});

Deno.test("a usage of today is as it is", () => {
  const usages = [
    { input: 100, cache_read: 64, cache_write: 0 },
    { input: 10, cache_read: 64 },
    { input: 10, output: 3 },
    { cache_read: 0, input: 3 },
    {},
  ];
  for (const usage of usages) assert.equal(settledUsage(usage, { provider: "openai" }), usage);
});
