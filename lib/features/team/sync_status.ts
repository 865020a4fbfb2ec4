/** Reports the sessions that a push and a pull would send and take, and those with several ends. */
import { present } from "../../core/event/present.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { rowsOf } from "../../library/query/candidate.ts";
import type { Library } from "../../library/library.ts";
import { commonParts, type HashedSegment } from "./branch_segments.ts";
import { LocalLog } from "./local_log.ts";
import { changedHeads } from "./pull/changed_heads.ts";
import { mirrorRef } from "./pull/mirror.ts";
import { trustedKeys } from "./state/device_key_file.ts";
import { isToPush, knownSession } from "./push/known_sessions.ts";
import { hasTerms, sessionsToShare, type SessionToShare, termsOf } from "./sessions_to_share.ts";
import { keyOf, type SessionKey } from "./sealed/session_key.ts";
import type { SyncSettings } from "./shared_project.ts";
import { readSyncState } from "./state/sync_state.ts";
import type { OtherTerms } from "./sync_report.ts";
import type { SharedBranch, SharedSummary, SharingTerms, TeamStore } from "./team_store.ts";

/** One end of a session that was continued differently on two machines. */
export interface DivergedEnd {
  /** The end's reference: the session here, or `team:<id>[@n]`. */
  ref: string;
  /** The `seq` of the last event; absent if unknown. */
  last_seq?: number;
  /** The label of the device that wrote this end. */
  device: string;
}

/** A session that went on differently on two machines. */
export interface DivergedSession {
  /** The session's id. */
  session: string;
  here: DivergedEnd;
  others: DivergedEnd[];
}

/** The count of the user's sessions in a store under the same terms. */
interface StoredSessions extends SharingTerms {
  sessions: number;
}

export interface SyncStatus {
  /** The store's id. */
  store: string;
  /** The member name of this connection. */
  owner: string;
  /** Number of sessions in the added projects, without withdrawn ones. */
  sessions: number;
  /** Counts of the user's sessions in the store, from all machines, by their terms in the store. */
  in_store: StoredSessions[];
  /** Sessions whose terms in the store differ from those that their projects ask for. */
  other_terms: OtherTerms[];
  /** Sessions that changed since the last push, or were never pushed. */
  to_push: string[];
  /** References to branches that changed since the last pull. */
  to_pull: string[];
  /** References to branches of which the store does not have all bytes yet. */
  incomplete: string[];
  /** References to sessions of the user that no trusted machine signed. */
  untrusted: string[];
  diverged: DivergedSession[];
  /** Ids of sessions that were withdrawn by any machine, and are not pushed again. */
  withdrawn: string[];
  /** Number of other agents' sessions in sealed projects, which are not shared. */
  left_out: number;
}

type Head = SharedBranch & { summary?: SharedSummary };

/**
 * Tells what a push and a pull would do. It writes nothing.
 *
 * @param library Where sessions are. @param store The connection.
 * @param settings The projects, and this device.
 * @param identities Secret keys of age. Without one no sealed session is compared.
 * @throws {SessionError} `unreachable`, `permission`, `unsupported-version`, `invalid-config`, `io`
 */
export async function syncStatus(
  library: Library,
  store: TeamStore,
  settings: SyncSettings,
  identities: readonly string[] = [],
): Promise<SyncStatus> {
  const { id, owner } = await store.hello(settings.device);
  const state = readSyncState(library.root, id, owner);
  const { sessions, left_out } = await sessionsToShare(library, settings.projects, () => {});
  const projects = settings.projects.map(({ project }) => project);
  const keys = trustedKeys(library.root, settings);
  const trust = { store: id, owner, keys };
  const pulling = await changedHeads({ store, state, root: library.root, trust }, { projects });
  const heads = await store.branches({ mine: true });
  const there = new Set(heads.map(({ session }) => session));
  const isGone = ({ id }: SessionToShare): boolean =>
    (knownSession(state, id)?.len ?? 0) > 0 && !there.has(id);
  const withdrawn = new Set([
    ...Object.keys(state.sessions).filter((one) => state.sessions[one]?.withdrawn),
    ...sessions.filter(isGone).map((share) => share.id),
  ]);
  const shared = sessions.filter((share) => !withdrawn.has(share.id));
  return {
    ...{ store: id, owner, sessions: shared.length, left_out },
    in_store: storedSessions(heads),
    other_terms: otherTerms(shared, heads),
    to_push: shared.filter((share) => isToPush(knownSession(state, share.id), share))
      .map((share) => share.id),
    to_pull: pulling.changed.map((branch) => mirrorRef(branch, owner)),
    incomplete: pulling.heads.filter(({ is_partial }) => is_partial)
      .map((branch) => mirrorRef(branch, owner)),
    untrusted: pulling.untrusted.map((branch) => mirrorRef(branch, owner)),
    diverged: await divergedSessions(library, store, sessions, heads, { id, settings, identities }),
    withdrawn: [...withdrawn],
  };
}

