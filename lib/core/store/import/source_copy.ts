/**
 * Stores the source of a backed-up session beside its log. A manifest holds the hashes of the
 * source's files at the time of the backup.
 */
import { createHash } from "node:crypto";
import { dirname, join, relative } from "node:path";
import { fields, list, number, parsedAs, text } from "../../event/guard.ts";
import { SessionError } from "../../event/session_error.ts";
import { RECORDS_BYTES, shortTextIn } from "../../file/short_file.ts";
import { byteSource } from "../../log/byte_source.ts";
import { toSessionError } from "../../log/io_error.ts";
import { readEvents } from "../../log/read_events.ts";
import { writeWhole } from "../../log/write_whole.ts";
import type { OpenFile } from "../../platform/file_system.ts";
import { lstatSync, openSync } from "../../platform/files.ts";
import { makeDirectories } from "../create_log.ts";
import { syncDirectories } from "../sync_directories.ts";
import { LOG_FILE } from "../session_folder.ts";
import { EventDigest, fileState, hashFile } from "./source_state.ts";

/** The copied files of a backed-up session, and the time of the backup. */
export interface BackupManifest {
  /** The agent that has the original session. */
  agent: string;
  /** The agent's own id of the session. */
  id: string;
  /** The copied files, the session's own file first; empty for a session in a database. */
  files: {
    /** The copy's path, relative to the folder of copies. */
    name: string;
    /** Absolute path of the original. */
    path: string;
    bytes: number;
    /** SHA-256 in lower-case hexadecimal, the same for original and copy. */
    sha256: string;
  }[];
  /** Number and SHA-256 of the source's events, equal to the log's after the import. */
  events: { count: number; sha256: string };
  /** Size of the log in bytes, at the time of the backup. */
  log_bytes: number;
  /** ISO 8601: time of the backup. */
  kept_at: string;
}

export type CopiedFile = BackupManifest["files"][number];

export interface SourceCopyPlan {
  agent: string;
  id: string;
  /** Absolute paths of files that only this session uses, its own file first. */
  files: readonly string[];
  /** SHA-256 of the first file at the time when its events were read. */
  sha256?: string;
  digest: EventDigest;
  now: Date;
}

const FOLDER = "source";
const MANIFEST = "manifest.json";
/** Kinds that an import writes itself, without an original. */
const OWN_KINDS: ReadonlySet<string> = new Set(["session_started", "session_checkpoint"]);

export function manifestPath(directory: string): string {
  return join(directory, FOLDER, MANIFEST);
}

/**
 * Checks a log that was just imported against its source, and copies the source beside the log.
 *
 * @throws {SessionError} `io` if the log, a file or its copy differs from what was read;
 * `permission`, `disk-full`
 */
export async function copySource(directory: string, plan: SourceCopyPlan): Promise<BackupManifest> {
  const { agent, id, digest, now } = plan;
  const log = join(directory, LOG_FILE);
  const read = await logDigest(log);
  const [count, sha256] = [digest.events, digest.hex()];
  if (read.hex() !== sha256) {
    throw changed(`the copy does not match the data read from ${agent}:${id}`, log);
  }
  const files: CopiedFile[] = [];
  for (const path of plan.files) {
    files.push(await copySourceFile(path, plan, join(directory, FOLDER)));
  }
  const [own] = files;
  if (own !== undefined && plan.sha256 !== undefined && own.sha256 !== plan.sha256) {
    throw changed(
      "the file changed while it was read; try again when no program is writing to it",
      own.path,
    );
  }
  const events = { count, sha256 };
  const log_bytes = fileState(log).bytes;
  const manifest = { agent, id, files, events, log_bytes, kept_at: now.toISOString() };
  await writeManifest(directory, manifest);
  return manifest;
}

function changed(reason: string, path: string): SessionError {
  return new SessionError("io", `Cannot back up session: ${reason}: ${path}`, { path });
}

