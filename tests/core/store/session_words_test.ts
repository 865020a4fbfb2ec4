import assert from "node:assert/strict";
import {
  asksWords,
  fitsWords,
  type SessionWords,
  WORD_NAMES,
  wordsIn,
} from "../../../lib/core/store/session_words.ts";

const ROW = {
  title: "Fix the Login",
  git_branch: "main",
  models: ["gpt-5", "Claude-Opus-4"],
  status: "idle" as const,
  last_error: "529",
  tags: ["bug"],
  pinned: true,
};
const FITTING: Required<SessionWords> = {
  ...{ title: "login", branch: "MAI", model: "opus", status: "idle", failed: true, tag: "bug" },
  pinned: true,
};
const OTHER: Required<SessionWords> = {
  ...{ title: "out", branch: "dev", model: "gemini", status: "failed", failed: true, tag: "bu" },
  pinned: true,
};

Deno.test("each word chooses sessions by itself", () => {
  assert.deepEqual([...WORD_NAMES].sort(), Object.keys(FITTING).sort());
  assert.ok(fitsWords(ROW, {}) && fitsWords(ROW, FITTING));
  for (const name of WORD_NAMES) {
    assert.ok(fitsWords(ROW, { [name]: FITTING[name] }), name);
    assert.ok(!fitsWords({}, { [name]: FITTING[name] }), name);
    const misses = name !== "failed" && name !== "pinned";
    assert.equal(fitsWords(ROW, { ...FITTING, [name]: OTHER[name] }), !misses, name);
  }
});

Deno.test("a session fails by its last error or by how it was closed", () => {
  assert.ok(fitsWords({ status: "failed" }, { failed: true }));
  assert.ok(fitsWords({ status: "running", last_error: "529" }, { failed: true }));
  assert.ok(!fitsWords({ status: "interrupted" }, { failed: true }));
  assert.ok(fitsWords({}, { failed: false, pinned: false }));
});

Deno.test("words are compared as far as their sources tell", () => {
  assert.ok(fitsWords({}, { model: "opus", status: "idle" }, "row", "marks"));
  assert.ok(!fitsWords({}, { model: "opus", title: "x" }, "row"));
  assert.ok(asksWords({ model: "opus" }) && asksWords({ model: "opus" }, "whole"));
  assert.ok(!asksWords({ model: "opus" }, "row", "now"));
  assert.ok(!asksWords({ failed: false, tag: undefined }));
});

Deno.test("words are taken from options with other fields", () => {
  const options = { ...FITTING, limit: 3 };
  assert.deepEqual(wordsIn(options), FITTING);
});
