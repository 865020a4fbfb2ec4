import assert from "node:assert/strict";
import { bytesFields } from "../../../lib/agents/engine/protobuf_fields.ts";

function inShort(...bytes: number[]): [number, string][] {
  return [...bytesFields(Uint8Array.from(bytes))]
    .map(({ number, value }) => [number, new TextDecoder().decode(value)]);
}

Deno.test("bytesFields yields texts and passes over numbers", () => {
  const number = [0x08, 0xac, 0x02];
  const fixed = [0x11, 1, 2, 3, 4, 5, 6, 7, 8, 0x1d, 1, 2, 3, 4];
  assert.deepEqual(inShort(...number, 0x0a, 2, 0x68, 0x69, ...fixed, 0x82, 0x01, 1, 0x21), [
    [1, "hi"],
    [16, "!"],
  ]);
});

Deno.test("bytesFields stops at bytes that are no field", () => {
  assert.deepEqual(inShort(), []);
  assert.deepEqual(inShort(0x0a, 1, 0x61, 0x0a, 9, 0x62), [[1, "a"]]);
  assert.deepEqual(inShort(0x0a, 1, 0x61, 0x0b, 1, 0x62), [[1, "a"]]);
  assert.deepEqual(inShort(0xff, 0xff, 0xff), []);
});
