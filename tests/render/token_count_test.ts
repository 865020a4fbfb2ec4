import assert from "node:assert/strict";
import { formatTokens } from "../../lib/render/token_count.ts";

Deno.test("formatTokens writes small numbers in full and large ones in thousands", () => {
  const cases: [number, string][] = [
    [0, "0"],
    [950, "950"],
    [1_000, "1.0k"],
    [12_345, "12.3k"],
    [123_456, "123k"],
    [1_234_567, "1.2M"],
  ];
  for (const [tokens, text] of cases) assert.equal(formatTokens(tokens), text);
});
