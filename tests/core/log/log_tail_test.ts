import assert from "node:assert/strict";
import { join } from "node:path";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { readLastSeq } from "../../../lib/core/log/log_tail.ts";
import { type Bytes, concat, linesOf, plainLine, user } from "../../_support/log_bytes.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { foreignLine } from "../../_support/event_line.ts";

const [one, two, three, four] = linesOf(["1", "2", "3", "4"].map(user)) as [
  Bytes,
  Bytes,
  Bytes,
  Bytes,
];

async function lastSeqOf(...parts: (Uint8Array | string)[]): Promise<number> {
  let last = -1;
  await withDirectory(async (directory) => {
    const path = join(directory, "log");
    Deno.writeFileSync(path, concat(...parts));
    last = await readLastSeq(path);
  });
  return last;
}

/** A line with one byte of its text changed. */
function changed(line: Bytes): Bytes {
  const copy = line.slice();
  const at = copy.lastIndexOf(0x7d, -20) - 2;
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

Deno.test("readLastSeq gives the number of the last event, 0 where there is none", async () => {
  assert.equal(await lastSeqOf(), 0);
  assert.equal(await lastSeqOf("noise\n", "\n"), 0);
  assert.equal(await lastSeqOf(one, two, three), 3);
  assert.equal(await lastSeqOf(plainLine(1), plainLine(7)), 7);
});

Deno.test("readLastSeq passes over what is torn, glued or noise", async () => {
  assert.equal(await lastSeqOf(one, two, three.subarray(0, 40)), 2);
  assert.equal(await lastSeqOf(one, two, three.subarray(0, -1)), 3);
  assert.equal(await lastSeqOf(one, two.subarray(0, -1), three), 3);
  assert.equal(await lastSeqOf(one, two, "noise\n", "\0".repeat(600)), 2);
});

Deno.test("readLastSeq counts events of kinds that it does not know", async () => {
  const later = foreignLine({ v: 1, seq: 9, kind: "later_kind", payload: {} });
  assert.equal(await lastSeqOf(one, later), 9);
  const invalid = foreignLine({ v: 1, seq: 5, kind: "user_message", payload: {} });
  assert.equal(await lastSeqOf(one, invalid), 5);
});

Deno.test("readLastSeq gives a changed line the number that a reader expects of it, and no other", async () => {
  assert.equal(await lastSeqOf(one, two, changed(three)), 3);
  assert.equal(await lastSeqOf(one, two, changed(three), changed(four)), 4);
  assert.equal(await lastSeqOf(one, changed(two), three), 3);
  assert.equal(await lastSeqOf(changed(one), changed(two)), 2);
  const wild = new TextDecoder().decode(three).replace('"seq":3', '"seq":300000');
  assert.equal(await lastSeqOf(one, two, wild), 3);
  assert.equal(await lastSeqOf(one, two, wild, four.subarray(0, 40)), 3);
  const many = Array.from({ length: 4000 }, () => changed(four));
  assert.equal(await lastSeqOf(one, two, ...many), 4002);
  assert.equal(await lastSeqOf(...many), 4000);
});

Deno.test("readLastSeq takes a line that lost its checksum for a changed one", async () => {
  assert.equal(await lastSeqOf(one, two, plainLine(300_000)), 3);
  assert.equal(await lastSeqOf(one, plainLine(50), plainLine(7)), 3);
  assert.equal(await lastSeqOf(plainLine(1), plainLine(50), two, plainLine(7)), 50);
});

Deno.test("readLastSeq gives the greatest number where numbers go back", async () => {
  assert.equal(await lastSeqOf(one, four, two, three), 4);
  assert.equal(await lastSeqOf(plainLine(1), plainLine(50), plainLine(7)), 50);
});

Deno.test("readLastSeq finds the last event behind a line that is longer than a block", async () => {
  const [long] = linesOf([user("x".repeat(600_000))], 2) as [Bytes];
  assert.equal(await lastSeqOf(one, long), 2);
  assert.equal(await lastSeqOf(one, long, "noise\n".repeat(60_000)), 2);
});

Deno.test("readLastSeq refuses a log that a newer version wrote", async () => {
  const newer = foreignLine({ v: 3, seq: 2, kind: "user_message", payload: { content: "?" } });
  await assert.rejects(lastSeqOf(one, newer), (error) => {
    assert.ok(error instanceof SessionError);
    assert.equal(error.code, "unsupported-version");
    assert.match(
      error.message,
      /^Cannot open session for writing: a newer version .* \(format version 3\)/,
    );
    return true;
  });
});
