/** Tests that do not run under Node or Bun, with the reasons. */
import type { InstalledRuntime } from "../_support/installed_package.ts";

interface LeftOut {
  reason: string;
  runtimes: readonly InstalledRuntime["name"][];
  /** File and name. */
  tests: readonly string[];
}

const LEFT_OUT: readonly LeftOut[] = [
  {
    reason: "It imports the library's sources, which are TypeScript",
    runtimes: ["node"],
    tests: [
      "tests/core/store/storage_store_test.ts: an agent sees in the SQLite of LIBRARY what it sees on disk",
    ],
  },
  {
    reason: "They have no inotify of the C library (decision 101)",
    runtimes: ["node", "bun"],
    tests: [
      "tests/core/platform/watch_folder_test.ts: watchFolder goes on behind pipes, links to pipes, devices and sockets",
    ],
  },
  {
    reason: "They try Deno's own functions",
    runtimes: ["node", "bun"],
    tests: [
      "tests/core/platform/files_test.ts: both see the same facts of a file, a folder and a link",
      "tests/core/platform/files_test.ts: denoFiles: a file is read in parts, from any place, until null",
      "tests/core/platform/files_test.ts: denoFiles: what is appended comes last, whatever was read",
      "tests/core/platform/files_test.ts: denoFiles: what is written without appending follows what was written",
      "tests/core/platform/files_test.ts: denoFiles: errors tell what the system refused",
      "tests/core/platform/files_test.ts: denoFiles: files and folders are made, moved and removed",
      "tests/agents/claude/claude_agent_test.ts: a session's file is opened twice for its messages: to index it, and to read them",
    ],
  },
  {
    reason: "They replace Deno's own functions, or import TypeScript",
    runtimes: ["node", "bun"],
    tests: [
      "tests/core/event/session_error_test.ts: isSessionError knows errors of another copy, and no others",
      "tests/core/store/detach_test.ts: a full disk keeps none of several events that it has no room for",
      "tests/core/store/scenes_test.ts: continue_last.txt: continueLast on a full disk opens the last session, whose end is torn, on disk",
      "tests/core/store/scenes_test.ts: continue_last.txt: continueLast on a read-only disk opens the last session, on disk",
      "tests/core/store/scenes_test.ts: detach.txt: a session on a full disk goes on in memory with all that was said, on disk",
      "tests/core/store/scenes_test.ts: detach.txt: a session that was read before the disk was full goes on in memory, on disk",
      "tests/core/store/scenes_test.ts: detach.txt: a session whose disk was full from the start goes on in memory, on disk",
      "tests/core/store/scenes_test.ts: detach.txt: a detached session goes back to its disk, with its subagents, on disk",
      "tests/core/store/scenes_test.ts: detach.txt: a detached session takes a new title, and keeps it once there is room, on disk",
      "tests/core/store/scenes_test.ts: detach.txt: a finish that a full disk refused can be called again, and throws again, on disk",
      "tests/core/store/scenes_test.ts: detach.txt: a finish whose sync failed throws it again, on disk",
      "tests/core/store/scenes_test.ts: detach.txt: an attach whose sync failed writes each event once, also of subagents, on disk",
      "tests/core/store/scenes_test.ts: detach.txt: a finish whose sync failed writes each event once, also of subagents, on disk",
      "tests/core/store/unsaved_log_test.ts: a session whose first append failed goes on once there is room",
      "tests/core/store/unsaved_log_test.ts: a session whose first append met a full disk is not listed",
    ],
  },
  {
    reason: "They start Deno",
    runtimes: ["node", "bun"],
    tests: ["tests/core/platform/process_test.ts: CPU time grows with work, and not with waiting"],
  },
  {
    reason: "They have no flock of their own: a lock ends with its descriptor (decision 48)",
    runtimes: ["node", "bun"],
    tests: [
      "tests/core/log/session_lock_test.ts: a lock is let go in so many words: a process that is being started may share its descriptor",
    ],
  },
];

/** Returns the tests that a runtime does not run. */
export function leftOut(runtime: InstalledRuntime["name"]): Set<string> {
  return new Set(
    LEFT_OUT.filter(({ runtimes }) => runtimes.includes(runtime)).flatMap(({ tests }) => tests),
  );
}

/**
 * Ends of the names of tests that take most of the time of all, and go round in code that no runtime
 * changes: Deno's run has proved it.
 */
export const TOO_LONG: readonly string[] = [
  ": cut at any byte, a session is read as far as it goes",
  ": whatever its bytes, a session is read as far as it goes",
  ": a list from the catalogue is the list that is made anew, whatever file changes",
  ": a row is that of the whole session, however long its lines, cached or not",
  ": records that are written otherwise give the same session",
  "tests/agents/claude/claude_usage_test.ts: usage alone is that of the whole session: branches, side talks, repeated ids, damage",
  "tests/agents/claude/list_test.ts: the edges tell what the whole tells, whatever happened to the last lines",
  "tests/core/log/line_blocks_test.ts: lineBlocks leaves out a line over the limit, says so, and goes on behind it",
  "tests/core/log/lines_holding_test.ts: linesHolding gives the lines that hold a text, last first, whatever the blocks",
  "tests/core/log/line_parser_test.ts: salvage takes time and findings in step with the bytes, not with their square",
  "tests/core/projection/projection_test.ts: every projection is the same from memory and through the pipeline, however it is cut",
  "tests/core/store/copy/fork_session_test.ts: a fork at any event of any log says what the log said up to there",
  "tests/core/store/copy/merge_sessions_test.ts: a merge keeps the order of each session, its calls and their outcomes",
  "tests/core/store/load_session_test.ts: the conversation read from a log's end is that of the whole log",
];
