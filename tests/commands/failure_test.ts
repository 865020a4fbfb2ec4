import assert from "node:assert/strict";
import { CommandExit, STATUS, toFailure, UsageError } from "../../commands/_failure.ts";
import { SessionError } from "../../lib/event/session_error.ts";

Deno.test("each thrown value has its exit status, and one message for the person", () => {
  const full = Object.assign(new Error("No space left on device (os error 28)"), {
    code: "ENOSPC",
  });
  const cases: [unknown, number, string][] = [
    [new SessionError("not-found", "Cannot find session"), 1, "Cannot find session"],
    [new UsageError("Choose one"), 2, "Choose one"],
    [new CommandExit(STATUS.cancelled), 130, ""],
    [new Deno.errors.BrokenPipe("gone"), 0, ""],
    [new Deno.errors.PermissionDenied("no"), 1, "no"],
    [new Deno.errors.NotCapable("no"), 1, "no"],
    [full, 1, `Cannot go on: ${full.message}`],
    [
      new Error("No locks available (os error 37)"),
      1,
      "Cannot go on: No locks available (os error 37)",
    ],
  ];
  for (const [error, status, message] of cases) {
    assert.deepEqual(toFailure(error), { status, message });
  }
});

Deno.test("reports an unforeseen error as our own fault: status 70, with the stack", () => {
  for (const error of [new TypeError("x is undefined"), new Deno.errors.NotFound("y")]) {
    const { status, message } = toFailure(error);
    assert.equal(status, 70);
    assert.ok(message.startsWith(error.stack ?? "-"));
    assert.match(message, /\nThis is a fault of Reprise itself; please report it/);
  }
  assert.match(toFailure("a string").message, /^a string\nThis is a fault/);
});
