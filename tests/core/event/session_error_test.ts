import assert from "node:assert/strict";
import { SessionError } from "../../../lib/core/event/session_error.ts";

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
