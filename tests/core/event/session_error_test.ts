import assert from "node:assert/strict";
import { isSessionError, SessionError } from "../../../lib/core/event/session_error.ts";

Deno.test("SessionError carries its code, its data and the error below it", () => {
  const cause = new Deno.errors.NotFound("gone");
  const error = new SessionError("not-found", "Cannot open log: gone", { path: "a" }, cause);
  assert.ok(error instanceof Error);
  assert.equal(error.name, "SessionError");
  assert.equal(error.code, "not-found");
  assert.deepEqual(error.data, { path: "a" });
  assert.equal(error.cause, cause);
});

Deno.test("SessionError has no cause and empty data unless they are given", () => {
  const error = new SessionError("io", "Cannot read log");
  assert.equal("cause" in error, false);
  assert.deepEqual(error.data, {});
});

Deno.test("hint is what a message advises, without its path", () => {
  const hints = [
    ["Cannot find session: gone", undefined],
    ['Cannot find session "a"; store.list() has all sessions', "store.list() has all sessions"],
    ["Cannot write log: it is full; free some space: /a/b", "free some space"],
    ["Cannot read a: it was replaced. To restore it: run b", "To restore it: run b"],
    ["Cannot read a: unknown\nTo list all: run b", "To list all: run b"],
  ] as const;
  for (const [message, hint] of hints) {
    assert.equal(new SessionError("io", message, { path: "/a/b" }).hint, hint, message);
  }
  const error = new SessionError("io", "Cannot read a: gone; look elsewhere", { path: "/a" });
  assert.deepEqual(JSON.parse(JSON.stringify(error)), {
    ...{ name: "SessionError", code: "io", message: "Cannot read a: gone; look elsewhere" },
    ...{ hint: "look elsewhere", data: { path: "/a" } },
  });
});

Deno.test("isSessionError knows errors of another copy, and no others", async () => {
  const source = await Deno.readTextFile(
    new URL("../../../lib/core/event/session_error.ts", import.meta.url),
  );
  const copy = await import(`data:application/typescript,${encodeURIComponent(source)}`);
  const error = new copy.SessionError("locked", "Cannot open session: locked");
  assert.equal(error instanceof SessionError, false);
  assert.ok(isSessionError(error));
  assert.ok(copy.isSessionError(new SessionError("io", "Cannot read log")));
  assert.deepEqual([isSessionError(error, "locked"), isSessionError(error, "io")], [true, false]);
  for (const other of [undefined, null, "locked", new Error("x"), { name: "SessionError" }]) {
    assert.equal(isSessionError(other), false);
  }
});
