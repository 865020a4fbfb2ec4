import assert from "node:assert/strict";
import { lineBlocks, lineBlocksInTurns } from "../../../lib/core/log/line_blocks.ts";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { writeWhole } from "../../../lib/core/log/write_whole.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

const LF = 0x0a;
/** The longest line: some blocks. */
const MOST_BYTES = 4 * 1024 * 1024;

/** All bytes that come in blocks, and whether each block but the last ends with a line. */
function read(path: string, most_bytes?: number): { text: string; blocks: number } {
  const decoder = new TextDecoder();
  let [text, blocks] = ["", 0];
  for (const { finder, end, feeds } of lineBlocks(path, 0, most_bytes)) {
    blocks++;
    assert.deepEqual([...feeds], [...finder.places(LF, 0, end)]);
    assert.ok(text === "" || text.endsWith("\n"));
    text += decoder.decode(finder.bytes.subarray(0, end));
  }
  return { text, blocks };
}

inDirectory.test("lineBlocks gives all lines of a file, whole, in blocks", (directory) => {
  const path = `${directory}/a.jsonl`;
  const line = `${"x".repeat(999)}\n`;
  const long = `${"y".repeat(5_000_000)}\n`;
  const cases = ["", "a", "a\n", "\n\na\n\nb", line.repeat(3000), line + long + line, long + "z"];
  for (const text of cases) {
    Deno.writeTextFileSync(path, text);
    const got = read(path);
    assert.equal(got.text === text, true, `${text.length} characters`);
  }
  Deno.writeTextFileSync(path, line.repeat(3000));
  assert.equal(read(path).blocks, 3);
});

inDirectory.test("lineBlocks leaves out a line over the limit, says so, and goes on behind it", (directory) => {
  const path = `${directory}/a.jsonl`;
  const much = new Uint8Array(MOST_BYTES).fill(0x78);
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  const write = (...parts: Uint8Array[]): void => {
    using file = Deno.openSync(path, { write: true, create: true, truncate: true });
    for (const part of parts) writeWhole(file, part);
  };
  write(encode("first\n"), much, encode("x\nlast\n"));
  const got = [...lineBlocks(path, 0, MOST_BYTES)].map(({ end, oversized }) =>
    oversized && end === 0
  );
  assert.deepEqual(got, [false, true, false]);
  assert.equal(read(path, MOST_BYTES).text.replace(/\n+/g, "\n"), "first\nlast\n");
  write(encode("first\n"), much, encode("\nlast\n"));
  assert.equal(read(path, MOST_BYTES).text.length, MOST_BYTES + 12);
  write(encode("first\n"), much, encode("x"));
  assert.equal(read(path, MOST_BYTES).text, "first\n");
});

inDirectory.test("lineBlocks begins at an offset, and each block says where it lies in the file", (directory) => {
  const path = `${directory}/a.jsonl`;
  const text = "0123456\n".repeat(400_000);
  Deno.writeTextFileSync(path, text);
  let at = 80;
  for (const { end, offset } of lineBlocks(path, at)) {
    assert.equal(offset, at);
    at += end;
  }
  assert.equal(at, text.length);
});

inDirectory.test("lineBlocksInTurns gives the same blocks, and stops when it is told to", async (directory) => {
  const path = `${directory}/a.jsonl`;
  Deno.writeTextFileSync(path, "0123456\n".repeat(1_000_000));
  const ends = [...lineBlocks(path)].map(({ end }) => end);
  const stop = new AbortController();
  const got: number[] = [];
  for await (const { end } of lineBlocksInTurns(path, stop.signal)) got.push(end);
  assert.deepEqual(got, ends);
  await assert.rejects(async () => {
    for await (const _ of lineBlocksInTurns(path, stop.signal)) stop.abort();
  }, { name: "AbortError" });
});

inDirectory.test("lineBlocks says what cannot be read, and two readers do not disturb each other", (directory) => {
  assert.throws(
    () => read(`${directory}/none`),
    (error) => error instanceof SessionError && error.code === "not-found",
  );
  Deno.writeTextFileSync(`${directory}/a`, "a\n".repeat(700_000));
  Deno.writeTextFileSync(`${directory}/b`, "b\n".repeat(700_000));
  for (const { finder, end } of lineBlocks(`${directory}/a`)) {
    assert.equal(read(`${directory}/b`).text.length, 1_400_000);
    assert.equal(finder.bytes.subarray(0, end).includes(0x62), false);
  }
});

inDirectory.test("lineBlocks says which blocks may have a NUL, also in a line that two reads bring", (directory) => {
  const path = `${directory}/a.jsonl`;
  const line = `${"x".repeat(63)}\n`;
  // Reads end at 1,024 bytes: the NUL comes with the first, its line with the second.
  const text = line.repeat(15) + `${"y".repeat(60)}\0${"y".repeat(60)}\n` + line.repeat(64);
  Deno.writeTextFileSync(path, text);
  const blocks = [...lineBlocks(path, 0, MOST_BYTES, { block_bytes: 1024 })]
    .map(({ offset, end, has_nul }) => ({ offset, end, has_nul }));
  const holds = ({ offset, end }: { offset: number; end: number }): boolean =>
    text.slice(offset, offset + end).includes("\0");
  assert.ok(blocks.filter(holds).length === 1 && blocks.length > 3);
  assert.ok(blocks.filter(holds).every(({ has_nul }) => has_nul));
  assert.ok(blocks.slice(3).every(({ has_nul }) => !has_nul));
});
