import assert from "node:assert/strict";
import { checkLine } from "../../../../lib/core/event/checksum.ts";
import { mapStrings } from "../../../../lib/text/redaction/map_strings.ts";
import { scrubBytes, type ScrubValue } from "../../../../lib/features/repair/scrub/scrub_bytes.ts";
import { logOf, user } from "../../../_support/log_bytes.ts";

const SECRET = 'a"b\\c';
/** Replaces the secret by fewer characters. */
const scrub: ScrubValue = (value) =>
  mapStrings(value, { field: "" }, (text) => text.replaceAll(SECRET, "[S]"));
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const scrubbed = (text: string): string | undefined => {
  const found = scrubBytes(encode(text), scrub);
  return found && new TextDecoder().decode(found.bytes);
};
const json = (value: unknown, indent?: number): string => JSON.stringify(value, undefined, indent);

Deno.test("bytes without a secret are left alone, whatever they are", () => {
  for (const text of ["", "plain\n", '{"a":1}\n{"b":2}', "{torn", "\uFEFF[1, 2]\n", "\0\xff\0"]) {
    assert.equal(scrubbed(text), undefined, json(text));
  }
  assert.equal(scrubBytes(Uint8Array.of(0xff, 0x80, 0x01), scrub), undefined);
});

Deno.test("a document keeps its indentation, and lines keep their ends and numbers", () => {
  const document = { id: 1, text: `x ${SECRET}`, list: [{ deep: SECRET }] };
  const clean = { id: 1, text: "x [S]", list: [{ deep: "[S]" }] };
  for (const indent of [undefined, 1, 2, 4]) {
    assert.equal(scrubbed(`${json(document, indent)}\n`), `${json(clean, indent)}\n`);
  }
  const [head, other] = ['{"n": 12345678901234567890, "m": 1.0}', '{ "kept" :  true }'];
  const line = '{"n":12345678901234567890,"m":1.0,"t":';
  assert.equal(
    scrubbed(`${head}\r\n${line}${json(SECRET)}}\r\n${other}\n{torn ${SECRET}`),
    `${head}\r\n${line}"[S]"}\r\n${other}\n{torn [S]`,
  );
});

Deno.test("a line of our log gets its checksum again", () => {
  const log = logOf([user("hi"), user(`use ${SECRET}`)]);
  const found = scrubBytes(log, scrub);
  assert.ok(found);
  const lines = new TextDecoder().decode(found.bytes).trimEnd().split("\n");
  assert.ok(lines.some((one) => one.includes("use [S]")));
  for (const one of lines) assert.equal(checkLine(encode(one)), "verified", one);
});

Deno.test("UTF-16 stays UTF-16, with its mark or without, and other bytes stay bytes", () => {
  const text = `KEY is ${SECRET} é`;
  for (
    const [little, mark] of [[true, "\uFEFF"], [false, "\uFEFF"], [true, ""], [false, ""]] as const
  ) {
    const wide = (one: string): Uint8Array => {
      const view = new DataView(new ArrayBuffer(2 * one.length));
      for (let at = 0; at < one.length; at++) view.setUint16(2 * at, one.charCodeAt(at), little);
      return new Uint8Array(view.buffer);
    };
    const long = `${mark}${"plain ".repeat(10)}${text}`;
    assert.deepEqual(scrubBytes(wide(long), scrub)?.bytes, wide(long.replace(SECRET, "[S]")));
  }
  const binary = Uint8Array.of(0xff, 0x80, ...encode(SECRET), 0x00, 0xfe);
  assert.deepEqual(
    scrubBytes(binary, scrub)?.bytes,
    Uint8Array.of(0xff, 0x80, ...encode("[S]"), 0, 0xfe),
  );
});

Deno.test("an offset is where its line begins afterwards, and the end is the end", () => {
  const before = `{"a":${json(SECRET)}}\n{"b":1}\n{"c":${json(SECRET)}}\n`;
  const found = scrubBytes(encode(before), scrub);
  const second = before.indexOf('{"b"');
  assert.deepEqual(
    [0, second, second + 3, before.length].map((at) => found?.offset(at)),
    [0, 12, 12, found?.bytes.length],
  );
});
