import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import {
  type LineBatch,
  LineStream,
  type LineStreamOptions,
} from "../../../lib/core/log/line_stream.ts";
import { splitChunk, startSplit } from "../../../lib/core/log/line_splitter.ts";
import { roundsOf } from "../../_support/few_rounds.ts";
import { type Bytes, concat, textBytes } from "../../_support/log_bytes.ts";

interface FoundLine {
  text: string;
  offset: number;
  length: number;
  line: number;
  terminated: boolean;
  oversized: boolean;
}

interface SplitOptions extends LineStreamOptions {
  chunk?: number;
}

const CHUNKS = [1, 2, 7, 64, 100_000];

async function linesOf(bytes: Bytes, options: SplitOptions = {}): Promise<FoundLine[]> {
  const { chunk = bytes.length } = options;
  const chunks: Bytes[] = [];
  for (let at = 0; at < bytes.length; at += chunk) chunks.push(bytes.slice(at, at + chunk));
  const found: FoundLine[] = [];
  const recycle = (buffer: Uint8Array): void => void buffer.fill(0x58);
  const stream = new LineStream({ recycle, ...options });
  for await (const batch of ReadableStream.from(chunks).pipeThrough(stream)) {
    for (const { bytes, ...place } of batch.lines) {
      found.push({ text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), ...place });
    }
    batch.release();
  }
  return found;
}

async function textsOf(text: string): Promise<string[]> {
  return (await linesOf(textBytes(text))).map((line) => line.text);
}

Deno.test("LineStream cuts at LF, and tells a last line that has none", async () => {
  const line = { terminated: true, oversized: false };
  for (const chunk of CHUNKS) {
    assert.deepEqual(await linesOf(textBytes("ab\n\ncdé\ne"), { chunk }), [
      { text: "ab", offset: 0, length: 3, line: 1, ...line },
      { text: "", offset: 3, length: 1, line: 2, ...line },
      { text: "cdé", offset: 4, length: 5, line: 3, ...line },
      { text: "e", offset: 9, length: 1, line: 4, terminated: false, oversized: false },
    ]);
  }
});

Deno.test("LineStream finds no line in no bytes, and one empty line in an LF", async () => {
  assert.deepEqual(await textsOf(""), []);
  assert.deepEqual(await textsOf("\n"), [""]);
  assert.deepEqual(await textsOf("a\n"), ["a"]);
});

Deno.test("LineStream drops one CR before LF; the line's length has it still", async () => {
  for (const chunk of CHUNKS) {
    const lines = await linesOf(textBytes("a\r\nb\r\r\n\r\nc\rd\n"), { chunk });
    assert.deepEqual(lines.map((line) => line.text), ["a", "b\r", "", "c\rd"]);
    assert.deepEqual(lines.map((line) => line.length), [3, 4, 2, 4]);
  }
});

Deno.test("LineStream drops a BOM at any line's start, and nowhere else", async () => {
  for (const chunk of CHUNKS) {
    const bytes = textBytes("\ufeffa\n\ufeffb\r\nc\ufeffd\n\ufeff\n\ufeff\ufeffe\n\ufeff");
    const lines = await linesOf(bytes, { chunk });
    assert.deepEqual(lines.map((line) => line.text), ["a", "b", "c\ufeffd", "", "\ufeffe", ""]);
    assert.deepEqual(lines.map((line) => line.length), [5, 6, 6, 4, 8, 3]);
  }
});

Deno.test("LineStream does not cut at U+2028, U+2029, U+0085, CR, VT or FF", async () => {
  const text = 'a\u2028b\u2029c\u0085d\re\vf\fg"';
  assert.deepEqual(await textsOf(`${text}\nx`), [text, "x"]);
});

Deno.test("LineStream cuts before it decodes: invalid UTF-8 stays in its own line", async () => {
  const bytes = concat("ok\n", new Uint8Array([0xe3, 0x81]), "\n", "fine\n");
  for (const chunk of CHUNKS) {
    const texts = (await linesOf(bytes, { chunk })).map((line) => line.text);
    assert.deepEqual(texts, ["ok", "\ufffd", "fine"]);
  }
});

