import assert from "node:assert/strict";
import { secretOf, wordsOf } from "../../../../lib/features/backup/machines/pairing_words.ts";

Deno.test("pairing words give their secret back, in any case and spacing", () => {
  for (let round = 0; round < 100; round++) {
    const secret = crypto.getRandomValues(new Uint8Array(16));
    const words = wordsOf(secret);
    assert.match(words, /^(?:[a-z]{5} ){8}[a-z]{5}$/);
    assert.deepEqual(secretOf(words), secret);
    assert.deepEqual(secretOf(` ${words.toUpperCase().replaceAll(" ", "-\n")}\n`), secret);
  }
});

Deno.test("pairing words say which word is wrong", () => {
  const words = wordsOf(new Uint8Array(16).fill(7));
  const list = words.split(" ");
  const failing = [
    [words.slice(6), /9 words are needed, not 8/],
    [["hello", ...list.slice(1)].join(" "), /word 1 is not one of/],
    [["babad", ...list.slice(1)].join(" "), /mistyped/],
    ["", /9 words are needed, not 0/],
  ] as const;
  for (const [text, message] of failing) {
    assert.throws(() => secretOf(text), { code: "invalid-key", message });
  }
});
