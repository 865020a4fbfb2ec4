import assert from "node:assert/strict";
import { everyKind } from "../_support/every_kind.ts";
import {
  assertBytesAddUp,
  type Bytes,
  logOf,
  plainLine,
  readNow,
  textBytes,
} from "../_support/log_bytes.ts";
import { assertLossIsReported, compare, lineAt, type Original, original } from "./_untouched.ts";

const LF = 0x0a;

/** Calls `check` with the log, one bit of it flipped, for every bit. */
function forEveryFlip(bytes: Bytes, check: (flipped: Bytes, at: number) => void): number {
  const flipped = bytes.slice();
  let flips = 0;
  for (let at = 0; at < bytes.length; at++) {
    for (let bit = 1; bit < 256; bit <<= 1) {
      flipped[at] = (bytes[at] as number) ^ bit;
      check(flipped, at);
      flips++;
    }
    flipped[at] = bytes[at] as number;
  }
  return flips;
}

Deno.test("P2 nothing is silently altered: every single-bit flip costs at most its event, marked", () => {
  const events = everyKind();
  assert.equal(events.length, 21);
  // All lines are read for each flip: three short logs take a third of one long log's time.
  for (const from of [0, 7, 14]) assertEachMarked(original(logOf(events.slice(from, from + 7)), 7));
});

function assertEachMarked(log: Original): void {
  let marked = 0;
  let lostByNewlines = 0;
  const flips = forEveryFlip(log.bytes, (flipped, at) => {
    const read = readNow(flipped);
    const { invented, lost } = compare(read, log);
    assert.deepEqual(invented, [], `flip in byte ${at}`);
    assert.ok(lost.length <= 1 && (lost[0] ?? lineAt(log, at)) === lineAt(log, at), `byte ${at}`);
    assertLossIsReported(read, lost);
    assertBytesAddUp(read, log.bytes.length);
    if (log.bytes[at] === LF) lostByNewlines += lost.length;
    if (lost.length > 0 || !read.events.every((event) => event.integrity === "verified")) marked++;
  });
  assert.equal(flips, log.bytes.length * 8);
  assert.equal(lostByNewlines, 0);
  // Not one flip goes unseen: what is not lost is `mismatch`, `unverified` or `salvaged`.
  assert.equal(marked, flips);
}

Deno.test("P2 nothing is silently altered: what a flip leaves trusted is what was written", () => {
  const log = original(logOf(everyKind()), 21);
  let unverified = 0;
  forEveryFlip(log.bytes, (flipped, at) => {
    // The checksum's own bytes alone can be hurt without hurting the event.
    if ((log.starts[lineAt(log, at) + 1] ?? 0) - at > 20) return;
    const read = readNow(flipped);
    assert.deepEqual(compare(read, log).invented, []);
    unverified += read.events.filter((event) => event.integrity === "unverified").length;
  });
  assert.ok(unverified > 500, `${unverified} events lost their checksum alone`);
});

Deno.test("P4 damage is local: a flip in a log without checksums costs at most its own line", () => {
  const lines = Array.from({ length: 8 }, (_, index) => plainLine(index + 1, `é ${index}`));
  const log = original(textBytes(lines.join("")), 8);
  forEveryFlip(log.bytes, (flipped, at) => {
    const read = readNow(flipped);
    const hurt = lineAt(log, at);
    const allowed = log.bytes[at] === LF ? [hurt, hurt + 1] : [hurt];
    for (const line of compare(read, log).lost) assert.ok(allowed.includes(line), `byte ${at}`);
    assertBytesAddUp(read, log.bytes.length);
  });
});
