import assert from "node:assert/strict";
import { everyKind } from "../_support/every_kind.ts";
import {
  assertBytesAddUp,
  type Bytes,
  codesOf,
  concat,
  factsOf,
  linesOf,
  logOf,
  plainLine,
  readEveryWay,
  readNow,
  textBytes,
  user,
} from "../_support/log_bytes.ts";
import { type Original, original, placesIn } from "./_untouched.ts";

const plainLog = textBytes([1, 2, 3, 4].map((seq) => plainLine(seq, `é"\\ ${seq}`)).join(""));

/** How many lines stand whole, with their newline or without it, in the first `size` bytes. */
function wholeLines({ starts }: Original, size: number): { lines: number; torn: number } {
  const lines = starts.filter((start) => start > 0 && start <= size).length;
  const bare = (starts[lines + 1] ?? Infinity) - 1;
  return size >= bare
    ? { lines: lines + 1, torn: 0 }
    : { lines, torn: size - (starts[lines] ?? 0) };
}

function assertTornOnly(log: Original, cut: Bytes): void {
  const { lines, torn } = wholeLines(log, cut.length);
  const read = readNow(cut);
  assert.deepEqual(read.events.map(factsOf), log.facts.slice(0, lines), `cut at ${cut.length}`);
  assert.deepEqual(codesOf(read), torn > 0 ? ["torn-tail"] : []);
  assert.equal(read.tally.damage, torn);
  assertBytesAddUp(read, cut.length);
}

/** Short logs: all of a log is read for each cut. */
const LOGS: Record<string, Original[]> = {
  "every kind": Map.groupBy(everyKind().entries(), ([index]) => Math.floor(index / 3)).values()
    .map((three) => original(logOf(three.map(([, event]) => event)), three.length)).toArray(),
  "no checksums": [original(plainLog, 4)],
};

for (const [name, logs] of Object.entries(LOGS)) {
  // Slow: a log of each kind is read for each kind of cut.
  Deno.test(`P4 damage is local: a log of ${name} cut at any byte keeps every whole line`, () => {
    for (const log of logs) {
      for (const size of [...placesIn(log.bytes), log.bytes.length]) {
        assertTornOnly(log, log.bytes.slice(0, size));
      }
    }
  });

  Deno.test(`P4 damage is local: a log of ${name} cut at any byte takes new lines, sealed or not`, () => {
    for (const log of logs) {
      const next = linesOf([user("after the crash")], log.facts.length + 1)[0] as Bytes;
      for (const size of [...placesIn(log.bytes), log.bytes.length]) {
        const cut = log.bytes.slice(0, size);
        const { lines, torn } = wholeLines(log, size);
        const sealed = readNow(concat(cut, "\n", next));
        assert.equal(sealed.events.length, lines + 1, `cut at ${size}`);
        assert.equal(sealed.events.at(-1)?.integrity, "verified");
        assert.equal(sealed.tally.damage, torn > 0 ? torn + 1 : 0);
      }
    }
  });

  Deno.test(`P3 bytes add up: a log of ${name} reads alike in any chunks, wherever it is cut`, async () => {
    for (const { bytes } of logs) {
      for (let size = 0; size <= bytes.length; size += 199) {
        await readEveryWay(bytes.slice(0, size));
      }
      await readEveryWay(bytes);
    }
  });
}
