import { ALL_TORTURE } from "../_support/torture.ts";
import assert from "node:assert/strict";
import { everyKind } from "../_support/every_kind.ts";
import {
  assertBytesAddUp,
  type Bytes,
  concat,
  factsOf,
  logOf,
  plainLine,
  type Read,
  readEveryWay,
  readNow,
  textBytes,
} from "../_support/log_bytes.ts";
import type { DiagnosticCode } from "../../lib/core/log/diagnostic.ts";
import { mutate, MUTATIONS } from "./_mutations.ts";
import { seededRandom } from "./_random.ts";

const SEED = 20261121;
const CASES = ALL_TORTURE ? 20_000 : 1000;

const whole = logOf(everyKind());
const corpus: Bytes[] = [
  whole,
  whole.slice(0, 1500),
  whole.slice(2000, 3500),
  textBytes([1, 2, 3, 4, 5].map((seq) => plainLine(seq)).join("")),
  concat("\ufeff", plainLine(1).replace("\n", "\r\n"), logOf(everyKind().slice(2, 5), 2)),
];

/** What a checksum of the corpus stands for. */
const written = new Set(corpus.flatMap((bytes) => readNow(bytes).events).map(factsOf));

/** Reads the mutants of the corpus; a failure names its case. */
function forEveryMutant(cases: number, check: (bytes: Bytes, read: Read) => void): void {
  const random = seededRandom(SEED);
  for (let turn = 0; turn < cases; turn++) {
    const { bytes, names } = mutate(corpus[turn % corpus.length] as Bytes, random);
    try {
      check(bytes, readNow(bytes));
    } catch (error) {
      throw new Error(`Case ${turn} of seed ${SEED}: ${names.join(", ")}`, { cause: error });
    }
  }
}

/** All that hangs on the prototypes that a line could reach. */
function prototypes(): unknown[] {
  return [Object.prototype, Array.prototype, String.prototype, Number.prototype]
    .map((prototype) => Object.getOwnPropertyDescriptors(prototype));
}

// Slow: the mutants must reach every finding of the reader.
Deno.test(`P2 nothing is altered, P3 bytes add up, P5 nothing is thrown: ${CASES} mutants`, () => {
  const before = prototypes();
  const codes = new Set<DiagnosticCode>();
  const marks = new Map<string, number>();
  forEveryMutant(CASES, (bytes, read) => {
    assertBytesAddUp(read, bytes.length);
    const offsets = read.diagnostics.map((diagnostic) => diagnostic.offset);
    assert.ok(offsets.every((offset, index) => offset >= (offsets[index - 1] ?? 0)));
    for (const { code } of read.diagnostics) codes.add(code);
    const trusted = read.events.filter((event) => event.integrity === "verified");
    for (const event of trusted) assert.ok(written.has(factsOf(event)), factsOf(event));
    for (const { integrity } of read.events) marks.set(integrity, (marks.get(integrity) ?? 0) + 1);
  });
  assert.deepEqual(prototypes(), before);
  // The mutants reach every finding of these stages (a line over 64 MiB is not among them), and
  // most events are read all the same.
  assert.deepEqual([...codes].sort(), [
    "checksum-mismatch",
    "glued-line",
    "invalid-payload",
    "invalid-utf8",
    "malformed-line",
    "nul-run",
    "seq-gap",
    "seq-repeat",
    "too-deep",
    "torn-tail",
    "unknown-kind",
    "unsupported-version",
  ]);
  assert.ok((marks.get("verified") ?? 0) > 4 * CASES, JSON.stringify([...marks]));
  assert.ok((marks.get("salvaged") ?? 0) > CASES / 20, JSON.stringify([...marks]));
});

// Slow: mutants are read one byte at a time.
Deno.test("P3 bytes add up: one mutation of each sort, in chunks of any size", async () => {
  const random = seededRandom(SEED);
  // One byte at a time, long logs take long: in the usual run, a piece of one and lines without checksums.
  const logs = ALL_TORTURE ? corpus.slice(0, 4) : [1, 3].map((index) => corpus[index] as Bytes);
  for (const mutation of Object.values(MUTATIONS)) {
    for (const bytes of logs) await readEveryWay(mutation(bytes, random));
  }
});

Deno.test("P2 nothing is invented: a mutant without its kinds reads the same", () => {
  const outline = ({ events, diagnostics, tally }: Read): unknown => [
    events.map(({ seq, kind, integrity }) => [seq, kind, integrity]),
    diagnostics.filter(({ code }) => code !== "invalid-payload"),
    tally,
  ];
  forEveryMutant(CASES / 10, (bytes, read) => {
    assert.deepEqual(outline(readNow(bytes, new Set(["diff"]))), outline(read));
  });
});
