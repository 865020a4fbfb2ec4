import assert from "node:assert/strict";
import { LineLimit } from "../../lib/acp/client_streams.ts";

/** Passes a text through the limit in pieces. */
function passed(text: string, size: number): string {
  const limit = new LineLimit(8);
  const bytes = new TextEncoder().encode(text);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    parts.push(...limit.take(bytes.subarray(at, at + size)));
  }
  return parts.map((part) => new TextDecoder().decode(part)).join("");
}

Deno.test("lines that fit are passed on as they are, however they come", () => {
  const text = "\n1234567\n\n12\nrest";
  for (let size = 1; size <= text.length; size++) assert.equal(passed(text, size), text);
});

Deno.test("a line that is too long is cut, is no JSON, and hides no other", () => {
  const text = `{}\n"${"x".repeat(30)}"\n[]\n`;
  for (let size = 1; size <= text.length; size++) {
    const lines = passed(text, size).split("\n");
    assert.deepEqual([lines.length, lines[0], lines[2], lines[3]], [4, "{}", "[]", ""]);
    assert.ok((lines[1] ?? "").length <= 9);
    assert.throws(() => JSON.parse(lines[1] ?? ""), SyntaxError);
  }
});
