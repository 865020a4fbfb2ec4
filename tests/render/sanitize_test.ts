import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import { sanitizeLine, sanitizeText } from "../../lib/render/sanitize.ts";
import { isHarmless } from "./_harmless.ts";

Deno.test("sanitizeText shows control characters and keeps the text around them", () => {
  const cases: [string, string][] = [
    ["a\x1b[31mb", "a␛[31mb"],
    ["a\0b\x07\x08\x0b\x0c", "a␀b␇␈␋␌"],
    ["a\x7fb", "a␡b"],
    ["a\x9b1mb\x85", "a<U+009B>1mb<U+0085>"],
    ["50%\r100%", "50%␍100%"],
    ["one\r\ntwo\n\tthree", "one\ntwo\n\tthree"],
    ["a\u202eb\u2066c\u200f\u061c", "a<U+202E>b<U+2066>c<U+200F><U+061C>"],
    ["a\u2028b\u2029", "a<U+2028>b<U+2029>"],
    ["\ufeffa\u200bb\u2060", "<U+FEFF>a<U+200B>b<U+2060>"],
    ["a\ud800b\udc00", "a\ufffdb\ufffd"],
    ["pay\u200cpal x\u200dy", "pay<U+200C>pal x<U+200D>y"],
    ["a\u{e0041}\u{e0042}", "a<U+E0041><U+E0042>"],
    ["a\ufe0f\ufe0f\ufe0e", "a\ufe0f<U+FE0F><U+FE0E>"],
  ];
  for (const [text, expected] of cases) assert.equal(sanitizeText(text), expected);
});

Deno.test("sanitizeText leaves emoji and scripts that need invisible characters alone", () => {
  const texts = [
    "👨‍👩‍👧 🏳️‍🌈 👩🏽‍💻 ❤️",
    "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "می‌خواهم",
    "葛\u{e0100}",
    "日本語 שלום é e\u0301",
  ];
  for (const text of texts) assert.equal(sanitizeText(text), text);
});

Deno.test("sanitizeLine shows line feeds and tabs too", () => {
  assert.equal(sanitizeLine("a\nb\r\nc\td"), "a␊b␊c␉d");
  assert.equal(sanitizeText("a\nb\tc", { keep_newlines: false }), "a␊b␉c");
  assert.equal(sanitizeLine("plain title"), "plain title");
});

Deno.test("whatever the text, what comes out is harmless and sanitizing it again changes nothing", () => {
  const nasty = fc.constantFrom(
    ..."\x1b \x9b \x90 \x07 \r \n \t \u202e \u200d \ufe0f \u{1f3f4} \u{e0061} \ud800 \udc00 ❤ a ["
      .split(" "),
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(nasty).map((pieces) => pieces.join("")),
  );
  fc.assert(
    fc.property(text, (input) => {
      const multi = sanitizeText(input);
      const single = sanitizeLine(input);
      assert.ok(isHarmless(multi), JSON.stringify(input));
      assert.ok(isHarmless(single) && !/[\n\t]/.test(single), JSON.stringify(input));
      assert.equal(sanitizeText(multi), multi);
      assert.ok(multi.isWellFormed());
    }),
    { seed: 7, numRuns: 2_000 },
  );
});

Deno.test("printable ASCII comes through unchanged", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme-ascii" }), (text) => {
      assert.equal(sanitizeText(text), text);
    }),
    { seed: 7 },
  );
});

Deno.test("a long hostile text is sanitized whole", () => {
  for (const piece of ["\x1b", "\u200d", "\ufe0f", "\u{1f3f4}\u{e0061}", "\r", "\ud800", "❤"]) {
    const text = piece.repeat(200_000);
    const clean = sanitizeText(text);
    assert.ok(isHarmless(clean));
    assert.ok(clean.length >= 200_000);
  }
});
