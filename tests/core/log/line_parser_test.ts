import assert from "node:assert/strict";
import { crc32 } from "node:zlib";
import {
  assertBytesAddUp,
  type Bytes,
  codesOf,
  concat,
  linesOf,
  plainLine,
  readEveryWay,
  readNow,
  seqsOf,
  textBytes,
  toolStart,
  user,
} from "../../_support/log_bytes.ts";

const [one, two, three, four] = linesOf(["one", "two", "three", "four"].map(user)) as [
  Bytes,
  Bytes,
  Bytes,
  Bytes,
];

/** A line without its LF. */
function bare(line: Bytes): Bytes {
  return line.subarray(0, line.length - 1);
}

function zeros(length: number): Bytes {
  return new Uint8Array(length);
}

/** JSON that looks like an event, whole with a checksum of its own. */
function forgery(seq: number): string {
  const body = `{"v":1,"seq":${seq},"kind":"user_message","payload":{"content":"forged"}`;
  return `${body},"crc":"${crc32(body).toString(16).padStart(8, "0")}"}`;
}

/** Lines whose tool input holds a forgery, and how far each reaches just behind it. */
function* linesWithForgeries(): Generator<{ line: Bytes; end: number; text: string }> {
  const plain = '{"seq":99,"kind":"user_message","payload":{"content":"forged"}}';
  for (const text of [forgery(99), forgery(3), plain]) {
    const value = JSON.parse(text);
    for (const input of [value, { a: value }, [value, value], { a: 1, b: [[value]] }]) {
      const [line] = linesOf([toolStart("c1", input)], 2) as [Bytes];
      const at = new TextDecoder().decode(line).lastIndexOf(text);
      assert.ok(at > 0);
      yield { line, end: at + text.length, text };
    }
  }
}

function assertNoForgery(bytes: Bytes, seqs: number[]): void {
  const read = readNow(bytes);
  assert.deepEqual(seqsOf(read), seqs);
  for (const event of read.events) {
    assert.notDeepEqual(event.form === "known" && event.payload, { content: "forged" });
  }
  assertBytesAddUp(read, bytes.length);
}

Deno.test("salvage takes two whole events whose newline was lost", async () => {
  for (const between of ["", "\r", " ", "*", new Uint8Array([0x8a])]) {
    const read = await readEveryWay(concat(one, bare(two), between, three, four));
    assert.deepEqual(read.events.map((event) => [event.seq, event.integrity]), [
      [1, "verified"],
      [2, "salvaged"],
      [3, "salvaged"],
      [4, "verified"],
    ]);
    assert.equal(read.tally.damage, between.length);
  }
});

Deno.test("salvage takes a run of whole events without any newline", async () => {
  const read = await readEveryWay(concat(bare(one), bare(two), bare(three), bare(four)));
  assert.deepEqual(seqsOf(read), [1, 2, 3, 4]);
  assert.deepEqual(read.diagnostics, []);
});

Deno.test("salvage takes the whole event before noise, and reports the noise", async () => {
  const read = await readEveryWay(concat(one, bare(two), "noise\n", three));
  assert.deepEqual(seqsOf(read), [1, 2, 3]);
  assert.deepEqual(codesOf(read), ["malformed-line"]);
  assert.equal(read.diagnostics[0]?.offset, one.length + two.length - 1);
  assert.equal(read.diagnostics[0]?.length, 6);
});

Deno.test("salvage takes the whole event behind noise, with and without a checksum", async () => {
  for (const noise of ["noise", "}}]", '"', "\\", '{"', "x{y", new Uint8Array([0xff, 0xfe])]) {
    for (const line of [two, textBytes(plainLine(2))]) {
      const read = await readEveryWay(concat(one, noise, line, three));
      assert.deepEqual(seqsOf(read), [1, 2, 3], String(noise));
      assert.deepEqual(codesOf(read), ["glued-line"]);
      assert.equal(read.tally.damage, noise.length);
    }
  }
});

Deno.test("salvage takes NUL runs for damage, wherever they stand, and keeps whole events", async () => {
  const runs = (bytes: Bytes): Promise<unknown> =>
    readEveryWay(bytes).then((read) => [seqsOf(read), codesOf(read), read.tally.damage]);
  assert.deepEqual(await runs(concat(zeros(9), one, two)), [[1, 2], ["nul-run"], 9]);
  assert.deepEqual(await runs(concat(one, zeros(9), two)), [[1, 2], ["nul-run"], 9]);
  assert.deepEqual(await runs(concat(bare(one), zeros(9), two)), [[1, 2], ["nul-run"], 9]);
  assert.deepEqual(await runs(concat(bare(one), zeros(9), "\n", two)), [[1, 2], ["nul-run"], 10]);
  assert.deepEqual(await runs(concat(one, zeros(9))), [[1], ["nul-run"], 9]);
  assert.deepEqual(await runs(concat(one, zeros(9), "\n", two)), [[1, 2], ["nul-run"], 10]);
  assert.deepEqual(await runs(concat("\ufeff", zeros(9), one)), [[1], ["nul-run"], 12]);
});

