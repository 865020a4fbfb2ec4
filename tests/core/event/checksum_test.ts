import assert from "node:assert/strict";
import { checkLine, CHECKSUM_BYTES, checksumMember } from "../../../lib/core/event/checksum.ts";
import { concat, linesOf, textBytes, user } from "../../_support/log_bytes.ts";

/** CRC-32 by its definition, to check the platform's against. */
function slowCrc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function withChecksum(body: string): Uint8Array<ArrayBuffer> {
  return concat(body, checksumMember(textBytes(body)));
}

Deno.test("checksumMember is the CRC-32 of zlib in eight lower-case hex digits", () => {
  for (const body of ["", "a", '{"seq":1', "é日本", "x".repeat(1000)]) {
    const hex = slowCrc32(textBytes(body)).toString(16).padStart(8, "0");
    assert.equal(checksumMember(textBytes(body)), `,"crc":"${hex}"}`);
    assert.equal(checksumMember(textBytes(body)).length, CHECKSUM_BYTES);
  }
  assert.equal(checksumMember(textBytes("123456789")), ',"crc":"cbf43926"}');
});

Deno.test("checksumMember pads a small checksum with zeros, which checkLine takes", () => {
  let body = "{";
  for (let n = 0; !checksumMember(textBytes(body)).startsWith(',"crc":"00'); n++) {
    body = `{"n":${n}`;
  }
  assert.equal(checkLine(withChecksum(body)), "verified");
});

Deno.test("checkLine verifies a whole line and finds every changed byte", () => {
  const line = (linesOf([user("grüße")])[0] as Uint8Array).slice(0, -1);
  assert.equal(checkLine(line), "verified");
  for (let index = 0; index < line.length - CHECKSUM_BYTES; index++) {
    const changed = line.slice();
    changed[index] = (changed[index] as number) ^ 0x11;
    assert.equal(checkLine(changed), "mismatch", `byte ${index}`);
  }
});

Deno.test("checkLine calls a line unverified unless it ends in a checksum", () => {
  const body = '{"seq":1';
  const whole = new TextDecoder().decode(withChecksum(body));
  const endings = [
    body + "}",
    whole + " ",
    whole.slice(0, -1),
    whole.replace('"crc"', '"CRC"'),
    whole.replace(',"crc":', ',"crc": '),
    whole.replace(/[0-9a-f]{8}"\}$/, 'ABCDEF01"}'),
    whole.replace(/[0-9a-f]{8}"\}$/, '0123456"}'),
    "",
    "}",
    checksumMember(textBytes("")),
  ];
  assert.equal(checkLine(textBytes(whole)), "verified");
  for (const line of endings) assert.equal(checkLine(textBytes(line)), "unverified", line);
});

Deno.test("checkLine calls a line a mismatch whose checksum is another one, or damaged", () => {
  const whole = new TextDecoder().decode(withChecksum('{"seq":1'));
  for (const end of ['00000000"}', '0123456g"}']) {
    const line = whole.replace(/[0-9a-f]{8}"\}$/, end);
    assert.equal(checkLine(textBytes(line)), "mismatch", line);
  }
});

Deno.test("checkLine looks at the line alone when its bytes are part of a larger buffer", () => {
  const line = withChecksum('{"seq":1');
  const buffer = concat("noise", line, "noise");
  assert.equal(checkLine(buffer.subarray(5, 5 + line.length)), "verified");
});
