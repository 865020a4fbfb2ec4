/**
 * Locks an open file by `flock(2)`, which Node and Bun lack. A program that has it is started with the
 * open file as its descriptor 3, takes the lock, and ends. The lock belongs to the open file, so it
 * stays until this process closes the file or dies.
 */
import { SessionError } from "../event/session_error.ts";
import { builtin, operatingSystem } from "./runtime.ts";

/** A program that can call `flock`, and its arguments for each kind of lock. */
interface Locker {
  program: string;
  exclusive: readonly string[];
  shared: readonly string[];
}

/** Exits with 1 where another holds the lock, as `flock` does, and with 4 for any other failure. */
function perl(operation: "LOCK_EX" | "LOCK_SH"): string[] {
  const script = `open(F, "<&=", 3) or exit 4; exit 0 if flock(F, ${operation} | LOCK_NB); ` +
    "exit($!{EWOULDBLOCK} ? 1 : 4)";
  return ["-MErrno", "-MFcntl=:flock", "-e", script];
}

/** The first that can be started is used: Linux has `flock`, and macOS has Perl. */
const LOCKERS: readonly Locker[] = [
  { program: "flock", exclusive: ["-x", "-n", "3"], shared: ["-s", "-n", "3"] },
  { program: "perl", exclusive: perl("LOCK_EX"), shared: perl("LOCK_SH") },
];

/**
 * Takes a lock, if that is possible at once.
 *
 * @returns False when another holds it.
 * @throws {SessionError} `io` where no program can take a lock, or the file system has none.
 */
export function tryFlock(fd: number, exclusive: boolean): boolean {
  // What is started there does not get descriptors by their numbers.
  if (operatingSystem === "windows") {
    throw lockError("Node and Bun cannot do it on Windows; use the executable, or Deno");
  }
  for (const locker of LOCKERS) {
    const taken = tryBy(locker, fd, exclusive);
    if (taken !== undefined) return taken;
  }
  throw lockError("neither flock nor perl can be started; install util-linux, or use Deno");
}

/** Undefined where the program cannot be started. */
function tryBy(locker: Locker, fd: number, exclusive: boolean): boolean | undefined {
  const { spawnSync } = builtin("node:child_process");
  const args = exclusive ? locker.exclusive : locker.shared;
  const { error, status, signal, stderr } = spawnSync(locker.program, [...args], {
    stdio: ["ignore", "ignore", "pipe", fd],
  });
  if (error !== undefined) return undefined;
  if (status === 0 || status === 1) return status === 0;
  const reason = String(stderr).trim() || `${locker.program} ended with ${status ?? signal}`;
  throw lockError(reason);
}

function lockError(reason: string): SessionError {
  return new SessionError("io", `Cannot lock file: ${reason}`, {});
}