Deno.test("salvage loses the event that a NUL run overwrote, and no other", async () => {
  const holed = two.slice();
  holed.fill(0, 40, 60);
  const read = await readEveryWay(concat(one, holed, three));
  assert.deepEqual(seqsOf(read), [1, 3]);
  assert.deepEqual(codesOf(read), ["malformed-line", "nul-run", "malformed-line", "seq-gap"]);
  assert.deepEqual(read.diagnostics.slice(0, 3).map((diagnostic) => diagnostic.length), [
    40,
    20,
    two.length - 60,
  ]);
});

Deno.test("salvage keeps the event behind a torn one and a NUL run", async () => {
  const read = await readEveryWay(concat(one, two.slice(0, 50), zeros(30), three, four));
  assert.deepEqual(seqsOf(read), [1, 3, 4]);
  assert.deepEqual(codesOf(read), ["glued-line", "nul-run", "seq-gap"]);
});

Deno.test("salvage keeps the last of three pieces glued together", async () => {
  const read = await readEveryWay(concat(one, two.slice(0, 30), three.slice(0, 120), four));
  assert.deepEqual(seqsOf(read), [1, 4]);
  assert.deepEqual(codesOf(read), ["glued-line", "seq-gap"]);
  assert.equal(read.tally.damage, 150);
});

Deno.test("salvage takes no event whose checksum does not fit, or whose number went by", async () => {
  const changed = textBytes(new TextDecoder().decode(three).replace("three", "eerht"));
  for (const line of [changed, one, two]) {
    const read = await readEveryWay(concat(one, two, two.slice(0, 40), line));
    assert.deepEqual(seqsOf(read), [1, 2]);
    assert.deepEqual(codesOf(read), ["malformed-line"]);
  }
});

Deno.test("salvage never takes an event nested in a torn line, cut just behind it", () => {
  for (const { line, end, text } of linesWithForgeries()) {
    const torn = line.slice(0, end);
    assert.ok(new TextDecoder().decode(torn).endsWith(text));
    assertNoForgery(concat(one, line, three), [1, 2, 3]);
    assertNoForgery(concat(one, torn), [1]);
    assertNoForgery(concat(one, torn, "\n", three), [1, 3]);
    assertNoForgery(concat(one, torn, "\r\n", three), [1, 3]);
    assertNoForgery(concat(one, torn, zeros(5), "\n", three), [1, 3]);
    assertNoForgery(concat(one, torn, three, four), [1, 3, 4]);
  }
});

Deno.test("salvage never takes a nested event of a line that lost its head as well", () => {
  const heads = (line: Bytes, end: number): Bytes[] => {
    const flipped = line.slice(0, end);
    flipped[20] = 0x01;
    const holed = line.slice(0, end);
    holed.fill(0, 10, 30);
    const noised = line.slice(0, end);
    noised.fill(0xfe, 10, 30);
    return [line.slice(30, end), line.slice(100, end), flipped, holed, noised];
  };
  for (const { line, end } of linesWithForgeries()) {
    for (const torn of heads(line, end)) {
      assertNoForgery(concat(one, torn), [1]);
      assertNoForgery(concat(one, torn, "\n", three), [1, 3]);
      assertNoForgery(concat(one, two.slice(0, 50), torn, "\n", three), [1, 3]);
    }
  }
});

Deno.test("salvage never takes an event from the middle of noise, not even a verified one", () => {
  for (const noise of ["xyz", '"a" 1', new Uint8Array([0xfe, 0xfe])]) {
    for (const rest of [',"b":1}}', "}}", "more noise", bare(four)]) {
      assertNoForgery(concat(one, noise, forgery(3), rest, "}\n", four), [1, 4]);
    }
  }
});

Deno.test("salvage never takes an event out of a string, wherever the line is cut", () => {
  for (const text of [forgery(99), `{"x":"\n${forgery(99)}\n"}`, JSON.stringify(forgery(99))]) {
    const [line] = linesOf([user(`say ${text} again`)], 2) as [Bytes];
    for (let end = 1; end < line.length - 1; end++) {
      assertNoForgery(concat(one, line.slice(0, end), "\n", three), [1, 3]);
      assertNoForgery(concat(one, line.slice(end), three), [1, 3]);
    }
  }
});

Deno.test("salvage loses an event that noise makes the value of something", async () => {
  for (const noise of ['{"a":', "x:", "}, ", "[".repeat(5000), '"a" : [ ']) {
    const read = await readEveryWay(concat(one, noise, two, three));
    assert.deepEqual(seqsOf(read), [1, 3], noise);
    assert.deepEqual(codesOf(read), ["malformed-line", "seq-gap"]);
    assert.equal(read.tally.damage, noise.length + two.length);
  }
});

Deno.test("salvage takes time and findings in step with the bytes, not with their square", () => {
  for (const unit of ["\0x", '\0{"', '{"\0', '{"a":1}', '{"a":', "[", '"', '{"seq":1}\0']) {
    const noise = textBytes(unit.repeat(Math.ceil(200_000 / unit.length)));
    const bytes = concat(one, noise, "\n", two);
    const read = readNow(bytes);
    assert.deepEqual(seqsOf(read), [1, 2]);
    assertBytesAddUp(read, bytes.length);
    assert.ok(read.diagnostics.length <= 5, `${read.diagnostics.length} findings for ${unit}`);
  }
});
