/** Asks the store and the library what is needed to push some sessions: a few questions for all. */
import type { Library } from "../../library/library.ts";
import { rowsOf } from "../../library/candidate.ts";
import type { SessionKey } from "../sealed/session_key.ts";
import { hasTerms, type SessionToShare, termsOf } from "../sessions_to_share.ts";
import type { SyncState } from "../state/sync_state.ts";
import type { SharedBranch, SharingTerms, TeamStore } from "../team_store.ts";
import { claimSessions, keyOf } from "./claim_sessions.ts";
import { isAtEnd, knownSession, recipientsOf } from "./known_sessions.ts";
import type { PushSubject } from "./push_executor.ts";

/** Who asks, and who is asked. */
export interface AskMeans {
  library: Library;
  store: TeamStore;
  state: SyncState;
  /** This device's id. */
  device: string;
  /** Secret keys for sessions that are sealed already. */
  identities: readonly string[];
  /** True to share sessions anew that are shared under other terms. */
  replace: boolean;
}

/** What was told of some sessions. */
export interface ToldOfSessions {
  withdrawn: ReadonlySet<string>;
  /** The terms of sessions that are shared otherwise than their projects ask for. */
  other_terms: ReadonlyMap<string, SharingTerms>;
  /**
   * Puts together what is known of one.
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
  // A session that was shared anew has lost its branches; another device may have been faster.
  if (unclaimed.some((share) => branches.has(share.id))) {
    branches = await branchesOf(store, sessions);
  }
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

/** The key of a session that is sealed already, wrapped anew if its recipients changed. */
async function sealingKey(
  { id, form, project: { recipients = [] } }: SessionToShare,
  [branch]: readonly SharedBranch[],
  { store, state, identities }: AskMeans,
): Promise<SessionKey | undefined> {
  if (form !== "sealed") return undefined;
  const asked = branch ?? (await store.branches({ mine: true, sessions: [id] }))[0];
  if (asked === undefined) return undefined;
  const key = await keyOf(asked, state.store, identities);
  if (knownSession(state, id)?.recipients !== recipientsOf(recipients, form)) {
    await store.rekey(id, await key.wrap(recipients));
  }
  return key;
}