/** Counts the user's sessions by their terms in the store. */
function storedSessions(heads: readonly SharedBranch[]): StoredSessions[] {
  const sessions = new Map(heads.map((head) => [head.session, head]));
  const groups = Map.groupBy(
    sessions.values(),
    ({ project, form, visible }) => JSON.stringify({ project, form, visible }),
  );
  return [...groups].sort().map(([terms, { length }]) => ({
    ...JSON.parse(terms) as SharingTerms,
    sessions: length,
  }));
}

function otherTerms(
  shares: readonly SessionToShare[],
  heads: readonly SharedBranch[],
): OtherTerms[] {
  const stored = new Map(heads.map((head) => [head.session, head]));
  return shares.flatMap((share) => {
    const wanted = termsOf(share);
    const head = stored.get(share.id);
    if (head === undefined || hasTerms(head, wanted)) return [];
    const { project, form, visible } = head;
    return [{ session: share.id, shared: { project, form, visible }, wanted }];
  });
}

async function divergedSessions(
  library: Library,
  store: TeamStore,
  sessions: readonly SessionToShare[],
  heads: readonly SharedBranch[],
  { id: store_id, settings, identities }: {
    id: string;
    settings: SyncSettings;
    identities: readonly string[];
  },
): Promise<DivergedSession[]> {
  const counts = Map.groupBy(heads, ({ session }) => session);
  const forked = sessions.filter(({ id, form }) =>
    form !== "copy" && (counts.get(id)?.length ?? 0) > 1
  );
  if (forked.length === 0) return [];
  const ids = forked.map(({ id }) => id);
  const hashes = Map.groupBy(await store.hashes(ids), ({ session }) => session);
  const summarized = await store.summaries({ mine: true, sessions: ids });
  const families = Map.groupBy(summarized, ({ session }) => session);
  const listed = await rowsOf(forked.map(({ session }) => library.entry(session)));
  const rows = new Map(listed.map((row) => [row.ref, row]));
  const diverged: DivergedSession[] = [];
  for (const { id, session: { path } } of forked) {
    const branches = families.get(id) ?? [];
    const others = await otherEnds(
      path,
      branches,
      hashes.get(id) ?? [],
      async (branch) =>
        branch.form === "sealed" ? await keyOf(branch, store_id, identities) : undefined,
    );
    const here = endOf(id, settings.device.label, rows.get(id)?.last_seq);
    if (others.length > 0) diverged.push({ session: id, here, others });
  }
  return diverged;
}

/** Returns the ends of branches that continue differently from the local log. */
async function otherEnds(
  path: string,
  branches: readonly Head[],
  hashes: readonly HashedSegment[],
  keyFor: (branch: Head) => Promise<SessionKey | undefined>,
): Promise<DivergedEnd[]> {
  try {
    using log = new LocalLog(path);
    const key = branches[0] && await keyFor(branches[0]);
    const parts = commonParts(branches, hashes, log, key);
    // One that only goes on behind the log is no other end: a pull brings it.
    const others = parts.filter(({ next, len }) => next !== undefined && len < log.size);
    return branches.filter(({ n }) => others.some((part) => part.n === n)).map((branch) => {
      const { device: { label }, summary, owner } = branch;
      const last_seq = summary?.row.last_seq;
      const seq = typeof last_seq === "number" ? last_seq : undefined;
      return endOf(mirrorRef(branch, owner), label, seq);
    });
  } catch (error) {
    // Deleted meanwhile, without a key, or segments that do not fit together: a pull tells.
    if (error instanceof SessionError) return [];
    throw error;
  }
}

function endOf(ref: string, device: string, last_seq: number | undefined): DivergedEnd {
  return present({ ref, device, last_seq });
}
