import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { checkLine, checksumMember } from "../../../../lib/core/event/checksum.ts";
import {
  movedPath,
  movedRecord,
  movingSink,
} from "../../../../lib/features/backup/bundle/moved_records.ts";
import { testData } from "../../../_support/test_data.ts";
import { onUnix } from "../../../_support/tests_in.ts";

const MOVE = { old: "/home/ada/app", here: "/srv/work/app 2" };
const encoder = new TextEncoder();

function moved(line: string): string {
  return new TextDecoder().decode(movedRecord(encoder.encode(line), MOVE));
}

onUnix.test("a moved record changes in its directory alone", () => {
  const { moved: rows, kept } = testData<
    { moved: [line: string, moved: string][]; kept: string[] }
  >(
    "backup/moved_records.json",
  );
  for (const [line, expected] of rows) assert.equal(moved(line), expected);
  const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
  assert.equal(
    moved(`{"projectHash":"${hash(MOVE.old)}"}`),
    `{"projectHash":"${hash(MOVE.here)}"}`,
  );
  for (const line of kept) assert.equal(moved(line), line);
});

onUnix.test("a moved record of a log keeps a right checksum", () => {
  const body = encoder.encode('{"v":1,"payload":{"cwd":"/home/ada/app"}');
  const line = new TextDecoder().decode(body) + checksumMember(body);
  const after = encoder.encode(moved(line));
  assert.equal(checkLine(after), "verified");
  assert.match(new TextDecoder().decode(after), /"cwd":"\/srv\/work\/app 2"/);
});

onUnix.test("moved lines are the same however their bytes arrive", () => {
  const text = '{"cwd":"/home/ada/app"}\r\n\n{"cwd":"/home/ada/app/é"}\n{"cwd":"/home/ada/app"}';
  const bytes = encoder.encode(text);
  for (const step of [1, 2, 7, bytes.length]) {
    const parts: Uint8Array[] = [];
    let ended = 0;
    const target = { write: (part: Uint8Array) => void parts.push(part), end: () => void ended++ };
    const sink = movingSink(target, MOVE);
    for (let at = 0; at < bytes.length; at += step) sink.write(bytes.slice(at, at + step));
    sink.end?.();
    const whole = parts.map((part) => new TextDecoder("latin1").decode(part)).join("");
    const expected = text.replaceAll(MOVE.old, MOVE.here);
    assert.equal(whole, new TextDecoder("latin1").decode(encoder.encode(expected)), `${step}`);
    assert.equal(ended, 1);
  }
});

onUnix.test("a moved path stays where it is outside of the directory", () => {
  assert.equal(movedPath("/home/ada/app", MOVE), MOVE.here);
  assert.equal(movedPath("/home/ada", MOVE), undefined);
  assert.equal(movedPath("relative", MOVE), undefined);
});
