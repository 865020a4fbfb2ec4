import assert from "node:assert/strict";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { toSessionError } from "../../../lib/core/log/io_error.ts";

function systemError(code: string): Error {
  return Object.assign(new Error(`${code} (os error 1)`), { code });
}

Deno.test("toSessionError gives each system error its code, and says what to do", () => {
  const cases: [unknown, string, RegExp][] = [
    [systemError("ENOSPC"), "disk-full", /^Cannot write event: the disk is full; .*: log$/],
    [systemError("EDQUOT"), "disk-full", /free some space/],
    [new Error("File too large (os error 27)"), "disk-full", /free some space/],
    [new Error("Disk quota exceeded (os error 122)"), "disk-full", /free some space/],
    [new Error("Disc quota exceeded (os error 69)"), "disk-full", /free some space/],
    [systemError("EACCES"), "permission", /^Cannot write event: permission denied; .*: log$/],
    [systemError("EPERM"), "permission", /check the owner/],
    [systemError("EROFS"), "permission", /: the file system is read-only; /],
    [systemError("ENOENT"), "not-found", /^Cannot write event: no such file or directory: log$/],
    [new Deno.errors.NotFound("gone"), "not-found", /no such file/],
    [new Deno.errors.PermissionDenied("no"), "permission", /permission denied/],
    [systemError("EIO"), "io", /^Cannot write event: EIO \(os error 1\): log$/],
    [new Error("Bad file (os error 270)"), "io", /Bad file/],
    ["a string", "io", /^Cannot write event: a string: log$/],
  ];
  for (const [cause, code, message] of cases) {
    const error = toSessionError(cause, "write event", "log");
    assert.ok(error instanceof SessionError);
    assert.equal(error.code, code);
    assert.match(error.message, message);
    assert.equal(error.cause, cause);
    assert.equal(error.data.path, "log");
  }
});

Deno.test("toSessionError passes a typed error as it is", () => {
  const error = new SessionError("too-large", "Cannot write event: it has 5 bytes");
  assert.equal(toSessionError(error, "write event", "log"), error);
});
