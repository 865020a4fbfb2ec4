/**
 * Finds the key that seals new lines of a session. Anybody may have wrapped the key that a store has.
 * If it does not count here, the session is claimed anew with another key.
 */
import { equalBytes } from "../../../core/event/bytes.ts";
import { present } from "../../../core/event/present.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import type { DeviceKey } from "../branch_signature.ts";
import {
  isKeySignature,
  type KeyPlace,
  type KeySignature,
  signKey,
} from "../sealed/key_signature.ts";
import { countedKey, type NotedKey, type OfferedKey } from "../sealed/key_trust.ts";
import { keyOf, SessionKey, signaturesOf } from "../sealed/session_key.ts";
import { type SessionToShare, termsOf } from "../sessions_to_share.ts";
import type { SyncedSession, SyncState } from "../state/sync_state.ts";
import type { SessionClaim, SharedBranch, TeamStore } from "../team_store.ts";
import type { SyncSettings } from "../shared_project.ts";
import type { RecipientMeans } from "./recipients.ts";
import { knownSession, recipientsOf } from "./known_sessions.ts";

export interface SealMeans extends RecipientMeans {
  store: TeamStore;
  state: SyncState;
  /** This device's id. */
  device: string;
  /** The key by which this machine signs. */
  machine: DeviceKey;
  /** Public keys of machines, this one's included, and fingerprints of data keys. */
  trusted: ReadonlySet<string>;
  settings: SyncSettings;
  now: () => Date;
}

/** A data key that this machine trusts, and its record. */
export interface SealingKey {
  key: SessionKey;
  noted: NotedKey;
  /** True for a session that was claimed anew: it has no bytes in the store. */
  is_anew?: true;
}

/** A new data key, and the claim of its session. */
interface ClaimedKey extends SealingKey {
  claim: SessionClaim;
}

/** Makes a data key for a session that is being claimed. */
export async function newKey(
  share: SessionToShare,
  { state, machine, now }: SealMeans,
): Promise<ClaimedKey> {
  const { id, project: { recipients = [] } } = share;
  const { store, owner } = state;
  const key = SessionKey.make({ store, owner, session: id });
  const claim = crypto.randomUUID();
  const made_at = laterTime(now(), knownSession(state, id));
  const { fingerprint } = key;
  const signatures = [{ store, owner, session: id, claim }, { store, owner, session: id }]
    .map((place) => signKey(machine, place, fingerprint, made_at));
  const keys = await key.wrap(recipients, signatures);
  return {
    ...{ key, noted: { is: fingerprint, made_at } },
    claim: { id, ...termsOf(share), keys, claim },
  };
}

/**
 * Returns the key of a session that is sealed already, and wraps it anew if its recipients changed.
 *
 * @returns Undefined if the store's key does not count here.
 * @throws {SessionError} `encrypted` where no identity fits.
 */
export async function storedKey(
  share: SessionToShare,
  branches: readonly SharedBranch[],
  means: SealMeans,
): Promise<SealingKey | undefined> {
  const { store, state, machine } = means;
  const { id, form, project: { recipients = [] } } = share;
  const [branch] = branches;
  const key = branch && await openedKey(branch, means);
  if (key === undefined) return undefined;
  const offered = await offeredKey(branch as SharedBranch, key, state.store);
  const known = knownSession(state, id);
  const noted = countedKey(offered, {
    ...{ own: machine.id, trusted: means.trusted, noted: known?.key ?? undefined },
  });
  if (noted === undefined) return undefined;
  const made_at = noted.made_at || means.now().toISOString();
  const found = { key, noted: { ...noted, made_at } };
  const is_other = known?.recipients !== recipientsOf(recipients, form);
  const is_old = made_at < (means.settings.keys_since ?? "");
  // Who could read before has the key: what comes needs another one.
  if (is_old || is_other && known?.recipients !== undefined) {
    return await rewrapped(share, key.next(), offered.place, means);
  }
  if (!is_other && offered.signatures.length > 0) return found;
  const own = signKey(machine, offered.place, key.fingerprint, made_at);
  const kept = trustedSignatures(offered, means).filter(({ by }) => by !== own.by);
  const keys = await key.wrap(recipients, [own, ...kept]);
  await store.rekey(id, keys);
  return found;
}

/** Wraps a new key, signed by this machine alone. */
async function rewrapped(
  { id, project: { recipients = [] } }: SessionToShare,
  key: SessionKey,
  place: KeyPlace,
  { store, state, machine, now }: SealMeans,
): Promise<SealingKey> {
  const made_at = laterTime(now(), knownSession(state, id));
  const signature = signKey(machine, place, key.fingerprint, made_at);
  if (!await store.rekey(id, await key.wrap(recipients, [signature]))) throw claimedMeanwhile();
  return { key, noted: { is: key.fingerprint, made_at } };
}

/** Returns an ISO time behind the last key's, even if its maker's clock is ahead. */
function laterTime(now: Date, known: SyncedSession | undefined): string {
  const before = known?.key?.made_at;
  const made = Math.max(now.getTime(), before === undefined ? 0 : Date.parse(before) + 1 || 0);
  return new Date(made).toISOString();
}

/** Opens the key of a branch; undefined if it has none, or its bytes are not a key. */
async function openedKey(
  branch: SharedBranch,
  { state, identities }: SealMeans,
): Promise<SessionKey | undefined> {
  const keys = typeof identities === "function" ? await identities() : identities;
  try {
    return await keyOf(branch, state.store, keys);
  } catch (error) {
    const is_none = error instanceof SessionError &&
      (error.code === "damaged" || error.code === "unsupported-source");
    if (is_none) return undefined;
    throw error;
  }
}

/** Reads a branch's key as the store offers it: its fingerprint, place and signatures. */
export async function offeredKey(
  { owner, session, claim, keys = new Uint8Array() }: SharedBranch,
  { fingerprint }: SessionKey,
  store: string,
): Promise<OfferedKey> {
  const place: KeyPlace = present({ store, owner, session, claim });
  return { fingerprint, place, signatures: await signaturesOf(keys) };
}

function trustedSignatures(
  { fingerprint, place, signatures }: OfferedKey,
  { trusted }: SealMeans,
): KeySignature[] {
  return signatures.filter((one) => trusted.has(one.by) && isKeySignature(one, place, fingerprint));
}

/**
 * Claims a session whose key in the store does not count here anew.
 *
 * What is there is deleted: nobody can read new lines beside it.
 */
export async function claimAnew(share: SessionToShare, means: SealMeans): Promise<SealingKey> {
  const { store, device } = means;
  const { id } = share;
  const { claim, ...made } = await newKey(share, means);
  const outcome = (await store.claim([{ ...claim, replace: true, anew: true }], device)).get(id);
  const [branch] = await store.branches({ mine: true, sessions: [id] });
  const is_own = branch?.keys !== undefined && claim.keys !== undefined &&
    equalBytes(branch.keys, claim.keys);
  if (outcome === "open" && is_own) return { ...made, is_anew: true };
  throw claimedMeanwhile();
}

function claimedMeanwhile(): SessionError {
  const message = "Cannot push session: another machine just shared the same session; try again";
  return new SessionError("io", message);
}
