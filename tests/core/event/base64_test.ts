import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import {
  base64FromBytes,
  bytesFromBase64,
  portableBase64,
  portableBytes,
} from "../../../lib/core/event/base64.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";

Deno.test("base64 is read and written as Node does, with and without the built-in function", () => {
  const random = mulberry32(11);
  for (const length of [0, 1, 2, 3, 4, 100, 70_000]) {
    const bytes = Uint8Array.from({ length }, () => random() * 256);
    const text = Buffer.from(bytes).toString("base64");
    assert.deepEqual([base64FromBytes(bytes), portableBase64(bytes)], [text, text]);
    assert.deepEqual(portableBytes(text), bytes);
    assert.deepEqual(new Uint8Array(bytesFromBase64(text)), bytes);
  }
});

Deno.test("base64 that is damaged, wrapped or of the other alphabet is read as Node does", () => {
  for (const text of ["QUJD\nREVG", "QUI", "Q", "-_-_", "QUJ!D", "QUI=QUI=", "=", "QUJDR"]) {
    const wanted = new Uint8Array(Buffer.from(text, "base64"));
    assert.deepEqual(new Uint8Array(bytesFromBase64(text)), wanted, text);
    assert.deepEqual(portableBytes(text), wanted, text);
  }
});
