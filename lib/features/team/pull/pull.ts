/** Pulls what other machines and members pushed. */
import { present } from "../../../core/event/present.ts";
import type { Library } from "../../../library/library.ts";
import { assertSafeStore } from "../../../core/store/store_safety.ts";
import { isAtEnd, isShared, knownSession } from "../push/known_sessions.ts";
import type { SyncSettings } from "../shared_project.ts";
import { trustedKeys } from "../state/device_key_file.ts";
import { rewrittenLogs } from "../state/rewritten_logs.ts";
import { readSyncState, type SyncState, writeSyncState } from "../state/sync_state.ts";
import { pullMarks } from "../sync_marks.ts";
import type { PullReport, SyncProgress } from "../sync_report.ts";
import type { SharedBranch, TeamStore } from "../team_store.ts";
import { type ChangedHeads, changedHeads } from "./changed_heads.ts";
import { mirrorRef } from "./mirror.ts";
import { localSessions, planSessions } from "./plan_sessions.ts";
import { PullExecutor } from "./pull_executor.ts";
import { relinkPulled } from "./relink_pulled.ts";
import { isOwn, type Trust } from "./trust.ts";

export interface PullOptions {
  /** Secret age keys that open sealed sessions. @default {none} */
  identities?: readonly string[];
  /** The ids of the only projects to pull. @default {all that may be read} */
  projects?: readonly string[];
  /** The full id of the only session to pull. Other changes wait for the next pull. */
  session?: string;
  onProgress?: (progress: SyncProgress) => void;
  /** Stops the pull between two sessions. What was already pulled stays. */
  signal?: AbortSignal;
  /** Returns the current time. @default {the system's clock} */
  now?: () => Date;
}

/** Number of sessions that are compared and downloaded in one go. */
const TOGETHER = 500;

/**
 * Pulls what changed since the last pull. Sessions of the user that a trusted machine signed come into
 * the store of this machine, byte for byte. One that is here gets what follows, if it
 * is a beginning of that. All else comes into a mirror, which is only read.
 *
 * @param library Where sessions are; its data root takes them. @param store The connection.
 * @param settings The projects, and this device. @param options Keys, and who is told.
 * @returns What came. One session that cannot be pulled stops no other: it is in `failed`.
 * @throws {SessionError} `unreachable`, `permission`, `unsupported-version`, `disk-full`,
 * `unsafe-store`, `io`: what stops all of it.
 */
export async function pull(
  library: Library,
  store: TeamStore,
  settings: SyncSettings,
  options: PullOptions = {},
): Promise<PullReport> {
  const { root } = library;
  assertSafeStore(root);
  const { received_bytes: before } = store.traffic;
  const { id, owner } = await store.hello(settings.device);
  const { identities = [], onProgress, signal, now: time = () => new Date() } = options;
  const now = time();
  const state = readSyncState(root, id, owner);
  const trust: Trust = { store: id, owner, keys: trustedKeys(root, settings) };
  const found = await changedHeads({ store, state, root, trust }, options);
  await store.deleteWithdrawn();
  const report = emptyReport(state, found);
  const executor = new PullExecutor({ root, store, state, report, now, onProgress });
  const local = localSessions(root, trust, found.changed);
  const rewritten = rewrittenLogs(root);
  // The next push replaces the old lines of a scrubbed session: they must not come back.
  const wanted = found.changed.filter((one) => !isOwn(trust, one) || !rewritten.has(one.session));
  for (const some of togetherBySession(wanted)) {
    signal?.throwIfAborted();
    const means = { root, store, state, identities, trust };
    const fail = executor.fail.bind(executor);
    await executor.run(await planSessions(means, local, some, fail));
  }
  report.relinked = await relinkPulled(library, settings.projects, executor.adopted, now);
  report.marks = await pullMarks(store, state, root, settings.device.id);
  // It may be signed later, or its machine trusted: it is asked for again.
  for (const { session } of found.untrusted) executor.waiting.add(session);
  // The next push compares what this machine sent with what the store has.
  if (report.failed.length > 0) delete state.checked_on;
  comparedAgain(state, found.heads);
  noteProgress(state, options, found.heads, executor.waiting);
  writeSyncState(root, state);
  report.received_bytes = store.traffic.received_bytes - before;
  return report;
}

function emptyReport(
  { store, owner }: SyncState,
  { heads, changed, untrusted }: ChangedHeads,
): PullReport {
  const incomplete = heads.filter(({ is_partial }) => is_partial);
  return {
    ...{ store, owner, changed: changed.length, adopted: [], extended: [], mirrored: [] },
    untrusted: untrusted.map((branch) => mirrorRef(branch, owner)),
    incomplete: incomplete.map((branch) => mirrorRef(branch, owner)),
    ...{ diverged: [], busy: [], sealed: [], failed: [], bytes: 0, received_bytes: 0 },
    ...{ relinked: [], marks: 0 },
  };
}

/**
 * Makes the next push compare sessions whose ends here and in the store differ. In a store without
 * locks, another device may have won the claim. A session that another device replaced is not compared.
 * Else the push would bring scrubbed secrets back.
 */
function comparedAgain(state: SyncState, heads: readonly SharedBranch[]): void {
  const own = heads.filter(({ owner }) => owner === state.owner);
  for (const [id, branches] of Map.groupBy(own, ({ session }) => session)) {
    const known = knownSession(state, id);
    if (!isShared(known) || known.behind) continue;
    const { epoch } = branches[0] as SharedBranch;
    if (isAtEnd(known, branches)) Object.assign(known, present({ epoch }));
    else if (known.epoch === undefined || known.epoch === epoch) known.state = [];
  }
}

/** Records up to which change the store was pulled. A single session's pull does not count. */
function noteProgress(
  state: SyncState,
  { session, projects }: PullOptions,
  heads: readonly SharedBranch[],
  waiting: ReadonlySet<string>,
): void {
  const before = session === undefined ? [] : state.waiting;
  state.waiting = [...new Set([...before, ...waiting])].sort();
  if (session !== undefined) return;
  const newest = heads.map(({ changed_at }) => changed_at).sort().at(-1) ?? "";
  if (newest > (state.pulled_at ?? "")) state.pulled_at = newest;
  // What is left out now has a gap from here on, also where it was pulled before.
  if (projects === undefined) delete state.pulled_projects;
  else state.pulled_projects = [...new Set(projects)].sort();
}

/** Yields groups of branches. All branches of a session are in the same group. */
function* togetherBySession(branches: readonly SharedBranch[]): Generator<SharedBranch[]> {
  const sessions = [...Map.groupBy(branches, ({ session }) => session).values()];
  for (let at = 0; at < sessions.length; at += TOGETHER) {
    yield sessions.slice(at, at + TOGETHER).flat();
  }
}
