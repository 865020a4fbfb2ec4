/**
 * Asks the store and the library about the sessions to push, in a few questions for all. It claims
 * new ones.
 */
import { equalBytes } from "../../event/bytes.ts";
import type { Library } from "../../library/library.ts";
import { rowsOf } from "../../library/candidate.ts";
import { keyOf, type SealedPlace, SessionKey } from "../sealed/session_key.ts";
import { hasTerms, type SessionToShare, termsOf } from "../sessions_to_share.ts";
import type { SyncState } from "../state/sync_state.ts";
import { forgetMarks } from "../sync_marks.ts";
import type { SessionClaim, SharedBranch, SharingTerms, TeamStore } from "../team_store.ts";
import { isAtEnd, knownSession, recipientsOf } from "./known_sessions.ts";
import type { PushSubject } from "./push_executor.ts";

/** The store and the library to ask, and this device. */
interface AskMeans {
  library: Library;
  store: TeamStore;
  state: SyncState;
  /** This device's id. */
  device: string;
  /** Secret keys for sessions that are sealed already, or what finds them. */
  identities: readonly string[] | (() => Promise<readonly string[]>);
  /** True to share sessions anew that are shared under other terms. */
  replace: boolean;
}

interface ToldOfSessions {
  withdrawn: ReadonlySet<string>;
  /** The terms of sessions that are shared otherwise than their projects ask for. */
  other_terms: ReadonlyMap<string, SharingTerms>;
  /**
   * Gathers the facts of one session.
   *
   * @throws {SessionError} `encrypted` where no identity opens a sealed one.
   */
  subject(share: SessionToShare): Promise<PushSubject>;
}

/** Asks about sessions, and claims those that are not shared yet. */
export async function askAbout(
  shares: readonly SessionToShare[],
  means: AskMeans,
): Promise<ToldOfSessions> {
  const { library, store, state, device } = means;
  const sessions = shares.map(({ id }) => id);
  const { store: id, owner } = state;
  let branches = await branchesOf(store, sessions);
  const unclaimed = shares.filter((share) => {
    const terms = branches.get(share.id)?.[0];
    return terms === undefined || means.replace && !hasTerms(terms, termsOf(share));
  });
  const place = { store: id, owner, replace: means.replace };
  const claimed = await claimSessions(store, unclaimed, device, place);
  const replaced = unclaimed.filter((share) => branches.has(share.id));
  // They have lost their branches; another device may have been faster.
  if (replaced.length > 0) branches = await branchesOf(store, sessions);
  // They have lost their marks, too: those of the new form are sent.
  for (const share of replaced) forgetMarks(state, share.id);
  const other_terms = new Map(shares.flatMap((share) => {
    const terms = branches.get(share.id)?.[0];
    if (terms === undefined || hasTerms(terms, termsOf(share))) return [];
    const { project, form, visible } = terms;
    return [[share.id, { project, form, visible }]];
  }));
  // Those that do not end where this machine left them.
  const elsewhere = shares.flatMap(({ id, form }) => {
    const own = branches.get(id);
    return own === undefined || form !== "copy" && isAtEnd(knownSession(state, id), own)
      ? []
      : [id];
  });
  const hashes = Map.groupBy(
    elsewhere.length === 0 ? [] : await store.hashes(elsewhere),
    ({ session }) => session,
  );
  const listed = await rowsOf(shares.map(({ session }) => library.entry(session)));
  const rows = new Map(listed.map((row) => [row.ref, row]));
  return {
    ...{ withdrawn: claimed.withdrawn, other_terms },
    async subject(share): Promise<PushSubject> {
      const own = branches.get(share.id) ?? [];
      const key = claimed.keys.get(share.id) ?? await sealingKey(share, own, means);
      return {
        ...{ share, known: knownSession(state, share.id), branches: own, key },
        row: rows.get(share.id),
        hashes: async () => hashes.get(share.id) ?? await store.hashes([share.id]),
      };
    },
  };
}

async function branchesOf(
  store: TeamStore,
  sessions: readonly string[],
): Promise<Map<string, SharedBranch[]>> {
  return Map.groupBy(await store.branches({ mine: true, sessions }), ({ session }) => session);
}

/** Returns the key of a sealed session, and wraps it anew if its recipients changed. */
async function sealingKey(
  { id, form, project: { recipients = [] } }: SessionToShare,
  [branch]: readonly SharedBranch[],
  { store, state, identities }: AskMeans,
): Promise<SessionKey | undefined> {
  if (form !== "sealed") return undefined;
  const asked = branch ?? (await store.branches({ mine: true, sessions: [id] }))[0];
  if (asked === undefined) return undefined;
  const keys = typeof identities === "function" ? await identities() : identities;
  const key = await keyOf(asked, state.store, keys);
  if (knownSession(state, id)?.recipients !== recipientsOf(recipients, form)) {
    await store.rekey(id, await key.wrap(recipients));
  }
  return key;
}

interface Claimed {
  withdrawn: ReadonlySet<string>;
  /** The keys of sealed sessions that were made just now. */
  keys: ReadonlyMap<string, SessionKey>;
}

/** Claims sessions that have no branch, or that are to be shared anew. */
async function claimSessions(
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

/** Drops the keys of sessions that another device claimed in the same moment. Its keys hold. */
async function dropOthersKeys(
  store: TeamStore,
  claims: readonly SessionClaim[],
  keys: Map<string, SessionKey>,
): Promise<void> {
  if (keys.size === 0) return;
  const branches = await store.branches({ mine: true, sessions: [...keys.keys()] });
  const kept = new Map(branches.map((branch) => [branch.session, branch.keys]));
  for (const { id, keys: made } of claims) {
    const is = made !== undefined && equalBytes(made, kept.get(id) ?? new Uint8Array());
    if (!is) keys.delete(id);
  }
}
