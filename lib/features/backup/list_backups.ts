/** Lists and finds backups of the sessions of agents other than Reprise. */
import { join } from "node:path";
import { AGENT_NAMES, type AgentName, REPRISE } from "../../core/event/agent_name.ts";
import { present } from "../../core/event/present.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { isThere } from "../../core/file/presence.ts";
import {
  type KeptEntry,
  keptFolder,
  readKept,
  scanKept,
} from "../../library/machine/kept/kept_index.ts";
import {
  copyPath,
  type GenerationEnd,
  type KeptGeneration,
  type KeptManifest,
  latestOf,
  mainFile,
  MANIFEST,
  packedCopy,
  readKeptManifest,
} from "../../library/machine/kept/manifest.ts";
import { parseRef } from "../../core/store/ref.ts";
import { sessionRef } from "../../agents/contract/session_name.ts";
import { lookAtSource } from "./source_file.ts";

/** One generation of the copied files of a session. */
export interface BackupGeneration {
  /** Number, from 1. A later generation begins when the session shrinks or is rewritten. */
  number: number;
  /** ISO 8601: time at which the first byte was copied. */
  began_at: string;
  /** ISO 8601: time at which the last byte was copied. */
  kept_at: string;
  /** Why the generation ended; absent for the newest generation. */
  ended?: GenerationEnd;
  /** Size of all files of the generation, in bytes. */
  bytes: number;
  /** Size on disk in bytes, without files that a later generation shares. */
  disk_bytes: number;
  /** Number of the generation's files, the session's own file included. */
  files: number;
  /**
   * Absolute path of the stored copy of the session's own file. `reprise backup restore` reads any
   * copy. `reprise show` reads a compressed copy only if the session was deleted.
   */
  path: string;
  /** True if the copy of the session's own file is compressed. */
  packed?: true;
}

/** A session of which a watch keeps copies. */
export interface KeptBackup {
  /** The session's reference. */
  ref: string;
  /** The agent that recorded the original session. */
  agent: AgentName;
  /** The agent's own id of the session. */
  id: string;
  /** Absolute path of the original session's file. */
  source: string;
  /** True if the original session still exists. */
  standing: boolean;
  /** Absolute path of the folder of all copies. */
  folder: string;
  /** The generations, oldest first. */
  generations: BackupGeneration[];
}

/**
 * Lists the sessions that have backups, the most recently copied session first.
 *
 * @param root The data root.
 * @param agents The agents whose backups are listed. By default all.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { listBackups } from "@reprise/reprise/backup";
 *
 * assert.deepEqual(listBackups("/no/such/store"), []);
 * ```
 */
export function listBackups(
  root: string,
  agents: readonly AgentName[] = AGENT_NAMES,
): KeptBackup[] {
  return keptIn(root, agents).map(({ backup }) => backup)
    .sort((one, other) => lastKept(other) < lastKept(one) ? -1 : 1);
}

function lastKept({ generations }: KeptBackup): string {
  return generations.at(-1)?.kept_at ?? "";
}

interface FoundBackup {
  backup: KeptBackup;
  manifest: KeptManifest;
}

function keptIn(root: string, agents: readonly AgentName[]): FoundBackup[] {
  return agents.filter((agent) => agent !== REPRISE).flatMap((agent) =>
    scanKept(root, agent).flatMap((entry) => foundAt(root, entry))
  );
}

function foundAt(root: string, entry: KeptEntry): FoundBackup[] {
  const folder = keptFolder(root, entry);
  const manifest = readKeptManifest(folder);
  if (manifest === undefined) return [];
  const { agent, id } = manifest;
  const { path: source } = mainFile(latestOf(manifest));
  const standing = lookAtSource(source) !== undefined;
  const generations = manifest.generations.map((one) => generationOf(folder, manifest, one));
  const ref = sessionRef(manifest);
  return [{ manifest, backup: { ref, agent, id, source, standing, folder, generations } }];
}

function generationOf(
  folder: string,
  manifest: KeptManifest,
  generation: KeptGeneration,
): BackupGeneration {
  const { number, began_at, kept_at, ended, files } = generation;
  const later = new Set(
    manifest.generations.filter((one) => one.number > number)
      .flatMap((one) => one.files.map(({ copy }) => copy)),
  );
  const own = mainFile(generation);
  const packed = packedCopy(manifest, own.copy);
  return present({
    ...{ number, began_at, kept_at, ended },
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    disk_bytes: files.filter(({ copy }) => !later.has(copy)).reduce(
      (sum, { copy, bytes }) => sum + (packedCopy(manifest, copy)?.packed_bytes ?? bytes),
      0,
    ),
    files: files.length,
    path: packed === undefined ? copyPath(folder, generation, own) : join(folder, packed.packed),
    packed: packed === undefined ? undefined : true as const,
  });
}

/** @throws {SessionError} `not-found`, `ambiguous`, `invalid-ref`, `damaged` */
export function findBackup(root: string, ref: string): FoundBackup {
  const parsed = parseRef(ref, AGENT_NAMES);
  if (parsed.kind === "path") throw notFound(ref);
  const agents = parsed.kind === "agent" ? [parsed.agent as AgentName] : AGENT_NAMES;
  const all = keptIn(root, agents).filter(({ manifest: { id } }) => id.startsWith(parsed.prefix));
  const whole = all.filter(({ manifest: { id } }) => id === parsed.prefix);
  const found = whole.length > 0 ? whole : all;
  const [only, ...others] = found;
  if (only === undefined) throw unreadable(root, agents, parsed.prefix) ?? notFound(ref);
  if (others.length === 0) return only;
  const candidates = found.map(({ backup: { ref, source } }) => `${ref} (${source})`);
  const message = `Cannot choose backup: "${ref}" matches ${found.length} backups: ` +
    `${candidates.slice(0, 5).join(", ")}; type more of the id`;
  throw new SessionError("ambiguous", message, { ref, candidates });
}

/** Returns the error of a damaged manifest. Undefined if no backup's id begins with `prefix`. */
function unreadable(
  root: string,
  agents: readonly AgentName[],
  prefix: string,
): SessionError | undefined {
  const entry = agents.flatMap((agent) => readKept(root, agent))
    .find((one) => one.id.startsWith(prefix) && isThere(keptFolder(root, one)));
  if (entry === undefined) return undefined;
  const path = join(keptFolder(root, entry), MANIFEST);
  const message = `Cannot read backup: its manifest is damaged: ${path}\n` +
    "The copies beside the manifest are unchanged";
  return new SessionError("damaged", message, { path });
}

function notFound(ref: string): SessionError {
  const message = `Cannot find a backup of "${ref}"; see: reprise backup list`;
  return new SessionError("not-found", message, { ref });
}
