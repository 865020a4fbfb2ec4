import assert from "node:assert/strict";
import {
  attachmentFromBase64,
  attachmentFromReference,
  attachmentFromUrl,
} from "../../../lib/core/event/attachment.ts";

const HELLO = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

Deno.test("base64 is kept, with the hash and the size of what it holds", () => {
  assert.deepEqual(attachmentFromBase64("aGVsbG8=", "image/png"), {
    type: "image",
    media_type: "image/png",
    data: "aGVsbG8=",
    sha256: HELLO,
    bytes: 5,
  });
  assert.equal(attachmentFromBase64("aGVsbG8=", "application/pdf").type, "file");
});

Deno.test("a data URL holds its content, another one refers to it", () => {
  assert.equal(attachmentFromUrl("data:image/png;base64,aGVsbG8=").sha256, HELLO);
  const text = attachmentFromUrl("data:text/plain;charset=utf-8,hel%6Co");
  assert.deepEqual([text.media_type, text.sha256, text.data], ["text/plain", HELLO, "aGVsbG8="]);
  assert.equal(attachmentFromUrl("data:text/plain,100%").bytes, 4);
  assert.deepEqual(
    attachmentFromUrl("https://example.org/a.png", "image/png"),
    attachmentFromReference("https://example.org/a.png", "image/png"),
  );
});
