/** Pushes the sessions of the projects that were added. */
import { SessionError } from "../../../core/event/session_error.ts";
import type { Library } from "../../../library/library.ts";
import { pause } from "../../../core/platform/pause.ts";
import { sessionsToShare, type SessionToShare, termsOf } from "../sessions_to_share.ts";
import type { SyncSettings } from "../shared_project.ts";
import { deviceKey, trustedKeys } from "../state/device_key_file.ts";
import { dropRewritten, rewrittenLogs } from "../state/rewritten_logs.ts";
import { readSyncState, type SyncState, writeSyncState } from "../state/sync_state.ts";
import { pushMarks } from "../sync_marks.ts";
import type { PushReport, StoreCheckReport, SyncProgress } from "../sync_report.ts";
import type { TeamStore } from "../team_store.ts";
import {
  isChanged,
  isShared,
  knownSession,
  otherTermsRecord,
  withdrawnRecord,
} from "./known_sessions.ts";
import type { SealMeans } from "./sealing_key.ts";
import { FATAL } from "./fatal.ts";
import type { PushExecutor, PushMeans } from "./push_executor.ts";

export interface PushOptions {
  /** The program and its version, for the rows of lists. @default {"reprise"} */
  made_by?: string;
  /**
   * Secret age keys for sealed sessions, or a function that finds them. Not needed if nothing is
   * new. @default {none}
   */
  identities?: readonly string[] | (() => Promise<readonly string[]>);
  /**
   * True to withdraw sessions whose terms differ from those of their projects, and share them
   * again. Members keep what they pulled before. @default {false}
   */
  replace?: boolean;
  /** True to encrypt sealed sessions again, with keys that removed machines lack. @default {false} */
  rekey?: boolean;
  /**
   * True to compare now what was sent with what the store has, and to send lost bytes alone. Else the
   * first push of a day compares. @default {false}
   */
  check?: boolean;
  onProgress?: (progress: SyncProgress) => void;
  /** Stops the push between two sessions. What was already sent stays. */
  signal?: AbortSignal;
  /** Returns the current time. @default {the system's clock} */
  now?: () => Date;
}

/** Number of sessions that the store is asked about in one query. */
const TOGETHER = 1000;
/** The most times that a session is compared while other devices push it. */
const ROUNDS = 40;
const PAUSE_MS = 20;

/**
 * Pushes what changed in the sessions of some projects since the last push. Nothing in the store is
 * overwritten: where another machine went on elsewhere, a branch begins.
 *
 * @param library Where sessions are; its data root keeps what is known of the store.
 * @param store The connection. @param settings The projects, and this device.
 * @param options Who is told, and what stops it.
 * @returns What was sent. One session that cannot be pushed stops no other: it is in `failed`.
 * @throws {SessionError} `unreachable`, `permission`, `unsupported-version`, `disk-full`,
 * `invalid-config`, `io`: what stops all of it.
 */
export async function push(
  library: Library,
  store: TeamStore,
  settings: SyncSettings,
  options: PushOptions = {},
): Promise<PushReport> {
  const { id, owner } = await store.hello(settings.device);
  const state = readSyncState(library.root, id, owner);
  const report = emptyReport(state);
  const { sent_bytes: before } = store.traffic;
  const { sessions, left_out } = await sessionsToShare(
    library,
    settings.projects,
    ({ message }) => report.failed.push({ session: "", message }),
  );
  const checked = await checkStore({ library, store, state, settings, options }, sessions);
  if (checked !== undefined) report.check = checked;
  const rewritten = rewrittenLogs(library.root);
  const changed = sessions.filter((share) =>
    options.check
      ? checked?.cut.includes(share.id)
      : isToPush(state, share, options) || rewritten.has(share.id)
  );
  Object.assign(report, { sessions: sessions.length, changed: changed.length, left_out });
  const marks_before = JSON.stringify(state.marks_file);
  let is_noted = checked !== undefined;
  const note: PushMeans["note"] = (id, record) => {
    state.sessions[id] = record;
    is_noted = true;
    const stamp = rewritten.get(id);
    if (stamp === undefined || record.shared_as !== undefined) return;
    if (!record.withdrawn && record.form !== "copy") report.replaced.push(id);
    dropRewritten(library.root, id, stamp);
  };
  try {
    const run = { library, store, state, settings, note, options, report, rewritten };
    await pushAll(run, changed);
    if (changed.length > 0) await store.deleteWithdrawn();
    report.sessions = sessions.filter(({ id }) => !knownSession(state, id)?.withdrawn).length;
    if (!options.check) await sendMarks(run, sessions);
  } finally {
    report.sent_bytes = store.traffic.sent_bytes - before;
    const is_other = is_noted || JSON.stringify(state.marks_file) !== marks_before;
    if (is_other) writeSyncState(library.root, state);
  }
  return report;
}

/** Compares the store with what was sent, once a day. Returns undefined if that was done today. */
async function checkStore(
  run: Pick<PushRun, "library" | "store" | "state" | "settings" | "options">,
  sessions: readonly SessionToShare[],
): Promise<StoreCheckReport | undefined> {
  const { store, state, options: { check = false, now = () => new Date() } } = run;
  const today = now().toISOString().slice(0, "YYYY-MM-DD".length);
  if (!check && (state.checked_on === today || store.restore === undefined)) return undefined;
  const { restoreLost } = await import("./restore_lost.ts");
  const report = await restoreLost(sessions, sealMeans(run), check);
  if (report.lost.length === 0) state.checked_on = today;
  else delete state.checked_on;
  return report;
}

