import assert from "node:assert/strict";
import { isJsonDocument, isOwnLog } from "../../../lib/core/store/recognize_log.ts";
import { logOf, plainLine, textBytes, user } from "../../_support/log_bytes.ts";

function isOwn(text: string | Uint8Array<ArrayBuffer>, whole = true): boolean {
  return isOwnLog({ bytes: typeof text === "string" ? textBytes(text) : text, whole });
}

Deno.test("a log of ours is recognized by its first event, damaged or not", () => {
  assert.equal(isOwn(logOf([user("p")])), true);
  assert.equal(isOwn("noise\n\0\0\n" + plainLine(3)), true);
  assert.equal(isOwn('{"kind":"user_message","payload":{"content":"x"},"seq":1}\n'), true);
  assert.equal(isOwn(logOf([user("x".repeat(90_000))]).subarray(0, 65_536), false), true);
  assert.equal(isOwn(plainLine(1).trimEnd()), true);
});

Deno.test("an empty file may become a log; what holds no event is none", () => {
  assert.equal(isOwn(""), true);
  for (
    const text of [
      "noise",
      '{"type":"session"}\n',
      "[1]\n",
      "\0".repeat(600),
      '{"seq":1}\n',
      "SQLite format 3\0",
    ]
  ) {
    assert.equal(isOwn(text), false, text);
  }
  assert.equal(isOwn("", false), false);
});

Deno.test("a log of Keen Code is not ours: its payloads are named like their kinds", () => {
  const keen = '{"seq":2,"kind":"user_message","user_message":{"content":"x"}}\n';
  assert.equal(isOwn(keen), false);
  assert.equal(isOwn("noise\n" + keen), false);
  assert.equal(isOwn('{"seq":2,"kind":"user_message","payload":{"content":"x"}}\n'), true);
});

Deno.test("an export as one JSON document is told from a log, whatever its lines hold", () => {
  const bytes = textBytes('{"summary":{"title":"t"},"events":[\n' + plainLine(1) + "]}\n");
  assert.deepEqual([isJsonDocument({ bytes, whole: true }), isOwn(bytes)], [true, false]);
  const log = logOf([user("p")]);
  assert.deepEqual([isJsonDocument({ bytes: log, whole: true }), isOwn(log)], [false, true]);
});
