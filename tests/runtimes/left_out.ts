/** Tests that cannot run under Node or Bun, with the reasons. */
import type { InstalledRuntime } from "../_support/installed_package.ts";

interface LeftOut {
  reason: string;
  runtimes: readonly InstalledRuntime["name"][];
  /** File and name. */
  tests: readonly string[];
}

const LEFT_OUT: readonly LeftOut[] = [
  {
    reason: "They try Deno's own functions",
    runtimes: ["node", "bun"],
    tests: [
      "tests/platform/files_test.ts: both see the same facts of a file, a folder and a link",
      "tests/platform/files_test.ts: denoFiles: a file is read in parts, from any place, until null",
      "tests/platform/files_test.ts: denoFiles: what is appended comes last, whatever was read",
      "tests/platform/files_test.ts: denoFiles: what is written without appending follows what was written",
      "tests/platform/files_test.ts: denoFiles: errors tell what the system refused",
      "tests/platform/files_test.ts: denoFiles: files and folders are made, moved and removed",
    ],
  },
  {
    reason: "They have no flock of their own: a lock ends with its descriptor (decision 48)",
    runtimes: ["node", "bun"],
    tests: [
      "tests/log/session_lock_test.ts: a lock is let go in so many words: a process that is being started may share its descriptor",
    ],
  },
  {
    reason: "A list asks for a lock only where there is a note (decision 48)",
    runtimes: ["node", "bun"],
    tests: [
      "tests/log/session_lock_test.ts: a note that cannot be written stops nobody: the lock alone decides",
    ],
  },
];

/** Returns the tests that a runtime does not run. */
export function leftOut(runtime: InstalledRuntime["name"]): Set<string> {
  return new Set(
    LEFT_OUT.filter(({ runtimes }) => runtimes.includes(runtime)).flatMap(({ tests }) => tests),
  );
}
