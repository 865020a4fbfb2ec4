/** Tells which shared sessions a search on this machine cannot see. */
import { mirroredLogs } from "../../core/store/remote_mirror.ts";
import { knownSession } from "./push/known_sessions.ts";
import { knownStates } from "./state/sync_state.ts";

/** Shared sessions that are not on this machine. */
interface UnsearchedSessions {
  /** Number of sessions that the last pull could not take, as sealed ones without identity. */
  sessions: number;
  /** True if the last pull included all projects. Else the store may have more. */
  is_all: boolean;
}

/** Counts shared sessions that the last pull saw but that are not on this machine. */
export function unsearchedSessions(root: string): UnsearchedSessions {
  const states = knownStates(root);
  const mirrored = new Set([...mirroredLogs(root)].map(({ session }) => session));
  const lacking = states.flatMap((state) =>
    state.waiting.filter((id) => !mirrored.has(id) && knownSession(state, id) === undefined)
  );
  const is_all = states.length > 0 &&
    states.every(({ pulled_at, pulled_projects }) =>
      pulled_at !== undefined && pulled_projects === undefined
    );
  return { sessions: new Set(lacking).size, is_all };
}
