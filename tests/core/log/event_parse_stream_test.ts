import assert from "node:assert/strict";
import { crc32 } from "node:zlib";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import type { Diagnostic } from "../../../lib/core/log/diagnostic.ts";
import { EventParseStream } from "../../../lib/core/log/event_parse_stream.ts";
import { LineStream } from "../../../lib/core/log/line_stream.ts";
import { everyKind } from "../../_support/every_kind.ts";
import {
  assistant,
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

/** The only finding, as `code offset+length line`. */
function placeOf({ diagnostics }: { diagnostics: Diagnostic[] }): string {
  assert.equal(diagnostics.length, 1, JSON.stringify(diagnostics));
  const [{ code, offset, length, line }] = diagnostics as [Diagnostic];
  return `${code} ${offset}+${length} line ${line}`;
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

Deno.test("EventParseStream reads the smallest shape {seq, kind, payload}, unverified", async () => {
  const log = plainLine(1) + '{"kind":"session_renamed","payload":{"title":"t"},"seq":2}';
  const read = await readEveryWay(textBytes(log));
  assert.deepEqual(read.events.map((event) => [event.kind, event.integrity, event.form]), [
    ["user_message", "unverified", "known"],
    ["session_renamed", "unverified", "known"],
  ]);
  assert.deepEqual(read.diagnostics, []);
});

Deno.test("EventParseStream counts empty lines, blanks, CR and BOM, and reports none", async () => {
  const log = concat("\n", first.slice(0, -1), "\r\n", "  \t\r\n", "\ufeff", second, "\ufeff\n");
  const read = await readEveryWay(concat(log, third.slice(0, -1)));
  assert.deepEqual(seqsOf(read), [1, 2, 3]);
  assert.ok(read.events.every((event) => event.integrity === "verified"));
  assert.deepEqual(read.diagnostics, []);
  assert.equal(read.tally.blank, 1 + 5 + 4);
  assert.equal(read.events[1]?.position?.length, second.length + 3);
});

Deno.test("EventParseStream takes an event with spaces around it", async () => {
  const plain = plainLine(1, "spaced").trimEnd();
  const read = await readEveryWay(concat(` \t\r${plain} \t \r\n`, second, third));
  assert.deepEqual(read.events.map((event) => event.integrity), [
    "unverified",
    "verified",
    "verified",
  ]);
  assert.deepEqual(read.diagnostics, []);
});

Deno.test("EventParseStream finds nothing in an empty log", async () => {
  const nothing = { bytes: 0, events: 0, damage: 0, blank: 0 };
  assert.deepEqual(await readEveryWay(textBytes("")), {
    events: [],
    diagnostics: [],
    tally: nothing,
  });
});

Deno.test("malformed-line: a complete line that is no event", async () => {
  const array = "[".repeat(600) + "]".repeat(600);
  for (
    const line of ["noise", "{}", "[]", "5", array, '{"seq":0,"kind":"x"}', '{"seq":2}', "{", "\\"]
  ) {
    const read = await readEveryWay(concat(first, `${line}\n`, second));
    assert.deepEqual(seqsOf(read), [1, 2]);
    const place = `${first.length}+${line.length + 1} line 2`;
    assert.equal(placeOf(read), `malformed-line ${place}`);
  }
});

Deno.test("torn-tail: a last line that is cut, and no other", async () => {
  const read = await readEveryWay(concat(first, second.slice(0, 20)));
  assert.deepEqual(seqsOf(read), [1]);
  assert.equal(placeOf(read), `torn-tail ${first.length}+20 line 2`);
  const sealed = await readEveryWay(concat(first, second.slice(0, 20), "\n", second));
  assert.deepEqual(seqsOf(sealed), [1, 2]);
  assert.equal(placeOf(sealed), `malformed-line ${first.length}+21 line 2`);
});

Deno.test("glued-line: a torn event with the next one behind it", async () => {
  const read = await readEveryWay(concat(first, second.slice(0, 90), third));
  assert.deepEqual(read.events.map((event) => event.integrity), ["verified", "salvaged"]);
  assert.deepEqual(codesOf(read), ["glued-line", "seq-gap"]);
  assert.deepEqual(read.diagnostics[0], {
    code: "glued-line",
    offset: first.length,
    length: 90,
    line: 2,
    detail: "an incomplete event and the next event are on the same line",
  });
  assert.deepEqual(read.events[1]?.position, {
    offset: first.length + 90,
    length: third.length,
    line: 2,
  });
});

Deno.test("nul-run: zeros of a power cut, between two lines", async () => {
  const read = await readEveryWay(concat(first, new Uint8Array(500), second));
  assert.deepEqual(seqsOf(read), [1, 2]);
  assert.equal(placeOf(read), `nul-run ${first.length}+500 line 2`);
  assert.equal(read.events[1]?.integrity, "salvaged");
});

Deno.test("invalid-utf8: a line without a checksum is shown with U+FFFD, and reported", async () => {
  const plain = plainLine(1, "ab");
  const at = plain.indexOf("ab") + 1;
  const bytes = concat(plain.slice(0, at), new Uint8Array([0xff]), plain.slice(at), plainLine(2));
  const read = await readEveryWay(bytes);
  assert.deepEqual(read.events.map((event) => event.form === "known" && event.payload), [
    { content: "a\ufffdb" },
    { content: "message 2" },
  ]);
  assert.equal(placeOf(read), `invalid-utf8 0+${plain.length + 1} line 1`);
});

Deno.test("checksum-mismatch: a changed event is shown, marked, and reported", async () => {
  const changed = textBytes(new TextDecoder().decode(second).replace("two", "owt"));
  const read = await readEveryWay(concat(first, changed, third));
  assert.deepEqual(read.events.map((event) => event.integrity), [
    "verified",
    "mismatch",
    "verified",
  ]);
  assert.equal(placeOf(read), `checksum-mismatch ${first.length}+${second.length} line 2`);
});

Deno.test("checksum-mismatch: a changed number does not unsettle the order", async () => {
  const changed = textBytes(new TextDecoder().decode(second).replace('"seq":2', '"seq":7'));
  const read = await readEveryWay(concat(first, changed, third));
  assert.deepEqual(seqsOf(read), [1, 7, 3]);
  assert.deepEqual(codesOf(read), ["checksum-mismatch"]);
});

Deno.test("checksum-mismatch: a line without a checksum behind one that has one", async () => {
  const read = await readEveryWay(concat(plainLine(1), second, plainLine(3), plainLine(4)));
  assert.deepEqual(read.events.map((event) => event.integrity), [
    "unverified",
    "verified",
    "mismatch",
    "mismatch",
  ]);
  assert.deepEqual(codesOf(read), ["checksum-mismatch", "checksum-mismatch"]);
});

Deno.test("checksum-mismatch: an ending that is a checksum but for two characters", async () => {
  const text = new TextDecoder().decode(first);
  for (const ending of [',"crb":"', ',"CrC":"', ',"crc":"x']) {
    const damaged = text.replace(new RegExp(`,"crc":"${ending.endsWith("x") ? "." : ""}`), ending);
    const read = await readEveryWay(textBytes(damaged));
    assert.deepEqual(read.events.map((event) => event.integrity), ["mismatch"], ending);
    assert.deepEqual(codesOf(read), ["checksum-mismatch"]);
  }
});

Deno.test("a member that is named otherwise is no damaged checksum", async () => {
  const text = new TextDecoder().decode(first);
  for (const ending of [',"sum":"', ', "crc": "', ',"tag":"']) {
    const read = await readEveryWay(textBytes(text.replace(',"crc":"', ending)));
    assert.deepEqual(read.events.map((event) => event.integrity), ["unverified"], ending);
    assert.deepEqual(read.diagnostics, []);
  }
});

Deno.test("seq-gap: numbers that are missing, also before the first event", async () => {
  const read = await readEveryWay(concat(first, third));
  assert.deepEqual(seqsOf(read), [1, 3]);
  assert.equal(placeOf(read), `seq-gap ${first.length}+${third.length} line 2`);
  assert.equal(read.diagnostics[0]?.detail, "expected 2, found 3");
  assert.equal(placeOf(await readEveryWay(second)), `seq-gap 0+${second.length} line 1`);
});

Deno.test("seq-gap: is not known before the first event of a part of a log", async () => {
  const parse = new EventParseStream({
    report: ({ code }) => assert.fail(`${code} is reported`),
  });
  const batches = ReadableStream.from([second]).pipeThrough(new LineStream()).pipeThrough(parse);
  const events = (await Array.fromAsync(batches)).flat();
  assert.deepEqual(events.map((event) => event.seq), [2]);
});

Deno.test("seq-repeat: a number that does not rise", async () => {
  const read = await readEveryWay(concat(first, second, second, third));
  assert.deepEqual(seqsOf(read), [1, 2, 2, 3]);
  const at = first.length + second.length;
  assert.equal(placeOf(read), `seq-repeat ${at}+${second.length} line 3`);
  const back = await readEveryWay(concat(first, second, first, second, third));
  assert.deepEqual(codesOf(back), ["seq-repeat"]);
  assert.equal(back.diagnostics[0]?.detail, "expected 3, found 1");
});

Deno.test("unknown-kind: a kind of a later version is kept as it is", async () => {
  const line = sealedLine('{"v":1,"seq":2,"kind":"hologram","payload":{"deep":[1]}');
  const read = await readEveryWay(concat(first, line, third));
  assert.equal(read.events[1]?.form, "unknown");
  assert.deepEqual(read.events[1]?.form === "unknown" && read.events[1].payload, { deep: [1] });
  assert.equal(placeOf(read), `unknown-kind ${first.length}+${line.length} line 2`);
  assert.equal(read.diagnostics[0]?.detail, "hologram");
});

Deno.test("invalid-payload: a payload that does not fit is kept as it is", async () => {
  const line = sealedLine('{"v":1,"seq":2,"kind":"user_message","payload":{"content":5}');
  const read = await readEveryWay(concat(first, line, third));
  assert.equal(read.events[1]?.form, "invalid");
  assert.deepEqual(read.events[1]?.form === "invalid" && read.events[1].payload, { content: 5 });
  assert.equal(placeOf(read), `invalid-payload ${first.length}+${line.length} line 2`);
  assert.match(
    read.diagnostics[0]?.detail ?? "",
    /^user_message 2: payload\.content is neither a string nor an array$/,
  );
});

Deno.test("unsupported-version: a later envelope is kept as it is", async () => {
  const line = sealedLine('{"v":3,"seq":2,"kind":"user_message","payload":{"content":"hi"}');
  const read = await readEveryWay(concat(first, line, third));
  assert.equal(read.events[1]?.form, "unknown");
  assert.equal(placeOf(read), `unsupported-version ${first.length}+${line.length} line 2`);
});

Deno.test("oversized-line: is passed over, and its neighbours are kept", async () => {
  const long = linesOf([user("x".repeat(400))], 2)[0] as Bytes;
  const read = await readEveryWay(concat(first, long, third), { max_line_bytes: 300 });
  assert.deepEqual(seqsOf(read), [1, 3]);
  assert.deepEqual(codesOf(read), ["oversized-line", "seq-gap"]);
  assert.equal(read.diagnostics[0]?.length, long.length);
  const limit = { max_line_bytes: long.length - 1 };
  assert.deepEqual(codesOf(await readEveryWay(concat(first, long), limit)), []);
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

Deno.test("EventParseStream leaves verified lines of other kinds unparsed, and counts them", async () => {
  const bytes = logOf([user("a"), toolEnd("c1"), toolEnd("c1"), assistant("b")]);
  const kinds = new Set(["user_message", "assistant_message"]);
  const read = await readEveryWay(bytes, { kinds });
  assert.deepEqual(read.events.map((event) => event.form), [
    "known",
    "unparsed",
    "unparsed",
    "known",
  ]);
  assert.deepEqual(read.events[1], {
    form: "unparsed",
    seq: 2,
    kind: "tool_end",
    integrity: "verified",
  });
  assert.equal(read.tally.events, bytes.length);
  assert.deepEqual(read.diagnostics, []);
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

Deno.test("EventParseStream parses lines that do not verify, whatever their kind", async () => {
  const changed = textBytes(new TextDecoder().decode(second).replace("two", "owt"));
  const plain = plainLine(1);
  const read = await readEveryWay(concat(plain, changed), { kinds: new Set(["diff"]) });
  assert.deepEqual(read.events.map((event) => [event.form, event.integrity]), [
    ["known", "unverified"],
    ["known", "mismatch"],
  ]);
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

Deno.test("strict and prefix mode read a whole log, also with kinds of a later version", async () => {
  const bytes = concat(
    first,
    sealedLine('{"v":1,"seq":2,"kind":"hologram","payload":{}'),
    sealedLine('{"v":3,"seq":3,"kind":"user_message","payload":{}'),
    sealedLine('{"v":1,"seq":4,"kind":"user_message","payload":{}'),
    "\n",
    linesOf([user("last")], 5)[0] as Bytes,
  );
  for (const mode of ["strict", "prefix"] as const) {
    assert.deepEqual(seqsOf(await readEveryWay(bytes, { mode })), [1, 2, 3, 4, 5]);
  }
});

Deno.test("prefix mode ends before the first fault, whatever it is", async () => {
  const changed = textBytes(new TextDecoder().decode(third).replace("three", "eerht"));
  const fourth = linesOf([user("four")], 4)[0] as Bytes;
  const faults = [
    concat("noise\n", third),
    concat(changed, fourth),
    concat(new Uint8Array(9), "\n", third),
    concat(third.slice(0, 50), fourth),
    concat(second, third),
    fourth,
    third.slice(0, -9),
    concat("[".repeat(600) + "]".repeat(600) + "\n", third),
  ];
  for (const fault of faults) {
    const read = await readEveryWay(concat(first, second, fault), { mode: "prefix" });
    assert.deepEqual(seqsOf(read), [1, 2]);
    assert.ok(read.diagnostics.length > 0);
  }
});

Deno.test("EventParseStream reports in the order of the bytes", async () => {
  const bytes = concat("noise\n", first, second.slice(0, 30), third, "\0\0\n", first, "{");
  const read = await readEveryWay(bytes);
  const offsets = read.diagnostics.map((diagnostic) => diagnostic.offset);
  assert.deepEqual(offsets, offsets.toSorted((a, b) => a - b));
  assert.deepEqual(codesOf(read), [
    "malformed-line",
    "glued-line",
    "seq-gap",
    "nul-run",
    "seq-repeat",
    "torn-tail",
  ]);
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
