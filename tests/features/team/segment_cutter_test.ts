import assert from "node:assert/strict";
import { join } from "node:path";
import { LocalLog } from "../../../lib/features/team/local_log.ts";
import {
  type CutLines,
  logSegments,
  SegmentCutter,
} from "../../../lib/features/team/segment_cutter.ts";
import { roundsOf } from "../../_support/few_rounds.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

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
  const cutter = new SegmentCutter(off, LIMIT);
  const found = chunks.flatMap((chunk) => [...cutter.push(chunk)]);
  const rest = cutter.end();
  return rest === undefined ? found : [...found, rest];
}

function texts(segments: readonly CutLines[]): string[] {
  return segments.map(({ bytes }) => decoder.decode(bytes));
}

Deno.test("the same bytes give the same segments in any chunks", () => {
  const random = mulberry32(1);
  for (let round = 0; round < 500; round++) {
    const bytes = randomLines(random);
    assert.deepEqual(texts(cut(inChunks(random, bytes))), texts(cut([bytes])));
  }
});

Deno.test("segments are all whole lines in their order, and nothing behind the last newline", () => {
  const random = mulberry32(2);
  for (let round = 0; round < 500; round++) {
    const bytes = randomLines(random);
    const segments = cut(inChunks(random, bytes));
    const whole = decoder.decode(bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1));
    assert.equal(texts(segments).join(""), whole);
    let at = 0;
    for (const { off, bytes } of segments) {
      assert.equal(off, at);
      at += bytes.length;
    }
  }
});

Deno.test("a segment is as long as whole lines allow, and only one line may be longer", () => {
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

Deno.test("segments from before a growth stay, and new bytes are cut behind them", () => {
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

inDirectory.test("a log's segments are those of a cutter, wherever reading begins", (folder) => {
  const random = mulberry32(5);
  const buffer = new Uint8Array(LIMIT);
  for (let round = 0; round < roundsOf(200); round++) {
    const bytes = randomLines(random);
    const path = join(folder, "log");
    Deno.writeFileSync(path, bytes);
    using log = new LocalLog(path);
    const all = [0, ...cut([bytes]).map(({ off, bytes }) => off + bytes.length)];
    for (const from of all) {
      const read = [...logSegments(log, from, buffer)].map((
        { off, bytes },
      ) => [off, bytes.length]);
      const expected = cut([bytes.subarray(from)], from);
      assert.deepEqual(read, expected.map(({ off, bytes }) => [off, bytes.length]));
    }
    let text = "";
    for (const { bytes } of logSegments(log, 0, buffer)) text += decoder.decode(bytes);
    assert.equal(text, texts(cut([bytes])).join(""));
  }
});
