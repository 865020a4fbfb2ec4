import assert from "node:assert/strict";
import { everyKind } from "../_support/every_kind.ts";
import { roundsOf } from "../_support/few_rounds.ts";
import { assertBytesAddUp, type Bytes, concat, logOf, readNow } from "../_support/log_bytes.ts";
import { type Random, randomBytes, seededRandom } from "./_random.ts";
import { assertLossIsReported, compare, original } from "./_untouched.ts";

const BLOCK = 512;
const events = [...everyKind(), ...everyKind()];
const log = original(logOf(events), events.length);

/**
 * The part of lines that may be lost though they are whole, for what came before them is glued to
 * them: noise that ends in `:`, `,` or `[`, or a tear where a value may follow. Blocks from elsewhere
 * bring later events with them, behind which salvage takes no earlier ones.
 */
const LOST_OF_JOINED: Record<string, number> = {
  zero: 0,
  random: 0.03,
  duplicate: 1,
  missing: 0.2,
  swap: 1,
};

/** A damaged log, and the ranges of the original that are not there any more. */
interface Fault {
  bytes: Bytes;
  hurt: [from: number, to: number][];
}

type MakeFault = (at: number, random: Random) => Fault;

/** The log with other bytes in place of the block at `at`. */
function overwritten(at: number, block: Uint8Array): Fault {
  const bytes = log.bytes.slice();
  bytes.set(block.subarray(0, bytes.length - at), at);
  return { bytes, hurt: [[at, at + block.length]] };
}

function blockAt(at: number): Bytes {
  return log.bytes.slice(at, at + BLOCK);
}

const FAULTS: Record<string, MakeFault> = {
  zero: (at) => overwritten(at, new Uint8Array(BLOCK)),
  random: (at, random) => overwritten(at, randomBytes(random, BLOCK)),
  duplicate: (at, random) => overwritten(at, blockAt(random(log.bytes.length - BLOCK))),
  missing: (at) => ({
    bytes: concat(log.bytes.subarray(0, at), log.bytes.subarray(at + BLOCK)),
    hurt: [[at, at + BLOCK]],
  }),
  swap: (at, random) => {
    const other = (at + BLOCK + random(log.bytes.length - 3 * BLOCK)) % (log.bytes.length - BLOCK);
    const { bytes } = overwritten(at, blockAt(other));
    bytes.set(blockAt(at), other);
    return { bytes, hurt: [[at, at + BLOCK], [other, other + BLOCK]] };
  },
};

/** Lines that a range overlaps, and lines whose newline before them it took. */
function linesIn(ranges: Fault["hurt"]): { touched: Set<number>; joined: Set<number> } {
  const touched = new Set<number>();
  const joined = new Set<number>();
  for (let line = 0; line < log.facts.length; line++) {
    const [start, end] = [log.starts[line] as number, log.starts[line + 1] as number];
    if (ranges.some(([from, to]) => from < end && to > start)) touched.add(line);
    else if (ranges.some(([from, to]) => from < start && to === start)) joined.add(line);
  }
  return { touched, joined };
}

/** Checks one fault; gives how many lines it joined to another, and how many of them are lost. */
function checkFault({ bytes, hurt }: Fault): { joined: number; lost: number } {
  const read = readNow(bytes);
  const { invented, lost } = compare(read, log);
  for (const event of invented) {
    // The head of one line and the end of another's checksum: without a payload, or of no kind.
    assert.deepEqual([event.integrity, event.form === "known"], ["unverified", false]);
  }
  assertBytesAddUp(read, bytes.length);
  const { touched, joined } = linesIn(hurt);
  assert.ok(lost.length === 0 || read.diagnostics.length > 0);
  for (const line of lost) assert.ok(touched.has(line) || joined.has(line), `line ${line} is lost`);
  return { joined: joined.size, lost: lost.filter((line) => joined.has(line)).length };
}

for (const [name, makeFault] of Object.entries(FAULTS)) {
  Deno.test(`P4 damage is local: a ${name} block costs only the events that it overlaps`, () => {
    const random = seededRandom(512);
    for (let turn = 0; turn < roundsOf(500); turn++) {
      checkFault(makeFault(random(log.bytes.length - BLOCK), random));
    }
  });

  Deno.test(`P4 damage is local: a ${name} block that ends with a line spares the next one`, () => {
    const random = seededRandom(513);
    const sum = { joined: 0, lost: 0 };
    for (let turn = 0; turn < 5; turn++) {
      for (const end of log.starts) {
        if (end < BLOCK || end === log.bytes.length) continue;
        const { joined, lost } = checkFault(makeFault(end - BLOCK, random));
        sum.joined += joined;
        sum.lost += lost;
      }
    }
    assert.ok(sum.joined >= 200, `${sum.joined} lines joined`);
    assert.ok(sum.lost <= (LOST_OF_JOINED[name] ?? 0) * sum.joined, JSON.stringify(sum));
  });
}

Deno.test("P4 damage is local: noise between lines costs nothing, inside a line that line", () => {
  const random = seededRandom(99);
  for (let turn = 0; turn < roundsOf(1500); turn++) {
    const at = turn % 2 === 0
      ? random(log.bytes.length)
      : log.starts[random(events.length)] as number;
    const noise = concat(randomBytes(random, random(300)), turn % 3 === 0 ? "\n" : ".");
    const bytes = concat(log.bytes.subarray(0, at), noise, log.bytes.subarray(at));
    const read = readNow(bytes);
    const { invented, lost } = compare(read, log);
    assert.deepEqual(invented, []);
    assertBytesAddUp(read, bytes.length);
    const between = log.starts.includes(at);
    assertLossIsReported(read, lost);
    assert.ok(lost.length <= (between ? 0 : 1), `noise at ${at}: ${lost} lost`);
    if (!between) assert.ok(lost.every((line) => (log.starts[line] ?? 0) < at));
  }
});
