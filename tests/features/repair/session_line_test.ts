import assert from "node:assert/strict";
import { splitChunk, splitRest, startSplit } from "../../../lib/core/log/line_splitter.ts";
import {
  cutSessionLine,
  isSound,
  type SessionLine,
} from "../../../lib/features/repair/session_line.ts";

const isRecord = ({ id }: Readonly<Record<string, unknown>>): boolean => typeof id === "number";

/** The lines of a text or of bytes, cut. */
function cutAll(text: string | Uint8Array, limit?: number): SessionLine[] {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const split = startSplit(limit);
  const lines = splitChunk(split, bytes.slice());
  const rest = splitRest(split);
  return [...lines, ...(rest === undefined ? [] : [rest])].map((line) => {
    return cutSessionLine(line, isRecord);
  });
}

/** What a line is cut into, in short. */
function inShort({ pieces, marks, ending }: SessionLine): string[] {
  return [
    ...pieces.map((piece) =>
      piece.kind === "damage"
        ? `${piece.damage} ${piece.bytes.length}`
        : new TextDecoder().decode(piece.bytes)
    ),
    ...marks.map(({ damage, offset }) => `(${damage} ${offset})`),
    JSON.stringify(ending),
  ];
}

Deno.test("whole lines are sound, whatever their ends", () => {
  const lines = cutAll('{"id":1}\n\n  \n{"id":2}\r\n{"other":"\u2028"}\n');
  assert.deepEqual(lines.map(isSound), [true, true, true, true, true]);
  assert.deepEqual(lines.map(({ ending }) => ending), ["\n", "\n", "\n", "\r\n", "\n"]);
});

Deno.test("whole records are cut out of damaged lines, and the rest is named", () => {
  const table: [string, string[]][] = [
    ['{"id":1}{"id":2}\n', ['{"id":1}', '{"id":2}', "(fused-records 8)", '"\\n"']],
    ['{"id":1,"te{"id":2}\n', ["torn-record 11", '{"id":2}', '"\\n"']],
    ['\0\0\0{"id":2}\r\n', ["nul-run 3", '{"id":2}', '"\\r\\n"']],
    ['{"id":1,"a":"\0\0"}\n', ["torn-record 13", "nul-run 2", "no-record 2", '"\\n"']],
    ["noise\n", ["no-record 5", '"\\n"']],
    ['{"id":1', ["torn-end 7", '""']],
    ['{"id":1}', ['{"id":1}', "(no-newline 8)", '""']],
    ['\ufeff{"id":1}\n', ['{"id":1}', "(byte-order-mark 0)", '"\\n"']],
    ['\ufeff\ufeff{"id":1}\n', ['{"id":1}', "(byte-order-mark 0)", '"\\n"']],
    // An object that a torn record held is no record of its own.
    ['{"id":1,"te\0\0{"text":"x"}\n', ["torn-record 11", "nul-run 2", "torn-record 12", '"\\n"']],
  ];
  for (const [text, expected] of table) {
    const [line] = cutAll(text);
    assert.ok(line);
    assert.deepEqual(inShort(line), expected, JSON.stringify(text));
    assert.equal(isSound(line), false);
  }
});

Deno.test("bytes that are no UTF-8 become U+FFFD, in whole and in glued records", () => {
  const bad = new Uint8Array([...new TextEncoder().encode('{"id":1,"a":"'), 0xff, 0x22, 0x7d]);
  const [line] = cutAll(new Uint8Array([...bad, ...bad, 0x0a]));
  assert.ok(line);
  const record = '{"id":1,"a":"\ufffd"}';
  const marks = ["(bad-utf8 0)", "(fused-records 16)", "(bad-utf8 16)"];
  assert.deepEqual(inShort(line), [record, record, ...marks, '"\\n"']);
});

Deno.test("a line that is too long or too deep is kept as it is", () => {
  const [long, short] = cutAll(`{"id":1,"text":"${"x".repeat(100)}"}\n{"id":2}\n`, 64);
  assert.deepEqual([long?.sealed, short?.sealed], [true, false]);
  const [deep] = cutAll(`{"id":1,"a":${"[".repeat(600)}${"]".repeat(600)}}\n`);
  assert.deepEqual([deep?.sealed, deep && isSound(deep)], [true, true]);
});
