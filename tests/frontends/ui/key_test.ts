import assert from "node:assert/strict";
import { type Key, KeyDecoder } from "../../../lib/frontends/ui/key.ts";

const encoder = new TextEncoder();

/** The keys of bytes that come in pieces of so many; flushed at the end. */
function keysOf(text: string, size = 1000): Key[] {
  const decoder = new KeyDecoder();
  const bytes = encoder.encode(text);
  const keys: Key[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    keys.push(...decoder.push(bytes.slice(at, at + size)));
  }
  return [...keys, ...decoder.flush()];
}

const CASES: [string, Key[]][] = [
  ["a", [{ text: "a", name: "a" }]],
  ["G", [{ text: "G", name: "g" }]],
  ["\r\n\t", [{ name: "return" }, { name: "enter" }, { name: "tab" }]],
  ["\x7f\b", [{ name: "backspace" }, { name: "backspace" }]],
  ["\x03", [{ name: "c", ctrl: true }]],
  ["\x1b[A\x1bOB", [{ name: "up" }, { name: "down" }]],
  ["\x1f", [{ name: "_", ctrl: true }]],
  ["\x1b[1;5C", [{ name: "right", ctrl: true }]],
  ["\x1b[Z", [{ name: "tab", shift: true }]],
  ["\x1b[5~\x1b[6;2~", [{ name: "pageup" }, { name: "pagedown", shift: true }]],
  ["\x1b[H\x1b[4~", [{ name: "home" }, { name: "end" }]],
  ["\x1b", [{ name: "escape" }]],
  ["\x1b\x1b[B", [{ name: "escape" }, { name: "down" }]],
  ["\x1bf", [{ text: "f", name: "f", meta: true }]],
  ["\x1b[<64;10;5M\x1b[<65;10;5M", [{ name: "wheelup" }, { name: "wheeldown" }]],
  // Buttons, and the wheel that turns to the side, are no keys.
  ["\x1b[<0;10;5M\x1b[<0;10;5m\x1b[<66;1;1Mx", [{ text: "x", name: "x" }]],
  ["日👍", [{ text: "日", name: "日" }, { text: "👍", name: "👍" }]],
  ["\x1b[200~a\nb\x1b[C\x1b[201~c", [{ name: "paste", text: "a\nb [C" }, { text: "c", name: "c" }]],
  // What a terminal answers to a question that nobody asked.
  ["\x1b[?1;2cq", [{ text: "q", name: "q" }]],
];

Deno.test("bytes are decoded to keys, in whatever pieces they come", () => {
  for (const [text, keys] of CASES) {
    for (const size of [1, 2, 3, 1000]) {
      assert.deepEqual(keysOf(text, size), keys, `${JSON.stringify(text)} ${size}`);
    }
  }
});

Deno.test("a lone escape waits for what may follow it, other keys do not", () => {
  const decoder = new KeyDecoder();
  assert.deepEqual(decoder.push(encoder.encode("\x1b")), []);
  assert.equal(decoder.waits, true);
  assert.deepEqual(decoder.push(encoder.encode("[A")), [{ name: "up" }]);
  assert.equal(decoder.waits, false);
  assert.deepEqual(decoder.push(encoder.encode("x")), [{ text: "x", name: "x" }]);
});