function sealMeans(
  { library: { root }, store, state, settings, options }: Pick<
    PushRun,
    "library" | "store" | "state" | "settings" | "options"
  >,
): SealMeans {
  const { identities = [], now = () => new Date() } = options;
  const device = settings.device.id;
  const trusted = trustedKeys(root, settings);
  return { store, state, device, settings, machine: deviceKey(root), trusted, identities, now };
}

async function sendMarks(
  { library: { root }, store, state, settings, report }: PushRun,
  sessions: readonly SessionToShare[],
): Promise<void> {
  const shared = new Map(
    sessions.filter(({ id }) => isShared(knownSession(state, id))).map((
      { id, form },
    ) => [id, form]),
  );
  const has_new = report.began > 0;
  const device = settings.device.id;
  const { sent, refused } = await pushMarks({ store, state, root, device, shared, has_new });
  report.marks = sent;
  if (refused !== undefined) report.marks_refused = refused;
}

function emptyReport({ store, owner }: SyncState): PushReport {
  return {
    ...{ store, owner, sessions: 0, changed: 0, pushed: 0, began: 0, bytes: 0, sent_bytes: 0 },
    ...{ branches: [], behind: [], withdrawn: [], other_terms: [], sealed_anew: [], failed: [] },
    ...{ replaced: [], left_out: 0, marks: 0 },
  };
}

function isToPush(
  state: SyncState,
  share: SessionToShare,
  { replace = false, rekey = false }: PushOptions,
): boolean {
  const known = knownSession(state, share.id);
  return isChanged(known, share) || replace && known?.shared_as !== undefined ||
    rekey && share.form === "sealed" && isShared(known);
}

interface PushRun {
  library: Library;
  store: TeamStore;
  state: SyncState;
  settings: SyncSettings;
  note: PushMeans["note"];
  /** Stamps of logs that were rewritten here, by session. */
  rewritten: ReadonlyMap<string, string>;
  options: PushOptions;
  report: PushReport;
}

/** Pushes sessions in groups. Repeats those that other devices pushed meanwhile. */
async function pushAll(run: PushRun, changed: readonly SessionToShare[]): Promise<void> {
  const { library, store, state, settings, note, report, options } = run;
  const device = settings.device.id;
  if (changed.length === 0) return;
  const { made_by = "reprise", onProgress, now = () => new Date() } = options;
  // Redaction takes longer to load than a push with nothing new takes.
  const { PushExecutor } = await import("./push_executor.ts");
  const key = deviceKey(library.root);
  const executor = new PushExecutor({
    ...{ library, store, owner: state.owner, device, note, report, made_by, onProgress, now },
    sign: (place) => key.sign({ store: state.store, owner: state.owner, ...place }),
  });
  for (let at = 0; at < changed.length; at += TOGETHER) {
    const some = changed.slice(at, at + TOGETHER);
    try {
      await pushRounds(run, executor, some);
    } catch (error) {
      const projects = Map.groupBy(some, ({ project }) => project);
      if (!isOfOne(error) || projects.size === 1) throw error;
      for (const [{ project }, sessions] of projects) {
        await pushApart(run, executor, project, sessions);
      }
    }
  }
}

/** True for a failure that other projects may not have. */
function isOfOne(error: unknown): error is SessionError {
  return error instanceof SessionError && !FATAL.has(error.code);
}

/** Pushes the sessions of one project, so that a refused project stops no other. */
async function pushApart(
  run: PushRun,
  executor: PushExecutor,
  project: string,
  sessions: readonly SessionToShare[],
): Promise<void> {
  try {
    await pushRounds(run, executor, sessions);
  } catch (error) {
    if (!isOfOne(error)) throw error;
    const what = `No session of project ${project} was sent: ${error.message}`;
    run.report.failed.push({ session: "", message: what });
  }
}

async function pushRounds(
  run: PushRun,
  executor: PushExecutor,
  shares: readonly SessionToShare[],
): Promise<void> {
  const { report, options: { signal } } = run;
  let left = shares;
  for (let round = 0; left.length > 0 && round < ROUNDS; round++) {
    if (round > 0) await pause(Math.random() * PAUSE_MS * round, signal);
    left = await pushRound(run, executor, left);
  }
  for (const { id: session } of left) {
    const message = "Cannot push session: other machines keep pushing the same session; try again";
    report.failed.push({ session, message });
  }
}

/** Pushes sessions once; returns those that others pushed meanwhile. */
async function pushRound(
  run: PushRun,
  executor: PushExecutor,
  shares: readonly SessionToShare[],
): Promise<SessionToShare[]> {
  const { library, state, note, report, options: { replace = false, rekey = false, signal } } = run;
  const [{ askAbout }, { withRecipients }] = await Promise.all([
    import("./ask_about.ts"),
    import("./recipients.ts"),
  ]);
  const means = sealMeans(run);
  const sealed = await Promise.all(shares.map((share) => withRecipients(share, means)));
  const about = await askAbout(sealed, {
    ...{ ...means, library, replace, rekey, rewritten: new Set(run.rewritten.keys()) },
    onAnew: (session) => report.sealed_anew.push(session),
  });
  const standing: SessionToShare[] = [];
  for (const share of sealed) {
    const { id } = share;
    const shared = about.other_terms.get(id);
    if (about.withdrawn.has(id)) {
      report.withdrawn.push(id);
      note(id, withdrawnRecord(share));
    } else if (shared !== undefined) {
      report.other_terms.push({ session: id, shared, wanted: termsOf(share) });
      note(id, otherTermsRecord(knownSession(state, id), share, shared.form));
    } else standing.push(share);
  }
  return await executor.run(standing, about.subject, signal);
}
