/**
 * Asks the store and the library about the sessions to push, in a few questions for all. It claims
 * new ones.
 */
import { equalBytes } from "../../../core/event/bytes.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import type { Library } from "../../../library/library.ts";
import { rowsOf } from "../../../library/query/candidate.ts";
import { hasTerms, type SessionToShare, termsOf } from "../sessions_to_share.ts";
import { forgetMarks } from "../sync_marks.ts";
import type { SessionClaim, SharedBranch, SharingTerms, TeamStore } from "../team_store.ts";
import type { HashedSegment } from "../branch_segments.ts";
import { isAtEnd, knownSession } from "./known_sessions.ts";
import type { PushSubject } from "./push_executor.ts";
import { claimRewritten, isToReplace, isWrittenHere } from "./rewritten_session.ts";
import { claimAnew, newKey, type SealingKey, type SealMeans, storedKey } from "./sealing_key.ts";

interface AskMeans extends SealMeans {
  library: Library;
  /** True to withdraw sessions that are shared under other terms, and share them again. */
  replace: boolean;
  /** True to claim sealed sessions anew, with new keys. */
  rekey: boolean;
  /** Ids of sessions whose logs were rewritten here: what the store has of them is replaced. */
  rewritten: ReadonlySet<string>;
  /** Receives each session that was claimed anew: this machine does not trust its stored key. */
  onAnew(session: string): void;
}

interface ToldOfSessions {
  withdrawn: ReadonlySet<string>;
  /** The current terms of sessions whose projects ask for other terms. */
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
  const { library, store, state } = means;
  const sessions = shares.map(({ id }) => id);
  let branches = await branchesOf(store, sessions);
  const unclaimed = shares.filter((share) => {
    const terms = branches.get(share.id)?.[0];
    return terms === undefined || means.replace && !hasTerms(terms, termsOf(share));
  });
  const claimed = await claimSessions(unclaimed, means);
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
      const asked = async (): Promise<HashedSegment[]> =>
        hashes.get(share.id) ?? await store.hashes([share.id]);
      const is_replaced = means.rewritten.has(share.id) &&
        await isToReplace(share, own, { state, hashes: asked });
      const sealing = claimed.keys.get(share.id) ??
        await (is_replaced ? claimRewritten(share, means) : sealingKey(share, own, means));
      return {
        ...{ share, known: knownSession(state, share.id), ...sealing },
        branches: sealing?.is_anew || is_replaced ? [] : own,
        epoch: (own[0]?.epoch ?? 0) + (sealing?.is_anew || is_replaced ? 2 : 0),
        row: rows.get(share.id),
        hashes: asked,
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

/** Returns the key that seals new lines of a session; undefined for one that is not sealed. */
async function sealingKey(
  share: SessionToShare,
  branches: readonly SharedBranch[],
  means: AskMeans,
): Promise<SealingKey | undefined> {
  const { id, form } = share;
  if (form !== "sealed") return undefined;
  const asked = branches.length > 0
    ? branches
    : await means.store.branches({ mine: true, sessions: [id] });
  if (means.rekey) {
    // Claiming anew deletes what is there: it must all be here.
    if (!isWrittenHere(means.state, id, asked)) throw notAllHere();
  } else {
    const stored = await storedKey(share, asked, means);
    if (stored !== undefined) return stored;
  }
  const made = await claimAnew(share, means);
  means.onAnew(id);
  return made;
}

function notAllHere(): SessionError {
  const message = "Cannot encrypt session again: another machine continued it. To fetch its " +
    "events first: reprise sync pull";
  return new SessionError("io", message);
}

interface Claimed {
  withdrawn: ReadonlySet<string>;
  /** The new keys of the sealed sessions that were just claimed, by session id. */
  keys: ReadonlyMap<string, SealingKey>;
}

/** Claims sessions that have no branch, or that are to be shared again. */
async function claimSessions(
  shares: readonly SessionToShare[],
  means: AskMeans,
): Promise<Claimed> {
  const { store, device, replace } = means;
  const keys = new Map<string, SealingKey>();
  const claims: SessionClaim[] = [];
  for (const share of shares) {
    if (share.form === "sealed") {
      const { claim, ...made } = await newKey(share, means);
      claims.push({ ...claim, replace });
      keys.set(share.id, made);
    } else claims.push({ id: share.id, ...termsOf(share), replace });
  }
  if (claims.length === 0) return { withdrawn: new Set(), keys };
  const outcomes = await store.claim(claims, device);
  await dropOthersKeys(store, claims, keys);
  const withdrawn = [...outcomes].filter(([, outcome]) => outcome === "withdrawn");
  return { withdrawn: new Set(withdrawn.map(([id]) => id)), keys };
}

/** Removes new keys of sessions that another device claimed just then: its keys are used. */
async function dropOthersKeys(
  store: TeamStore,
  claims: readonly SessionClaim[],
  keys: Map<string, SealingKey>,
): Promise<void> {
  if (keys.size === 0) return;
  const branches = await store.branches({ mine: true, sessions: [...keys.keys()] });
  const kept = new Map(branches.map((branch) => [branch.session, branch.keys]));
  for (const { id, keys: made } of claims) {
    const is = made !== undefined && equalBytes(made, kept.get(id) ?? new Uint8Array());
    if (!is) keys.delete(id);
  }
}
