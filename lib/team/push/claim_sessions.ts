/** Opens sessions in the store before their first bytes go there, and the keys of sealed ones. */
import { Buffer } from "node:buffer";
import { SessionError } from "../../event/session_error.ts";
import { type SealedPlace, SessionKey } from "../sealed/session_key.ts";
import { type SessionToShare, termsOf } from "../sessions_to_share.ts";
import type { SessionClaim, SharedBranch, TeamStore } from "../team_store.ts";

/** What came of claims. */
export interface Claimed {
  withdrawn: ReadonlySet<string>;
  /** The keys of sealed sessions that were made just now. */
  keys: ReadonlyMap<string, SessionKey>;
}

/** Claims sessions that have no branch, or that are to be shared anew. */
export async function claimSessions(
  store: TeamStore,
  shares: readonly SessionToShare[],
  device: string,
  { replace, ...place }: Omit<SealedPlace, "session"> & { replace: boolean },
): Promise<Claimed> {
  const keys = new Map<string, SessionKey>();
  const claims: SessionClaim[] = [];
  for (const share of shares) {
    const { id, form, project: { recipients = [] } } = share;
    const claim: SessionClaim = { id, ...termsOf(share), replace };
    if (form === "sealed") {
      const key = SessionKey.make({ ...place, session: id });
      claim.keys = await key.wrap(recipients);
      keys.set(id, key);
    }
    claims.push(claim);
  }
  if (claims.length === 0) return { withdrawn: new Set(), keys };
  const outcomes = await store.claim(claims, device);
  await dropOthersKeys(store, claims, keys);
  const withdrawn = [...outcomes].filter(([, outcome]) => outcome === "withdrawn");
  return { withdrawn: new Set(withdrawn.map(([id]) => id)), keys };
}

/** Another device may have claimed a session in the same moment: then its key is the one to use. */
async function dropOthersKeys(
  store: TeamStore,
  claims: readonly SessionClaim[],
  keys: Map<string, SessionKey>,
): Promise<void> {
  if (keys.size === 0) return;
  const branches = await store.branches({ mine: true, sessions: [...keys.keys()] });
  const kept = new Map(branches.map((branch) => [branch.session, branch.keys]));
  for (const { id, keys: made } of claims) {
    const is = made !== undefined && Buffer.compare(made, kept.get(id) ?? new Uint8Array()) === 0;
    if (!is) keys.delete(id);
  }
}

/**
 * Unwraps the key of a session that is sealed already.
 *
 * @throws {SessionError} `encrypted` where no identity fits.
 */
export async function keyOf(
  { owner, session, keys }: Pick<SharedBranch, "owner" | "session" | "keys">,
  store: string,
  identities: readonly string[],
): Promise<SessionKey> {
  if (keys !== undefined) return await SessionKey.open(keys, { store, owner, session }, identities);
  throw new SessionError("damaged", "Cannot open sealed session: the store has no key of it");
}
