import assert from "node:assert/strict";
import { type CutLines, LineCutter } from "../../../../lib/features/team/push/line_cutter.ts";
import { mulberry32 } from "../../../_support/mulberry32.ts";

const LIMIT = 64;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

type Random = () => number;

function upTo(random: Random, most: number): number {
  return Math.floor(random() * (most + 1));
}

/** Lines of many lengths, some beyond the limit; the last may be torn. */
function randomLines(random: Random): Uint8Array {
  let text = "";
  for (let count = upTo(random, 12); count > 0; count--) {
    const length = random() < 0.2 ? upTo(random, 4 * LIMIT) : upTo(random, LIMIT / 2);
    text += "x".repeat(length) + "\n";
  }
  return encoder.encode(random() < 0.5 ? text : text + "y".repeat(upTo(random, 2 * LIMIT)));
}

function inChunks(random: Random, bytes: Uint8Array): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + upTo(random, random() < 0.5 ? 3 : 2 * LIMIT);
    chunks.push(bytes.subarray(at, end));
    at = end;
  }
  return chunks;
}

function cut(chunks: readonly Uint8Array[], off = 0): CutLines[] {
  const cutter = new LineCutter(off, LIMIT);
  const found = chunks.flatMap((chunk) => [...cutter.push(chunk)]);
  const rest = cutter.end();
  return rest === undefined ? found : [...found, rest];
}

function texts(parts: readonly CutLines[]): string[] {
  return parts.map(({ bytes }) => decoder.decode(bytes));
}

Deno.test("the same bytes give the same parts in any chunks", () => {
  const random = mulberry32(1);
  for (let round = 0; round < 500; round++) {
    const bytes = randomLines(random);
    assert.deepEqual(texts(cut(inChunks(random, bytes))), texts(cut([bytes])));
  }
});

Deno.test("parts are all whole lines in their order, and nothing behind the last newline", () => {
  const random = mulberry32(2);
  for (let round = 0; round < 500; round++) {
    const bytes = randomLines(random);
    const parts = cut(inChunks(random, bytes));
    const whole = decoder.decode(bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1));
    assert.equal(texts(parts).join(""), whole);
    let at = 0;
    for (const { off, bytes } of parts) {
      assert.equal(off, at);
      at += bytes.length;
    }
  }
});

Deno.test("a part is as long as whole lines allow, and only one line may be longer", () => {
  const random = mulberry32(3);
  for (let round = 0; round < 500; round++) {
    const found = texts(cut([randomLines(random)]));
    for (const [index, text] of found.entries()) {
      if (text.length > LIMIT) assert.equal(text.split("\n").length, 2);
      const next = found[index + 1]?.split("\n")[0];
      if (next !== undefined) assert.ok(text.length + next.length + 1 > LIMIT);
    }
  }
});

Deno.test("parts from before a growth stay, and new bytes are cut behind them", () => {
  const random = mulberry32(4);
  for (let round = 0; round < 500; round++) {
    const bytes = randomLines(random);
    const before = cut([bytes.subarray(0, upTo(random, bytes.length))]);
    const end = before.reduce((sum, { bytes }) => sum + bytes.length, 0);
    const after = cut([bytes.subarray(end)], end);
    assert.equal(texts([...before, ...after]).join(""), texts(cut([bytes])).join(""));
    assert.equal(after[0]?.off ?? end, end);
  }
});
