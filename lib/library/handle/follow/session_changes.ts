/**
 * Reports when a session changes. Polls the session's files, because polling works on every file
 * system.
 */
import { SessionError } from "../../../core/event/session_error.ts";
import { pause } from "../../../core/platform/pause.ts";
import { marksPath } from "../../../core/store/marks.ts";
import type { SessionReader } from "../../../agents/contract/agent.ts";
import { isSameState, lookAtFollowed, type SeenState } from "../../catalogue/session_state.ts";
import { filesOfSummary } from "../../machine/locators.ts";

/** Minimum milliseconds between two looks. A look that took long is followed by a longer pause. */
const LOOK_MS = 100;
const PAUSE_BY_LOOK = 10;

/** Yields at once, then after each change of a session's state, until the signal aborts. */
export async function* sessionChanges(
  reader: SessionReader,
  root: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<void> {
  let before: SeenState | undefined;
  while (!signal.aborted) {
    const began = performance.now();
    const state = await stateOfSession(reader, root);
    const took = performance.now() - began;
    if (signal.aborted) return;
    if (state !== undefined && (before === undefined || !isSameState(before, state))) {
      before = state;
      yield;
    }
    await pause(Math.max(LOOK_MS, PAUSE_BY_LOOK * took), signal);
  }
}

/**
 * Looks at all files of a session, and at the user's marks. A subagent's file and a WAL count, too.
 *
 * @returns Undefined while the files cannot be seen, because the agent may be replacing them.
 */
export async function stateOfSession(
  reader: SessionReader,
  root: string | undefined,
): Promise<SeenState | undefined> {
  const { session } = reader;
  const marks = root === undefined ? [] : [marksPath(root)];
  try {
    const { paths = filesOfSummary(session) ?? [session.path] } = await reader.files() ?? {};
    return lookAtFollowed(session, [...paths, ...marks]);
  } catch (error) {
    if (error instanceof SessionError) return undefined;
    throw error;
  }
}
