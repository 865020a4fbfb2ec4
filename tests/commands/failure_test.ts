import assert from "node:assert/strict";
import { inHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { CommandExit, STATUS, toFailure, UsageError } from "../../commands/_failure.ts";
import { SessionError } from "../../lib/core/event/session_error.ts";

Deno.test("each thrown value has its exit status, and one message for the person", () => {
  const full = new Error("No space left on device (os error 28)");
  const locks = new Error("No locks available (os error 37)");
  const cases: [unknown, number, string][] = [
    [new SessionError("not-found", "Cannot find session"), 1, "Cannot find session"],
    [new UsageError("Choose one"), 2, "Choose one"],
    [new CommandExit(STATUS.cancelled), 130, ""],
    [new Deno.errors.BrokenPipe("gone"), 0, ""],
    [new Deno.errors.PermissionDenied("no"), 1, "no"],
    [new Deno.errors.NotCapable("no"), 1, "no"],
    [Object.assign(full, { code: "ENOSPC" }), 1, `Cannot continue: ${full.message}`],
    [locks, 1, `Cannot continue: ${locks.message}`],
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
    assert.match(message, /\nThis is a bug in Reprise\. Please report it/);
  }
  assert.match(toFailure("a string").message, /^a string\nThis is a bug/);
});

inHome.test("a long argument that is refused is not repeated whole", async (home) => {
  home.keep(sessionId("aaaa"), [user("hello")]);
  const long = "x".repeat(120_000);
  const refused: [status: number, ...args: string[]][] = [
    [1, "show", long],
    [2, long],
    [2, "list", long],
    [2, "search", "--regex", long],
    [2, "search", "(".repeat(40_000)],
    [2, "list", `--${long}`],
    [2, "list", "--since", long],
    [1, "export", "aaaa", "--out", `/${long}/x`],
  ];
  for (const [status, ...args] of refused) {
    const result = await home.run(args);
    assert.equal(result.status, status, `${args.join(" ").slice(0, 80)}: ${result.stderr}`);
    assert.ok(result.stderr.length > 0 && result.stderr.length < 3000, `${result.stderr.length}`);
  }
});
