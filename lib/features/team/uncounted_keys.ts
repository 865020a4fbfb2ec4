/** Lists the keys of the user's sealed sessions that do not count here: a push would make others. */
import { SessionError } from "../../core/event/session_error.ts";
import { knownSession } from "./push/known_sessions.ts";
import { offeredKey } from "./push/sealing_key.ts";
import { countedKey } from "./sealed/key_trust.ts";
import { keyOf } from "./sealed/session_key.ts";
import type { SyncSettings } from "./shared_project.ts";
import { deviceKey, trustedKeys } from "./state/device_key_file.ts";
import { readSyncState } from "./state/sync_state.ts";
import type { TeamStore } from "./team_store.ts";

interface UncountedKey {
  session: string;
  /** The key's fingerprint, which the user gives to accept the key. */
  fingerprint: string;
  /** Public keys of the machines that claim to have signed the key. */
  signers: string[];
}

/**
 * Asks a store for the keys of the user's sealed sessions.
 *
 * @param root The data root. @param identities Secret keys. What none of them opens is left out.
 */
export async function uncountedKeys(
  root: string,
  store: TeamStore,
  settings: SyncSettings,
  identities: readonly string[],
): Promise<UncountedKey[]> {
  const { id, owner } = await store.hello(settings.device);
  const state = readSyncState(root, id, owner);
  const trust = { own: deviceKey(root).id, trusted: trustedKeys(root, settings) };
  const found = new Map<string, UncountedKey>();
  for (const branch of await store.branches({ mine: true })) {
    const { session, form } = branch;
    if (form !== "sealed" || found.has(session)) continue;
    const known = knownSession(state, session);
    try {
      const offered = await offeredKey(branch, await keyOf(branch, id, identities), id);
      if (countedKey(offered, { ...trust, noted: known?.key ?? undefined }) !== undefined) continue;
      const signers = offered.signatures.map(({ by }) => by);
      found.set(session, { session, fingerprint: offered.fingerprint, signers });
    } catch (error) {
      // No identity opens it, or it is no key.
      if (!(error instanceof SessionError)) throw error;
    }
  }
  return [...found.values()];
}