/** Returns the digest of those events in a log that come from its source. */
async function logDigest(path: string): Promise<EventDigest> {
  const digest = new EventDigest();
  for await (const events of readEvents(path)) {
    for (const event of events) {
      if (event.form !== "unparsed" && !OWN_KINDS.has(event.kind)) digest.add(event);
    }
  }
  return digest;
}

async function copySourceFile(
  path: string,
  { files }: SourceCopyPlan,
  folder: string,
): Promise<CopiedFile> {
  const name = copyName(relative(dirname(files[0] ?? path), path));
  const copy = join(folder, name);
  const { bytes, sha256 } = await copyFile(path, copy);
  if (await hashFile(copy) !== sha256) throw changed("the copy differs from the original", path);
  return { name, path, bytes, sha256 };
}

/**
 * Returns a copy's path below the folder of copies. A leading `..` becomes `above`. A file with the
 * manifest's name gets the prefix `original-`.
 */
function copyName(name: string): string {
  if (name === MANIFEST) return `original-${MANIFEST}`;
  return name.replace(/^(?:\.\.[/\\])+/, (ups) => "above/".repeat(ups.length / "../".length));
}

async function copyFile(
  from: string,
  to: string,
): Promise<Pick<CopiedFile, "bytes" | "sha256">> {
  const hash = createHash("sha256");
  let bytes = 0;
  const { readable, recycle } = byteSource(from);
  let file: OpenFile | undefined;
  try {
    makeDirectories(dirname(to));
    file = openSync(to, { write: true, createNew: true, mode: 0o600 });
    for await (const chunk of readable) {
      hash.update(chunk);
      bytes += chunk.length;
      writeWhole(file, chunk);
      recycle(chunk);
    }
    await file.sync();
  } catch (error) {
    throw toSessionError(error, "copy file", to);
  } finally {
    file?.close();
  }
  return { bytes, sha256: hash.digest("hex") };
}

async function writeManifest(directory: string, manifest: BackupManifest): Promise<void> {
  const path = manifestPath(directory);
  try {
    makeDirectories(dirname(path));
    using file = openSync(path, { write: true, createNew: true, mode: 0o600 });
    writeWhole(file, new TextEncoder().encode(`${JSON.stringify(manifest, undefined, 2)}\n`));
    await file.sync();
  } catch (error) {
    throw toSessionError(error, "write manifest", path);
  }
  await syncDirectories([...foldersOf(dirname(path), manifest)]);
}

function foldersOf(folder: string, { files }: BackupManifest): Set<string> {
  return new Set([folder, ...files.map(({ name }) => dirname(join(folder, name)))]);
}

/** Reads the manifest of a session's folder; undefined if it is absent or unreadable. */
export function readManifest(directory: string): BackupManifest | undefined {
  const json = shortTextIn(manifestPath(directory), RECORDS_BYTES, { follow: false });
  return parsedAs(json, MANIFEST_GUARD);
}

const MANIFEST_GUARD = fields({
  log_bytes: number,
  files: list(fields({ name: text, sha256: text })),
});

export function hasSourceCopy(directory: string): boolean {
  try {
    return lstatSync(join(directory, FOLDER)).isDirectory;
  } catch {
    // Missing or unreadable.
    return false;
  }
}

/**
 * Checks the copied files of a backed-up session against its manifest.
 *
 * @returns Descriptions of the faults. Empty if all copies are unchanged, or no file was copied.
 */
export async function checkSourceCopy(directory: string): Promise<string[]> {
  const manifest = readManifest(directory);
  if (manifest === undefined) {
    return hasSourceCopy(directory) ? [`${MANIFEST} is missing or damaged`] : [];
  }
  const wrong: string[] = [];
  for (const { name, sha256 } of manifest.files) {
    try {
      const now = await hashFile(join(directory, FOLDER, name));
      if (now !== sha256) wrong.push(`${name} differs from the backup`);
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      wrong.push(`${name} cannot be read: ${error.message}`);
    }
  }
  return wrong;
}
