import assert from "node:assert/strict";
import {
  cutChunk,
  type CutStringsOptions,
  startCutter,
} from "../../../lib/features/repair/cut_strings.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The text that is left of a JSON text, given in chunks of a size. */
function cut(
  json: string,
  options: CutStringsOptions,
  size: number,
): { text: string; cut: number } {
  const cutter = startCutter(options);
  const bytes = encoder.encode(json);
  let text = "";
  for (let at = 0; at < bytes.length; at += size) {
    text += decoder.decode(cutChunk(cutter, bytes.subarray(at, at + size)), { stream: true });
  }
  return { text: text + decoder.decode(), cut: cutter.cut };
}

const OUTPUTS: CutStringsOptions = {
  limitOf: ({ path, seen }) =>
    path === "message.content[].text" && seen.get("message.role") === "tool" ? 120 : undefined,
  note: (bytes) => `\n[${bytes} cut]`,
};

Deno.test("strings are cut by their path and by what stands before them, in chunks of any size", () => {
  const long = "x".repeat(1000);
  const message = { role: "tool", content: [{ text: long }, { text: "short" }], text: long };
  const json = JSON.stringify({ a: [[long]], message, content: long });
  for (const size of [1, 7, 64, 1e6]) {
    const { text, cut: count } = cut(json, OUTPUTS, size);
    const value = JSON.parse(text);
    const kept = value.message.content[0].text;
    assert.match(kept, /^x{50,}\n\[\d+ cut\]$/);
    assert.ok(encoder.encode(JSON.stringify(kept)).length - 2 <= 120);
    value.message.content[0].text = long;
    assert.equal(JSON.stringify(value), json);
    assert.equal(count, 1);
    assert.deepEqual(cut(text, OUTPUTS, size), { text, cut: 0 });
  }
  const user = json.replace('"tool"', '"user"');
  assert.deepEqual(cut(user, OUTPUTS, 64), { text: user, cut: 0 });
});

Deno.test("no character and no escape is cut in two", () => {
  for (const word of ["\u00e9", "\u{1f600}", "\\ud83d\\ude00", "\\n", '\\"', "\\u0001", "ab\\\\"]) {
    for (let lead = 0; lead < 14; lead++) {
      const text = "y".repeat(lead) + word.repeat(200);
      const json = `{"message":{"role":"tool","content":[{"text":"${text}"}]}}`;
      const whole: string = JSON.parse(json).message.content[0].text;
      const left: string = JSON.parse(cut(json, OUTPUTS, 5).text).message.content[0].text;
      const kept = left.replace(/\n\[\d+ cut\]$/, "");
      assert.ok(whole.startsWith(kept), `${word} ${lead}: ${kept}`);
      assert.equal(kept.isWellFormed(), true);
      assert.ok(kept.length > 10 && kept.length < left.length);
    }
  }
});

Deno.test("a string that just fits stays whole", () => {
  for (const length of [90, 100, 105, 119, 120, 121]) {
    const json = `{"message":{"role":"tool","content":[{"text":"${"z".repeat(length)}"}]}}`;
    assert.equal(cut(json, OUTPUTS, 3).cut, length > 120 ? 1 : 0, `${length}`);
  }
});

Deno.test("bytes that are no JSON pass through", () => {
  for (const text of ["", "}}]]", "{{{{", '"\\', "[[[[,,,,", 'x"y"z', "\u0000{"]) {
    assert.deepEqual(cut(text, OUTPUTS, 2), { text, cut: 0 });
  }
});
