/** Takes a shared session back. */
import { SessionError } from "../../core/event/session_error.ts";
import type { Library } from "../../library/library.ts";
import { knownSession } from "./push/known_sessions.ts";
import type { SyncSettings } from "./shared_project.ts";
import { readSyncState, writeSyncState } from "./state/sync_state.ts";
import type { TeamStore } from "./team_store.ts";

/**
 * Deletes the bytes of one of the user's sessions in a store, and its titles. A tombstone stays: no
 * device pushes it again. What other members pulled before stays with them.
 *
 * @param library Its data root keeps what is known of the store. @param store The connection.
 * @param settings This device. @param session The session's full id in the store.
 * @throws {SessionError} `not-found` where the user shares no such session; `unreachable`,
 * `permission`, `io`
 */
export async function withdraw(
  library: Library,
  store: TeamStore,
  settings: SyncSettings,
  session: string,
): Promise<void> {
  const { id, owner } = await store.hello(settings.device);
  if (!await store.withdraw(session)) {
    const message = `Cannot withdraw session: you do not share a session with this id: ${session}`;
    throw new SessionError("not-found", message, { ref: session });
  }
  const state = readSyncState(library.root, id, owner);
  const { project = "", form = "copy" } = knownSession(state, session) ?? {};
  const nowhere = { n: 0, len: 0, head: "", state: [] };
  state.sessions[session] = { project, form, ...nowhere, withdrawn: true };
  writeSyncState(library.root, state);
}
