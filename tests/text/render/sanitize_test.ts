import { roundsOf } from "../../_support/few_rounds.ts";
import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import { sanitizeLine, sanitizeText } from "../../../lib/text/render/sanitize.ts";
import { isHarmless } from "./_harmless.ts";
import { codePoint } from "../../_support/code_point.ts";

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
  assert.equal(sanitizeLine("a\nb\tc"), "a␊b␉c");
  assert.equal(sanitizeLine("plain title"), "plain title");
});

Deno.test("whatever the text, what comes out is harmless and sanitizing it again changes nothing", () => {
  const nasty = fc.constantFrom(
    ..."\x1b \x9b \x90 \x07 \r \n \t \u202e \u200d \ufe0f \u{1f3f4} \u{e0061} \ud800 \udc00 ❤ a ["
      .split(" "),
  );
  const text = fc.oneof(
    fc.string({ unit: codePoint }),
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
    { seed: 7, numRuns: roundsOf(2_000) },
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
    const text = piece.repeat(50_000);
    const clean = sanitizeText(text);
    assert.ok(isHarmless(clean));
    assert.ok(clean.length >= 50_000);
  }
});

/** What the rules say, by properties of characters: slow, and without shortcuts. */
function byTheRules(text: string, keep_newlines: boolean): string {
  const entitled = [
    /\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]{0,2}\u200D(?=\p{Extended_Pictographic})/u,
    /\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,6}\u{E007F}/u,
    /(?<=(?!\p{Default_Ignorable_Code_Point})[\p{M}\p{Script=Arabic}])[\u200C\u200D]/u,
    /(?<!\p{Default_Ignorable_Code_Point})[\uFE00-\uFE0F]/u,
    /(?<=\p{Script=Han})[\u{E0100}-\u{E01EF}]/u,
  ].map(({ source }) => source).join("|");
  const suspect = /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\uFFF9-\uFFFB]/u.source;
  return text.replace(
    new RegExp(`(${entitled})|\\r\\n|${suspect}`, "gu"),
    (found, kept?: string) => {
      if (kept !== undefined) return kept;
      const character = found === "\r\n" ? "\n" : found;
      if (keep_newlines && /[\n\t]/.test(character)) return character;
      const code = character.codePointAt(0) ?? 0;
      if (code < 0x20) return String.fromCharCode(0x2400 + code);
      if (code === 0x7f) return "\u2421";
      if (code >= 0xd800 && code <= 0xdfff) return "\ufffd";
      return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
    },
  );
}

function assertByTheRules(text: string): void {
  assert.equal(sanitizeText(text), byTheRules(text, true), JSON.stringify(text));
  assert.equal(sanitizeLine(text), byTheRules(text, false), JSON.stringify(text));
}

Deno.test("every character alone is treated by the rules", () => {
  const wrong: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    // Few of the planes that have no character.
    if (code > 0x3ffff && code < 0xe0000 && code % 997 !== 0) continue;
    const text = String.fromCodePoint(code);
    const shown = sanitizeText(text) !== text;
    const invisible =
      /(?![\n\t])[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\uFFF9-\uFFFB]/u.test(
        text,
      ) &&
      !/[\ufe00-\ufe0f]/.test(text);
    if (shown !== invisible) wrong.push(code.toString(16));
  }
  assert.deepEqual(wrong, []);
});

Deno.test("any text is treated by the rules, whichever way is taken", () => {
  const piece = fc.constantFrom(
    ...["a", "é", "日", "م", "ی", "🙂", "👨", "🏽", "葛", "\u0301", "\u{1d11e}", "\u{1bc00}", " "],
    ...["\n", "\t", "\r\n", "\r", "\x1b", "\x7f", "\x85", "\xad", "\u200b", "\u202e", "\ufeff"],
    ...["\u200c", "\u200d", "\ufe0f", "\ufe00", "\u{e0100}", "\u{e0067}", "\u{e007f}", "\u{1f3f4}"],
    ...["\ud800", "\udc00", "\u2028", "\u3164", "\u{1bca0}", "\u{1d173}", "\ufff9", "\u180e"],
  );
  const harmless = fc.constantFrom("a", "é", "日", "🙂", "\n", "\x1b", "\r\n", "\xad", "\u202e");
  const text = fc.oneof(
    fc.array(harmless, { maxLength: 12 }).map((pieces) => pieces.join("")),
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
    fc.string({ unit: codePoint }),
  );
  fc.assert(fc.property(text, assertByTheRules), { seed: 8, numRuns: roundsOf(5_000) });
});
