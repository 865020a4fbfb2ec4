import assert from "node:assert/strict";
import { crc32 } from "node:zlib";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { EventParseStream } from "../../../lib/core/log/event_parse_stream.ts";
import { LineStream } from "../../../lib/core/log/line_stream.ts";
import { everyKind } from "../../_support/every_kind.ts";
import {
  type Bytes,
  codesOf,
  concat,
  factsOf,
  linesOf,
  logOf,
  numbered,
  plainLine,
  readAll,
  readEveryWay,
  seqsOf,
  textBytes,
  toolEnd,
  toolStart,
  user,
} from "../../_support/log_bytes.ts";

/** A line with a checksum around a body that encodeEvent would refuse. */
function sealedLine(body: string): Bytes {
  const bytes = textBytes(body);
  return concat(bytes, `,"crc":"${crc32(bytes).toString(16).padStart(8, "0")}"}\n`);
}

const three = [user("one"), user("two"), user("three")];
const [first, second, third] = linesOf(three) as [Bytes, Bytes, Bytes];

Deno.test("EventParseStream gives back the events of a whole log, verified and in place", async () => {
  const events = numbered(everyKind());
  const lines = linesOf(everyKind());
  const read = await readEveryWay(concat(...lines));
  assert.deepEqual(read.events.map(factsOf), events.map(factsOf));
  assert.deepEqual(read.diagnostics, []);
  let offset = 0;
  for (const [index, event] of read.events.entries()) {
    assert.equal(event.integrity, "verified");
    const length = lines[index]?.length ?? 0;
    assert.deepEqual(event.position, { offset, length, line: index + 1 });
    offset += length;
  }
  assert.deepEqual(read.tally, { bytes: offset, events: offset, damage: 0, blank: 0 });
});

Deno.test("seq-gap: is not known before the first event of a part of a log", async () => {
  const parse = new EventParseStream({
    report: ({ code }) => assert.fail(`${code} is reported`),
  });
  const batches = ReadableStream.from([second]).pipeThrough(new LineStream()).pipeThrough(parse);
  const events = (await Array.fromAsync(batches)).flat();
  assert.deepEqual(events.map((event) => event.seq), [2]);
});

Deno.test("too-deep: a line that nests more than 512 levels, short or long", async () => {
  const nested = (levels: number, filler: string): string =>
    `{"seq":2,"kind":"extension","payload":{"agent":"a","type":"${filler}","data":` +
    "[".repeat(levels - 2) + "]".repeat(levels - 2) + "}}\n";
  for (const filler of ["", "x".repeat(2_000_000)]) {
    const deep = nested(513, filler);
    const read = await readAll(concat(first, deep, third));
    assert.deepEqual(seqsOf(read), [1, 3]);
    assert.deepEqual(codesOf(read), ["too-deep", "seq-gap"]);
    assert.equal(read.tally.damage, deep.length);
    const fits = await readAll(concat(plainLine(1), nested(512, filler), third));
    assert.deepEqual(seqsOf(fits), [1, 2, 3]);
    assert.deepEqual(codesOf(fits), []);
  }
});

Deno.test("EventParseStream tells the time of a batch's last event, also when it is unparsed", async () => {
  const lines = linesOf([user("a"), toolStart("c1"), toolEnd("c1")]);
  const timesOf = async (tail: string): Promise<unknown[]> => {
    const { events } = await readAll(concat(...lines, tail), { kinds: new Set() });
    return events.map((event) => event.form === "unparsed" && event.time);
  };
  const times = [undefined, undefined, "2026-11-21T20:21:56.123Z"];
  assert.deepEqual(await timesOf(""), times);
  assert.deepEqual(await timesOf("noise\n"), times);
  const byLine = await readAll(concat(...lines), { kinds: new Set(), chunk: 1 });
  assert.ok(byLine.events.every((event) => event.form === "unparsed" && event.time !== undefined));
});

Deno.test("EventParseStream tells seq and kind of unparsed lines as it does of parsed ones", async () => {
  const bytes = concat(logOf(everyKind()), sealedLine('{"v":1,"seq":25,"kind":"new","payload":1'));
  const parsed = await readEveryWay(bytes);
  const unparsed = await readEveryWay(bytes, { kinds: new Set() });
  const outline = (read: typeof parsed): unknown[] =>
    read.events.map(({ seq, kind, integrity }) => [seq, kind, integrity]);
  assert.ok(unparsed.events.every((event) => event.form === "unparsed"));
  assert.deepEqual(outline(unparsed), outline(parsed));
  assert.deepEqual(codesOf(unparsed), ["unknown-kind"]);
  assert.deepEqual(unparsed.diagnostics, parsed.diagnostics);
});

Deno.test("strict mode errors at the first fault, with the events before it", async () => {
  const bytes = concat(first, second, "noise\n", third);
  const parse = new EventParseStream({ mode: "strict", after_seq: 0 });
  const seqs: number[] = [];
  const reading = async (): Promise<void> => {
    const batches = ReadableStream.from([first, bytes.subarray(first.length)])
      .pipeThrough(new LineStream()).pipeThrough(parse);
    for await (const batch of batches) seqs.push(...batch.map((event) => event.seq));
  };
  await assert.rejects(reading, (error) => {
    assert.ok(error instanceof SessionError);
    assert.equal(error.code, "damaged");
    assert.equal(error.data.offset, first.length + second.length);
    assert.equal(
      error.message,
      "Cannot read past line 3: malformed-line: the line is not an event",
    );
    return true;
  });
  assert.deepEqual(seqs, [1, 2]);
});

Deno.test("EventParseStream has a tally of its own, and fills the one that it is given", async () => {
  const tally = { bytes: 0, events: 0, damage: 0, blank: 0 };
  const parse = new EventParseStream({ tally });
  assert.equal(parse.tally, tally);
  await Array.fromAsync(
    ReadableStream.from([first]).pipeThrough(new LineStream()).pipeThrough(parse),
  );
  assert.equal(tally.events, first.length);
  assert.notEqual(new EventParseStream().tally, new EventParseStream().tally);
});
