/** Tells when a session changes. It looks now and then, which works on every file system. */
import { SessionError } from "../../../core/event/session_error.ts";
import { pause } from "../../../core/platform/pause.ts";
import type { SessionReader } from "../../../agents/contract/agent.ts";
import { isSameState, lookAtSession, type SeenState } from "../../catalogue/session_state.ts";

const LOOK_MS = 300;

/** Yields at once, then after each change of a session's files, until the signal aborts. */
export async function* sessionChanges(
  reader: SessionReader,
  signal: AbortSignal,
): AsyncGenerator<void> {
  let before: SeenState | undefined;
  while (!signal.aborted) {
    const state = await look(reader);
    if (signal.aborted) return;
    if (state !== undefined && (before === undefined || !isSameState(before, state))) {
      before = state;
      yield;
    }
    await pause(LOOK_MS, signal);
  }
}

async function look(reader: SessionReader): Promise<SeenState | undefined> {
  try {
    return lookAtSession(reader.session, (await reader.files())?.paths);
  } catch (error) {
    // Its agent may be replacing it: the next look tells.
    if (error instanceof SessionError) return undefined;
    throw error;
  }
}
