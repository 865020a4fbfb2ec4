import assert from "node:assert/strict";
import { crc32 } from "node:zlib";
import {
  type CopyState,
  evidenceFor,
  growthOf,
  MARK_BYTES,
} from "../../../lib/features/backup/growth_rule.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";

function copyOf(bytes: Uint8Array, seen = 1000): CopyState {
  const mark = crc32(bytes.subarray(Math.max(0, bytes.length - MARK_BYTES)));
  return { bytes: bytes.length, crc: crc32(bytes), mark, mtime: 1, ctime: 1, ino: 7, seen };
}

const same = { mtime: 1, ctime: 1, ino: 7 };

function decide(copy: CopyState, bytes: Uint8Array, state = same, thorough = false): string {
  const source = { size: bytes.length, ...state };
  const evidence = evidenceFor(copy, source, thorough);
  const from = evidence === "mark" ? Math.max(0, copy.bytes - MARK_BYTES) : 0;
  const found = evidence === "none" ? undefined : crc32(bytes.subarray(from, copy.bytes));
  return growthOf(copy, source, evidence, found);
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

Deno.test("new bytes are added, and an untouched source is not read", () => {
  const kept = text("one\ntwo\n");
  assert.equal(decide(copyOf(kept), text("one\ntwo\nthree\n")), "grown");
  assert.equal(evidenceFor(copyOf(kept), { size: kept.length, ...same }), "none");
  assert.equal(decide(copyOf(kept), kept), "same");
  assert.equal(decide(copyOf(new Uint8Array()), text("first")), "grown");
});

Deno.test("a source that shrank, or says something else, begins a generation", () => {
  const copy = copyOf(text("one\ntwo\n"));
  assert.equal(decide(copy, text("one\n")), "shrank");
  assert.equal(decide(copy, text("one\nTWO\nthree\n")), "rewritten");
  assert.equal(decide(copy, text("ONE\ntwo\n"), { ...same, mtime: 2, ctime: 2 }), "rewritten");
  // An empty file holds nothing that could be lost.
  assert.equal(decide(copy, new Uint8Array()), "same");
});

Deno.test("a file in the place of another is compared whole; so is one that is looked at again", () => {
  const [kept, changed] = alike(300_000);
  // Its last 64 bytes are the same.
  assert.equal(decide(copyOf(kept), changed), "grown");
  assert.equal(decide(copyOf(kept), changed, { ...same, ino: 8 }), "rewritten");
  assert.equal(decide(copyOf(kept), changed, same, true), "rewritten");
  const source = { size: changed.length, ...same };
  assert.equal(evidenceFor(copyOf(kept), source, "changed"), "whole");
  assert.equal(evidenceFor(copyOf(kept), { ...source, size: kept.length }, "changed"), "none");
});

Deno.test("a short copy is compared whole before anything is added to it", () => {
  const [kept, changed] = alike(100);
  assert.equal(decide(copyOf(kept), changed), "rewritten");
});

/** Two texts that differ at their beginning, and in what the second one adds. */
function alike(length: number): [Uint8Array, Uint8Array] {
  const end = "x".repeat(length);
  return [text(`early ${end}`), text(`EARLY ${end} and more`)];
}

Deno.test("a change within a tick of the clock is not taken for none", () => {
  const kept = text("one\n");
  const recent = { ...same, mtime: 990, ctime: 990 };
  const copy = { ...copyOf(kept, 1000), mtime: 990, ctime: 990 };
  assert.equal(evidenceFor(copy, { size: kept.length, ...recent }), "whole");
  assert.equal(decide(copy, text("ONE\n"), recent), "rewritten");
});

Deno.test("property: a decision by all bytes keeps each state of a source, or its beginning", () => {
  const random = mulberry32(20261123);
  const below = (limit: number): number => Math.floor(random() * limit);
  let bytes: Uint8Array = new Uint8Array();
  let kept: Uint8Array = new Uint8Array();
  const generations: Uint8Array[] = [];
  const seen = { grown: 0, same: 0, shrank: 0, rewritten: 0 };
  for (let round = 0; round < 3000; round++) {
    const what = below(5);
    const state = { mtime: round + 2, ctime: round + 2, ino: 7 };
    if (what <= 1) bytes = Uint8Array.from([...bytes, ...randomBytes(below(90))]);
    else if (what === 2) bytes = bytes.slice(0, below(bytes.length + 1));
    else if (what === 3 && bytes.length > 0) {
      bytes = bytes.slice();
      bytes[below(bytes.length)] = below(256);
    } else if (what === 4) bytes = randomBytes(below(200));
    const growth = decide(copyOf(kept), bytes, state, true) as keyof typeof seen;
    seen[growth]++;
    if (growth === "shrank" || growth === "rewritten") generations.push(kept);
    if (growth !== "same") kept = bytes;
    // What is kept is the source, but for an empty one.
    if (bytes.length > 0) assert.deepEqual(kept, bytes);
    if (bytes.length > 400) bytes = bytes.slice(0, 10);
  }
  assert.ok(Object.values(seen).every((count) => count > 50), JSON.stringify(seen));
  assert.ok(generations.length > 100);

  function randomBytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => below(256));
  }
});
