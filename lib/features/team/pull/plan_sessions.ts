/** Asks the store and the disk about changed sessions, and plans their pull. */
import { eachLog } from "../../../core/store/session_folder.ts";
import { readRemovals } from "../../../core/store/trash/trash_record.ts";
import { commonParts, partsOf } from "../branch_segments.ts";
import { LocalLog } from "../local_log.ts";
import { keyOf } from "../sealed/session_key.ts";
import type { SegmentOpener } from "../segment_codec.ts";
import type { SyncState } from "../state/sync_state.ts";
import type { SharedBranch, TeamStore } from "../team_store.ts";
import { mirrorPlace, readMirrorNote } from "./mirror.ts";
import { planPull, type PullPlan, type SessionHere, type SessionToPull } from "./plan_pull.ts";
import { isOwn, isTrusted, type Trust } from "./trust.ts";

interface PlanMeans {
  root: string;
  store: TeamStore;
  state: SyncState;
  identities: readonly string[];
  trust: Trust;
}

interface LocalSessions {
  /** Absolute paths of the logs, by session id. */
  logs: ReadonlyMap<string, string>;
  /** The ids of deleted sessions. */
  removed: ReadonlySet<string>;
}

export interface PlannedSession {
  plan: PullPlan;
  all: readonly SharedBranch[];
  /** Absolute path of the session's log; undefined if this machine has none. */
  log: string | undefined;
  key: SegmentOpener | undefined;
}

/** Finds the user's sessions on this machine, as far as changed branches need them. */
export function localSessions(
  root: string,
  trust: Trust,
  changed: readonly SharedBranch[],
): LocalSessions {
  const own = changed.filter((branch) => isOwn(trust, branch));
  const logs = new Map(own.length === 0 ? [] : eachLog(root).map(({ id, path }) => [id, path]));
  if (own.every(({ session }) => logs.has(session))) return { logs, removed: new Set() };
  const removals = readRemovals(root).values();
  return { logs, removed: new Set(removals.map(({ tombstone }) => tombstone.session_id)) };
}

/**
 * Plans the pull of some sessions.
 *
 * @param onError Gets the failure of one session, and a branch of it.
 */
export async function planSessions(
  means: PlanMeans,
  local: LocalSessions,
  changed: readonly SharedBranch[],
  onError: (branch: SharedBranch, error: unknown) => void,
): Promise<PlannedSession[]> {
  const { store, trust } = means;
  const here = changed.filter((one) => isOwn(trust, one) && local.logs.has(one.session));
  const based = changed.filter((one) => one.base !== undefined || here.includes(one));
  const all = based.length === 0 ? [] : await store.branches({ sessions: sessionsOf(based) });
  const hashes = here.length === 0 ? [] : await store.hashes(sessionsOf(here));
  const families = Map.groupBy(all, sessionKey);
  const segments = Map.groupBy(hashes, ({ session }) => session);
  const planned: PlannedSession[] = [];
  for (const [key, branches] of Map.groupBy(changed, sessionKey)) {
    const [first] = branches;
    if (first === undefined) continue;
    try {
      const family = families.get(key) ?? branches;
      const found = { changed: branches, all: family, hashes: segments.get(first.session) ?? [] };
      planned.push(await planSession(means, local, first, found));
    } catch (error) {
      onError(first, error);
    }
  }
  return planned;
}

function sessionsOf(branches: readonly SharedBranch[]): string[] {
  return [...new Set(branches.map(({ session }) => session))];
}

function sessionKey({ owner, session }: SharedBranch): string {
  return JSON.stringify([owner, session]);
}

async function planSession(
  { root, state, identities, trust }: PlanMeans,
  { logs, removed }: LocalSessions,
  first: SharedBranch,
  found: Pick<SessionToPull, "changed" | "all" | "hashes">,
): Promise<PlannedSession> {
  const { session } = first;
  const { all } = found;
  const key = first.form === "sealed" ? await keyOf(first, state.store, identities) : undefined;
  // Of a session with too many branches none is pulled, and the report names it once.
  partsOf(first.n, all);
  const is_own = isOwn(trust, first);
  const trusted = new Set(all.filter((one) => isTrusted(trust, one)).map(({ n }) => n));
  const log = is_own ? logs.get(session) : undefined;
  const mirrored = new Map(all.flatMap((branch) => {
    const note = readMirrorNote(root, mirrorPlace(branch, state));
    return note === undefined ? [] : [[branch.n, note]];
  }));
  const here = {
    log: log === undefined ? undefined : logHere(log, found, key),
    was_removed: removed.has(session),
    mirrored,
  };
  return { plan: planPull({ ...found, is_own, trusted }, here), all, log, key };
}

function logHere(
  path: string,
  { all, hashes }: Pick<SessionToPull, "all" | "hashes">,
  key: SegmentOpener | undefined,
): SessionHere["log"] {
  using log = new LocalLog(path);
  return { size: log.info.size, parts: commonParts(all, hashes, log, key) };
}