Deno.test("LineStream passes over a line above the limit and keeps its neighbours", async () => {
  const bytes = textBytes(`ab\n${"x".repeat(9)}\n12345678\n1234567\r\n${"y".repeat(20)}`);
  for (const chunk of CHUNKS) {
    const lines = await linesOf(bytes, { chunk, max_line_bytes: 8 });
    assert.deepEqual(lines.map(({ text, oversized }) => oversized ? "over" : text), [
      "ab",
      "over",
      "12345678",
      "1234567",
      "over",
    ]);
    assert.deepEqual(lines.map((line) => line.length), [3, 10, 9, 9, 20]);
    assert.equal(lines[1]?.text, "");
    assert.equal(lines[4]?.terminated, false);
  }
});

Deno.test("splitChunk holds no more of a line than its limit", () => {
  const state = startSplit(1000);
  for (let chunk = 0; chunk < 500; chunk++) {
    assert.deepEqual(splitChunk(state, new Uint8Array(100).fill(0x61)), []);
    assert.ok(state.held.length <= 1000, `${state.held.length} bytes are held`);
  }
  const [line] = splitChunk(state, textBytes("\n"));
  assert.equal(line?.length, 50_001);
  assert.equal(line?.oversized, true);
});

Deno.test("LineStream counts from the offset that it is given", async () => {
  const lines = await linesOf(textBytes("a\nb\n"), { offset: 1000 });
  assert.deepEqual(lines.map((line) => [line.offset, line.line]), [[1000, 1], [1002, 2]]);
});

Deno.test("LineStream gives each chunk back once, after its lines are released", async () => {
  const chunks = ["no line", " yet\nwhole\npart", "\n", "rest"].map(textBytes);
  const back: Uint8Array[] = [];
  const stream = ReadableStream.from(chunks)
    .pipeThrough(new LineStream({ recycle: (chunk) => void back.push(chunk) }));
  const texts: string[] = [];
  for await (const batch of stream) {
    for (const line of batch.lines) texts.push(new TextDecoder().decode(line.bytes));
    batch.release();
  }
  assert.deepEqual(texts, ["no line yet", "whole", "part", "rest"]);
  assert.deepEqual(back, chunks);
});

Deno.test("LineStream leaves lines alone until they are released, and fills their room anew", async () => {
  const texts = Array.from({ length: 20 }, (_, index) => `${index}`.repeat(50 + index));
  const bytes = textBytes(texts.join("\n"));
  for (const keep of [1, 2, 5, 100]) {
    const chunks = Array.from(
      { length: bytes.length / 16 + 1 },
      (_, i) => bytes.slice(i * 16, i * 16 + 16),
    );
    const held: LineBatch[] = [];
    const found: string[] = [];
    const rooms = new Set<ArrayBufferLike>();
    const give = (batch: LineBatch | undefined): void => {
      for (const line of batch?.lines ?? []) {
        found.push(new TextDecoder().decode(line.bytes));
        rooms.add(line.bytes.buffer);
      }
      batch?.release();
    };
    for await (const batch of ReadableStream.from(chunks).pipeThrough(new LineStream())) {
      held.push(batch);
      if (held.length === keep) give(held.shift());
    }
    held.forEach(give);
    assert.deepEqual(found, texts);
    if (keep === 1) assert.ok(rooms.size < 10, `${rooms.size} buffers`);
  }
});

Deno.test("LineStream gives the same lines for every chunking, and their lengths add up", async () => {
  const units = fc.constantFrom("\n", "\r", "\r\n", "\ufeff", "a", "é", "日", "\0", "x".repeat(30));
  await fc.assert(
    fc.asyncProperty(fc.array(units, { maxLength: 60 }), async (parts) => {
      const bytes = textBytes(parts.join(""));
      const whole = await linesOf(bytes, { max_line_bytes: 40 });
      let offset = 0;
      for (const [index, line] of whole.entries()) {
        assert.equal(line.offset, offset);
        assert.equal(line.line, index + 1);
        offset += line.length;
      }
      assert.equal(offset, bytes.length);
      for (const chunk of [1, 2, 7]) {
        assert.deepEqual(await linesOf(bytes, { chunk, max_line_bytes: 40 }), whole);
      }
    }),
    { seed: 1, numRuns: roundsOf(150) },
  );
});
