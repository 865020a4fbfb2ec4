import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import { type BackwardOptions, linesFromEnd } from "../../../lib/core/log/backward_reader.ts";
import {
  type Line,
  splitChunk,
  splitRest,
  startSplit,
} from "../../../lib/core/log/line_splitter.ts";
import { readAt } from "../../../lib/core/log/read_whole.ts";
import { logOf, textBytes, user } from "../../_support/log_bytes.ts";
import { testsWith } from "../../_support/tests_in.ts";

const inTempFile = testsWith(tempFile);

const BLOCKS = [1, 2, 7, 64, 1_000_000];

/** A temporary file, open to read and write; gone when disposed of. */
async function tempFile(): Promise<Deno.FsFile> {
  const path = await Deno.makeTempFile();
  const file = await Deno.open(path, { read: true, write: true });
  await Deno.remove(path);
  return file;
}

async function fill(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  await file.truncate(0);
  await file.seek(0, Deno.SeekMode.Start);
  for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
}

/** Lines as plain values, without their numbers. */
function plain(lines: readonly Line[]): unknown[] {
  return lines.map(({ bytes, line: _line, ...place }) => ({ text: [...bytes].join(), ...place }));
}

function forward(bytes: Uint8Array, limit?: number): Line[] {
  const state = startSplit(limit);
  const lines = splitChunk(state, bytes);
  const rest = splitRest(state);
  return rest === undefined ? lines : [...lines, rest];
}

async function backward(file: Deno.FsFile, options: BackwardOptions): Promise<Line[]> {
  return (await Array.fromAsync(linesFromEnd(file, options))).flat();
}

inTempFile.test("linesFromEnd gives the lines of a read from the start, reversed", async (file) => {
  const units = fc.constantFrom("\n", "\n", "\r\n", "\ufeff", "a", "é", "\0", "x".repeat(90));
  await fc.assert(
    fc.asyncProperty(fc.array(units, { maxLength: 30 }), async (parts) => {
      const bytes = textBytes(parts.join(""));
      await fill(file, bytes);
      for (const max_line_bytes of [80, 1000]) {
        const expected = plain(forward(bytes, max_line_bytes)).reverse();
        for (const block_bytes of BLOCKS) {
          const lines = await backward(file, { block_bytes, max_line_bytes });
          assert.deepEqual(plain(lines), expected);
          assert.ok(lines.every((line) => line.line === 0));
        }
      }
    }),
    { seed: 5, numRuns: 60 },
  );
});

inTempFile.test("linesFromEnd reads a whole log from its end", async (file) => {
  const bytes = logOf(Array.from({ length: 50 }, (_, index) => user("é".repeat(index))));
  await fill(file, bytes);
  for (const block_bytes of [7, 64, 1000]) {
    const lines = await backward(file, { block_bytes });
    assert.equal(lines.length, 50);
    assert.deepEqual(plain(lines), plain(forward(bytes)).reverse());
  }
});

inTempFile.test("linesFromEnd reads up to the byte that it is told", async (file) => {
  const bytes = textBytes("one\ntwo\nthree\n");
  await fill(file, bytes);
  for (let to = 0; to <= bytes.length; to++) {
    for (const block_bytes of [1, 3, 64]) {
      const lines = await backward(file, { to, block_bytes });
      assert.deepEqual(plain(lines), plain(forward(bytes.subarray(0, to))).reverse());
    }
  }
});

inTempFile.test("linesFromEnd finds no line in an empty file, and one in an LF", async (file) => {
  assert.deepEqual(await backward(file, {}), []);
  await fill(file, textBytes("\n"));
  assert.deepEqual((await backward(file, {})).map((line) => [line.offset, line.length]), [[0, 1]]);
});

inTempFile.test("linesFromEnd reads no more than it is asked for", async (file) => {
  await fill(file, textBytes("x\n".repeat(10_000)));
  let lines = 0;
  for await (const batch of linesFromEnd(file, { block_bytes: 100 })) {
    lines += batch.length;
    if (lines >= 60) break;
  }
  assert.equal(await file.seek(0, Deno.SeekMode.Current), 20_000 - 100);
});

inTempFile.test("readAt stops at the end of the file", async (file) => {
  await fill(file, textBytes("0123456789"));
  const textAt = (offset: number, length: number): string =>
    new TextDecoder().decode(readAt(file, offset, new Uint8Array(length)));
  assert.equal(textAt(3, 4), "3456");
  assert.equal(textAt(8, 10), "89");
  assert.equal(textAt(20, 5), "");
});
