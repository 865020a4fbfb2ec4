/**
 * Replaces the secrets of a session in its own files, in copies, and in prompt histories. All drafts are
 * written before the first file is replaced. So a kill leaves every file old or new, and the next run
 * finishes.
 */
import { isBuiltIn } from "../../../core/event/agent_name.ts";
import { basename, dirname, join } from "node:path";
import { SessionError } from "../../../core/event/session_error.ts";
import { removeQuietly } from "../../../core/file/remove_quietly.ts";
import { readShortFile } from "../../../core/file/short_file.ts";
import { acquireLock } from "../../../core/log/session_lock.ts";
import { hostName, processId } from "../../../core/platform/process.ts";
import { makeDirectories } from "../../../core/store/create_log.ts";
import {
  dropStaged,
  finishStaged,
  placeStaged,
  type StagedFile,
  stagedPath,
  stageFile,
  stateOf,
} from "../../../core/store/staged_files.ts";
import { LOG_FILE } from "../../../core/store/session_folder.ts";
import { parseFolderName } from "../../../core/store/session_id.ts";
import { isBelow } from "../../../agents/contract/agent_roots.ts";
import type { AgentEnvironment } from "../../../agents/contract/agent_environment.ts";
import type { SessionHandle } from "../../../library/handle/session_handle.ts";
import { descriptorOf } from "../../../library/machine/registry.ts";
import type { CopyFolder } from "../../../library/machine/kept/scrubbed_copies.ts";
import { isKeptCopy } from "../../../library/machine/kept/kept_sessions.ts";
import type { Redactor } from "../../../text/redaction/redactor.ts";
import { holdSession } from "../hold_session.ts";
import {
  keepOriginals,
  type OriginalFile,
  restoreOriginals,
  type UndoneScrub,
} from "./kept_originals.ts";
import {
  type FileSecrets,
  filesOf,
  scrubAll,
  type Scrubbed,
  type ScrubbedAll,
} from "./scrub_files.ts";
import { infoOf } from "./scrubbed_file.ts";
import { type SessionPlaces, sessionPlaces } from "./session_places.ts";

export interface ScrubOptions {
  /** The data root. */
  root: string;
  environment: AgentEnvironment;
  now: () => Date;
  /** Finds the kept copies of the session. */
  copies: () => readonly CopyFolder[];
  /** Takes the lock of the backups. */
  lockCopies: () => Promise<{ release(): void }>;
  /** Called with the ids of Reprise's own sessions before their logs change, and after. */
  onRewrite: (sessions: readonly string[]) => void;
}

/** Maximum bytes of a database in which secrets are looked for. */
const MOST_DATABASE_BYTES = 64 * 1024 * 1024;

/** The result of a scrub, or of a look at what it would do. */
export interface ScrubReport {
  files: FileSecrets[];
  /** Number of different secrets in all files. */
  secrets: number;
  /** Number of places in which they stand. */
  places: number;
  /** Databases of the agent that have, or may have, some of the secrets; never changed. */
  databases: string[];
  /** Paths of files that have a second name, which still has the secrets. */
  linked: string[];
  /** Ids of Reprise's own sessions whose logs change: the session itself, or imports of it. */
  sessions: string[];
  /** Paths of files that another program changed meanwhile; they were left as they are. */
  changed: string[];
  /** Path of the encrypted originals; absent if none were kept. */
  originals?: string;
  /** True if a killed run was finished first. */
  finished: boolean;
}

/** Returns the folder with the encrypted originals and the journal of a session. */
export function scrubFolder(root: string, { agent, id }: SessionHandle): string {
  return join(root, "scrubbed", agent, encodeURIComponent(id).replace(/^\.+/, "_").slice(0, 120));
}

/** Returns the journal's path: one for all sessions, as two may have a file in common. */
function journalPath(root: string): string {
  return join(root, "scrubbed", "journal.json");
}

/**
 * Reports what a scrub would replace. Nothing is changed.
 *
 * @throws {SessionError} `unsupported-source` where a scrub is refused.
 */
export async function examineSecrets(
  handle: SessionHandle,
  options: ScrubOptions,
): Promise<ScrubReport> {
  const places = await placesOf(handle, options);
  if (handle.log === undefined) await assertNoDependant(handle);
  return reportOf(await scrubAll(handle, places, () => {}), places);
}

/**
 * Replaces the secrets of a session in all its files.
 *
 * @param recipients Public keys for the originals; undefined to keep none.
 * @throws {SessionError} `locked` where a client has the session open; `unsupported-source` where it
 * is in a database; `permission`, `disk-full`, `io`: nothing is half done then.
 */
export async function scrubSession(
  handle: SessionHandle,
  options: ScrubOptions,
  recipients: readonly string[] | undefined,
): Promise<ScrubReport> {
  const folder = scrubFolder(options.root, handle);
  const journal = journalPath(options.root);
  const release = await holdAll(handle, await placesOf(handle, options), options);
  try {
    makeDirectories(folder);
    const finished = await finishStaged(journal) !== undefined;
    const places = await placesOf(handle, options);
    for (const { path } of filesOf(places)) removeQuietly(stagedPath(path));
    const staged: StagedFile[] = [];
    const removed: StagedFile[] = [];
    const originals: OriginalFile[] = [];
    try {
      const scrubbed = await scrubAll(handle, places, (one) => {
        stage(one, { staged, removed, originals });
      });
      const report = { ...reportOf(scrubbed, places), finished };
      if (staged.length === 0) return report;
      const kept = recipients === undefined
        ? {}
        : { originals: await keepOriginals(folder, originals, recipients, options.now()) };
      const logs = sessionsOf(staged.map(({ path }) => path));
      options.onRewrite(logs);
      const changed = await placeStaged(journal, [...staged, ...removed]);
      options.onRewrite(logs);
      return { ...report, ...kept, changed };
    } catch (error) {
      if (infoOf(journal) === undefined) dropStaged(staged);
      throw error;
    }
  } finally {
    release();
  }
}

