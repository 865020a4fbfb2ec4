import assert from "node:assert/strict";
import { CHECKSUM_BYTES } from "../../lib/core/event/checksum.ts";
import { isFault } from "../../lib/core/log/diagnostic.ts";
import { everyKind } from "../_support/every_kind.ts";
import {
  assertBytesAddUp,
  type Bytes,
  concat,
  logOf,
  plainLine,
  readNow,
  textBytes,
  user,
} from "../_support/log_bytes.ts";
import { ALL_TORTURE } from "../_support/torture.ts";
import {
  assertLossIsReported,
  compare,
  isTrusted,
  lineAt,
  type Original,
  original,
  placesIn,
} from "./_untouched.ts";

const LF = 0x0a;

/** Calls `check` with the log, one bit of it flipped, for every bit at {@linkcode placesIn}. */
function forEveryFlip(bytes: Bytes, check: (flipped: Bytes, at: number) => void): number {
  const flipped = bytes.slice();
  let flips = 0;
  for (const at of placesIn(bytes)) {
    for (let bit = 0; bit < 8; bit++) {
      flipped[at] = (bytes[at] as number) ^ (1 << bit);
      check(flipped, at);
      flips++;
    }
    flipped[at] = bytes[at] as number;
  }
  return flips;
}

// Slow: each kind of place of each kind of event has eight bits.
Deno.test("P2 nothing is silently altered: every single-bit flip costs at most its event, marked", () => {
  const events = everyKind();
  assert.equal(events.length, 24);
  // All lines are read for each flip: eight short logs take an eighth of one long log's time.
  for (let from = 0; from < events.length; from += 3) {
    assertEachMarked(original(logOf(events.slice(from, from + 3)), 3));
  }
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
    const isMarked = read.events.some((event) => !isTrusted(event));
    if ((lost.length > 0 || isMarked) && read.diagnostics.some(({ code }) => isFault(code))) {
      marked++;
    }
  });
  assert.ok(flips >= log.bytes.length * (ALL_TORTURE ? 8 : 1), `${flips} of ${log.bytes.length}`);
  assert.equal(lostByNewlines, 0);
  // Not one flip goes unseen: what is not lost is `mismatch` or `salvaged`.
  assert.equal(marked, flips);
}

Deno.test("P2 nothing is silently altered: a flip in a text and one in its checksum are seen", () => {
  const log = original(logOf(["one", "two", "three"].map(user)), 3);
  let reads = 0;
  for (const [line, start] of log.starts.slice(0, -1).entries()) {
    const end = (log.starts[line + 1] ?? 0) - 1;
    const checksum = end - CHECKSUM_BYTES;
    const text = log.bytes.subarray(0, checksum).lastIndexOf(0x3a);
    assert.ok(text > start);
    forEveryFlip(log.bytes.subarray(checksum, end), (flipped) => {
      const damaged = concat(log.bytes.subarray(0, checksum), flipped, log.bytes.subarray(end));
      for (let at = text + 2; at < checksum - 2; at++) {
        damaged[at] = (damaged[at] as number) ^ 1;
        const read = readNow(damaged);
        assert.deepEqual(compare(read, log).invented, [], `line ${line} byte ${at}`);
        assert.ok(read.diagnostics.some(({ code }) => isFault(code)), `line ${line} byte ${at}`);
        damaged[at] = (damaged[at] as number) ^ 1;
        reads++;
      }
    });
  }
  assert.ok(reads >= CHECKSUM_BYTES * "onetwothree".length * (ALL_TORTURE ? 8 : 1));
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
