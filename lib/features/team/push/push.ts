/** Pushes redacted copies of the added projects' sessions to a team's store. */
import { SessionError } from "../../../core/event/session_error.ts";
import type { Library } from "../../../library/library.ts";
import { writeHead } from "../objects/heads.ts";
import { inParallel } from "../objects/in_parallel.ts";
import { sessionCopy } from "../objects/object_keys.ts";
import type { Team } from "../open_team.ts";
import { sessionsToShare, type SessionToShare } from "../sessions_to_share.ts";
import type { SyncSettings } from "../shared_project.ts";
import { knownSession, readSyncState, writeSyncState } from "../state/sync_state.ts";
import type { PushReport, SyncProgress } from "../sync_report.ts";
import { withdrawnSessions } from "../withdraw.ts";
import { isChanged, placeIn, type PushRun, RefusedProject } from "./push_run.ts";

export interface PushOptions {
  /**
   * True to read all parts in the store, and to send only the lost parts. By default, the first
   * push of a day looks for missing parts without reading them. @default {false}
   */
  check?: boolean;
  onProgress?: (progress: SyncProgress) => void;
  /** Stops the push between two sessions. Sessions that were already sent stay in the store. */
  signal?: AbortSignal;
  now?: () => Date;
}

const FATAL: ReadonlySet<string> = new Set(["unreachable", "disk-full", "unsupported-version"]);
/** Number of sessions copied at a time. A push mostly waits for the store. */
const AT_ONCE = 8;

/**
 * Pushes the changes that the added projects' sessions have had since the last push.
 *
 * @param library The library with the sessions. Its data root holds the record of what was sent.
 * @param team The connection. @param settings The projects, and this device.
 * @returns What was sent. A session or project that cannot be pushed is in `failed`, and does not
 * stop the others.
 * @throws {SessionError} `unreachable`, `unsupported-version`, `disk-full`: the errors that stop
 * the whole push.
 */
export async function push(
  library: Library,
  team: Team,
  settings: SyncSettings,
  options: PushOptions = {},
): Promise<PushReport> {
  const { check = false, now = () => new Date() } = options;
  const state = readSyncState(library.root, team.id, team.owner);
  const report = emptyReport(team);
  const run: PushRun = {
    ...{ library, team, state, settings, report, changed: new Set(state.unwritten), now: now() },
  };
  const before = JSON.stringify(state);
  const { sent_bytes } = team.objects.traffic;
  const shares = await sessionsToShare(
    library,
    settings.projects,
    ({ message }) => report.failed.push({ session: "", message }),
  );
  try {
    const checked = await checkOnceADay(run, shares, check);
    const changed = shares.filter((share) =>
      isChanged(state, share) && (!check || checked?.has(share.id))
    );
    Object.assign(report, { sessions: shares.length, changed: changed.length });
    if (changed.length > 0) await dropWithdrawn(run);
    for (const [project, some] of Map.groupBy(changed, (share) => share.project.project)) {
      await pushProject(run, project, some, options);
    }
    for (const project of run.changed) await tryProject(run, project, () => putHead(run, project));
    run.changed.clear();
    report.sessions = shares.filter(({ id }) => !knownSession(state, id)?.withdrawn).length;
  } finally {
    state.unwritten = [...run.changed];
    report.sent_bytes = team.objects.traffic.sent_bytes - sent_bytes;
    if (JSON.stringify(state) !== before) writeSyncState(library.root, state);
  }
  return report;
}

function emptyReport({ id: store, owner }: Team): PushReport {
  return {
    ...{ store, owner, sessions: 0, changed: 0, pushed: 0, began: 0, bytes: 0, sent_bytes: 0 },
    ...{ withdrawn: [], failed: [] },
  };
}

/** Finds parts that the store lost. Returns sessions to send again, undefined if checked today. */
async function checkOnceADay(
  run: PushRun,
  shares: readonly SessionToShare[],
  check: boolean,
): Promise<ReadonlySet<string> | undefined> {
  const { state, report, now } = run;
  const today = now.toISOString().slice(0, "YYYY-MM-DD".length);
  if (!check && state.checked_on === today) return undefined;
  const { checkStore } = await import("./check_store.ts");
  report.check = await checkStore(run, shares, check);
  if (report.check.lost.length === 0) state.checked_on = today;
  else delete state.checked_on;
  return new Set(report.check.restored);
}

/** Records the sessions that another of the user's machines withdrew. Deletes their parts. */
async function dropWithdrawn(run: PushRun): Promise<void> {
  const { team, state, report, changed } = run;
  for (const id of await withdrawnSessions(team)) {
    const known = knownSession(state, id);
    if (known?.withdrawn) continue;
    const { project = "" } = known ?? {};
    state.sessions[id] = { project, state: [], edition: 0, parts: [], withdrawn: true };
    if (known === undefined) continue;
    // In a synced folder they may have come after the withdrawal.
    const folder = sessionCopy(placeIn(run, project), id);
    for (const name of known.parts) await team.objects.delete(folder + name);
    report.withdrawn.push(id);
    changed.add(project);
  }
}

/**
 * Pushes the sessions of a project. If the store refuses the project, the push of other projects
 * continues.
 */
async function pushProject(
  run: PushRun,
  project: string,
  shares: readonly SessionToShare[],
  { signal, onProgress }: PushOptions,
): Promise<void> {
  const { report, state } = run;
  // Redaction takes longer to load than a push with nothing new takes.
  const { pushCopy } = await import("./push_copy.ts");
  await tryProject(run, project, async () => {
    const pushOne = async (share: SessionToShare): Promise<void> => {
      signal?.throwIfAborted();
      if (knownSession(state, share.id)?.withdrawn) return;
      try {
        await pushCopy(run, share);
      } catch (error) {
        if (!(error instanceof SessionError) || FATAL.has(error.code)) throw error;
        if (error instanceof RefusedProject) throw error;
        report.failed.push({ session: share.id, message: error.message });
      }
    };
    let done = 0;
    for await (const _ of inParallel(shares, pushOne, AT_ONCE)) {
      onProgress?.({ done: ++done, of: report.changed, bytes: report.bytes });
    }
  });
}

async function tryProject(
  { report }: PushRun,
  project: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof SessionError) || error.code !== "permission") throw error;
    const message = `No session of project ${project} was sent: ${error.message}`;
    if (!report.failed.some((one) => one.message === message)) {
      report.failed.push({ session: "", message });
    }
  }
}

async function putHead(run: PushRun, project: string): Promise<void> {
  const { team, settings, state } = run;
  const names = Object.values(state.sessions).filter((one) => one.project === project)
    .flatMap(({ parts }) => parts);
  const place = { ...placeIn(run, project), machine: settings.device.label };
  await writeHead(team.objects, place, names);
}