async function placesOf(handle: SessionHandle, options: ScrubOptions): Promise<SessionPlaces> {
  if (!isBuiltIn(handle.agent)) {
    const message =
      "Cannot scrub session: a reader of your own prints it, and Reprise never writes " +
      `to such sessions; remove the secrets from its files yourself: ${handle.path}`;
    throw new SessionError("unsupported-source", message, { path: handle.path });
  }
  const places = await sessionPlaces(handle, options.root, options.environment);
  const { path, agent_title } = handle;
  places.folders = [...options.copies(), ...places.folders];
  const is_mirror = isBelow(path, join(options.root, "remote"));
  if (!is_mirror && (places.originals.length > 0 || isKeptCopy(options.root, path))) return places;
  if (is_mirror) {
    const message =
      "Cannot scrub session: it is a copy of a team's store; its owner can withdraw " +
      `it: ${path}`;
    throw new SessionError("unsupported-source", message, { path });
  }
  const message =
    `Cannot scrub session: ${agent_title} keeps it in a database, or in a file with ` +
    `other sessions, which Reprise never changes; delete it in ${agent_title}: ${path}`;
  throw new SessionError("unsupported-source", message, { path });
}

/** Keeps clients, writers and backups away. */
async function holdAll(
  handle: SessionHandle,
  { locked, originals }: SessionPlaces,
  { environment, now, lockCopies }: ScrubOptions,
): Promise<() => void> {
  const held: (() => void)[] = [];
  const release = (): void => held.reverse().forEach((one) => one());
  try {
    const holder = { pid: processId(), host: hostName(), since: now().toISOString() };
    for (const folder of locked) {
      const lock = await acquireLock(folder, holder);
      held.push(() => lock.release());
    }
    const copies = await lockCopies();
    held.push(() => copies.release());
    if (handle.log === undefined && originals.length > 0) {
      const { loadRepair, setup, name } = descriptorOf(handle.agent);
      const repair = await loadRepair?.();
      const rules = repair?.kind === "lines" ? repair : { program: setup?.program ?? name };
      await assertNoDependant(handle);
      held.push(await holdSession(handle, rules, { environment, now }));
    }
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

/** Refuses a session in which another one begins at a byte offset. */
async function assertNoDependant({ agent, session, path }: SessionHandle): Promise<void> {
  const repair = await descriptorOf(agent).loadRepair?.();
  const other = repair?.kind === "lines" ? await repair.dependant?.(session) : undefined;
  if (other === undefined) return;
  const message = `Cannot scrub session: session ${other} depends on byte offsets in this file, ` +
    `which a scrub changes; delete that session first: ${path}`;
  throw new SessionError("unsupported-source", message, { path });
}

/** Writes the draft of a scrubbed file, and notes its original. */
function stage(
  { file, path, bytes, removed = [] }: Scrubbed,
  to: { staged: StagedFile[]; removed: StagedFile[]; originals: OriginalFile[] },
): void {
  const info = infoOf(path);
  const { group } = file;
  const one = stageFile(path, bytes, info ?? { mode: 0o600, mtime: null }, info);
  to.staged.push(one);
  to.originals.push({ path, info, group, sha256: one.sha256 });
  for (const gone of removed) {
    const was = infoOf(gone);
    if (was === undefined) continue;
    to.removed.push({ path: gone, was: stateOf(was) });
    to.originals.push({ path: gone, info: was, group, sha256: undefined });
  }
}

function reportOf(
  { files, counts, redactor, linked }: ScrubbedAll,
  { databases }: SessionPlaces,
): ScrubReport {
  const holding = databases.filter((path) => holdsSecrets(path, redactor));
  const sessions = sessionsOf(files.map(({ path }) => path));
  const { secrets, places } = counts;
  return {
    ...{ files, secrets, places, databases: holding, linked, sessions },
    ...{ changed: [], finished: false },
  };
}

/** Returns the ids of the sessions of ours whose logs are among some paths. */
function sessionsOf(paths: readonly string[]): string[] {
  return paths.filter((path) => basename(path) === LOG_FILE)
    .flatMap((path) => parseFolderName(basename(dirname(path)))?.session_id ?? []);
}

/** True if the bytes of a database have a known secret, or are too many to be looked at. */
function holdsSecrets(path: string, redactor: Redactor): boolean {
  const bytes = [path, `${path}-wal`].filter((one) => infoOf(one) !== undefined);
  return bytes.some((one) => {
    try {
      const text = new TextDecoder("latin1").decode(readShortFile(one, MOST_DATABASE_BYTES));
      return redactor.known(text, "") !== text;
    } catch (error) {
      if (error instanceof SessionError) return true;
      throw error;
    }
  });
}

/**
 * Puts the originals of the last scrub back, byte for byte.
 *
 * @throws {SessionError} `not-found` where none are kept; `locked` where the session is open or changed
 * since; `invalid-key`, `encrypted` where the keys do not open them.
 */
export async function undoScrub(
  handle: SessionHandle,
  options: ScrubOptions,
  identities: readonly string[],
): Promise<UndoneScrub> {
  const places = await placesOf(handle, options);
  const release = await holdAll(handle, places, options);
  try {
    const journal = journalPath(options.root);
    await finishStaged(journal);
    const folder = scrubFolder(options.root, handle);
    const logs = sessionsOf(filesOf(places).map(({ path }) => path));
    options.onRewrite(logs);
    const undone = await restoreOriginals(folder, { path: handle.path, journal, identities });
    options.onRewrite(logs);
    return undone;
  } finally {
    release();
  }
}
