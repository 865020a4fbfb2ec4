/**
 * Compresses older session files in place, for an agent that can read compressed files. An original
 * file stays until its compressed form is on the disk and was read back.
 */
import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import type { AgentName } from "../../core/event/agent_name.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { isThere } from "../../core/file/presence.ts";
import { hasZstd } from "../../core/file/framed_file.ts";
import { openRegularFile } from "../../core/file/regular_file.ts";
import { removeQuietly } from "../../core/file/remove_quietly.ts";
import { descriptorOf } from "../../library/machine/registry.ts";
import { toSessionError } from "../../core/log/io_error.ts";
import type { FileInfo, OpenFile } from "../../core/platform/file_system.ts";
import {
  chmodSync,
  linkSync,
  lstatSync,
  removeSync,
  utimeSync,
} from "../../core/platform/files.ts";
import { operatingSystem } from "../../core/platform/runtime.ts";
import { sessionRef } from "../../agents/contract/session_name.ts";
import type { AgentEnvironment, AgentPlace } from "../../agents/contract/agent_environment.ts";
import { agentPlaces } from "../../agents/contract/agent_roots.ts";
import type { SessionPacking } from "../../agents/contract/session_packing.ts";
import type { RepairedFile } from "../../agents/contract/session_repair.ts";
import { notePacked } from "./packed_record.ts";
import { readPacked } from "./packed_file.ts";
import { compress, heldPieces, writeZstd } from "./zstd_file.ts";

export interface PackOptions {
  environment: AgentEnvironment;
  /** The data root. Its list of compressed sessions is needed to decompress them again. */
  root: string;
  /** Sessions whose file changed at this time or later are not compressed. */
  before: Date;
  dry: boolean;
}

export interface PackedSession {
  ref: string;
  status: "packed" | "would-pack" | "unpacked" | "would-unpack" | "left";
  path: string;
  bytes: number;
  /** Size of the session's file afterwards, in bytes; absent if the file was left unchanged. */
  after_bytes?: number;
  reason?: string;
}

/**
 * @throws {SessionError} `unsupported-source` if the agent cannot read compressed sessions;
 * `unsupported-version` if the runtime has no zstd.
 */
export async function loadPacking(agent: AgentName): Promise<SessionPacking> {
  const { loadPacking, title } = descriptorOf(agent);
  if (loadPacking === undefined) {
    const message = `Cannot compress sessions: ${title} cannot read compressed sessions`;
    throw new SessionError("unsupported-source", message);
  }
  if (!hasZstd) {
    const message = "Cannot compress sessions: this runtime has no zstd; use Node 22.15 or later";
    throw new SessionError("unsupported-version", message);
  }
  return await loadPacking();
}

/**
 * Compresses an agent's sessions whose files did not change since `options.before`.
 *
 * @returns The outcome for each session, as soon as it is done.
 * @throws {SessionError} As {@linkcode loadPacking}; `permission`, `disk-full`, `io`. The session
 * is then unchanged.
 */
export async function* packSessions(
  agent: AgentName,
  options: PackOptions,
): AsyncGenerator<PackedSession> {
  const packing = await loadPacking(agent);
  for (const place of agentPlaces(descriptorOf(agent), options.environment)) {
    for (const file of packing.files(place)) {
      // A process that was killed while it unpacked may have left the file with two names.
      if (!options.dry) freshDraft(file.path);
      const info = lookAt(file.path);
      if (info?.mtime == null || info.mtime >= options.before) continue;
      const session = {
        ref: sessionRef({ agent, id: file.id }),
        path: file.path,
        bytes: info.size,
      };
      try {
        yield { ...session, ...await packOne(agent, file, { packing, place, info, options }) };
      } catch (error) {
        throw toSessionError(error, "pack session", file.path);
      }
    }
  }
}

function lookAt(path: string): FileInfo | undefined {
  try {
    const info = lstatSync(path);
    return info.isFile ? info : undefined;
  } catch {
    // Deleted since it was found.
    return undefined;
  }
}

interface Packable {
  packing: SessionPacking;
  place: AgentPlace;
  info: FileInfo;
  options: PackOptions;
}

async function packOne(
  agent: AgentName,
  file: RepairedFile,
  { packing, place, info, options }: Packable,
): Promise<Pick<PackedSession, "status" | "after_bytes" | "reason">> {
  if (info.nlink !== null && info.nlink > 1) {
    return left("the session's file has a second name (a hard link)");
  }
  const { window_log, suffix } = packing;
  using opened = openRegularFile(file.path, { follow: false }).file;
  if (options.dry) {
    const after_bytes = await compress(heldPieces(opened, 0, info.size), () => {}, { window_log });
    return { status: "would-pack", after_bytes };
  }
  const hold = await packing.hold(file, place);
  if ("busy" in hold) return left(hold.busy);
  const target = `${file.path}${suffix}`;
  const made = freshDraft(file.path);
  try {
    const sha256 = await sha256Of(opened, info.size);
    if (!isThere(target)) {
      await writeZstd(made, heldPieces(opened, 0, info.size), { window_log });
      if (await readPacked(made, undefined) !== sha256) {
        return left("the session changed in the meantime");
      }
      giveTimes(made, info);
      linkSync(made, target);
    } else if (!await holds(target, sha256)) {
      return left(`a different file already exists: ${target}`);
    }
    const now = lookAt(file.path);
    if (now?.size !== info.size || now.mtime?.getTime() !== info.mtime?.getTime()) {
      // Somebody went on with it: the plain one counts, for the agent too.
      removeSync(target);
      return left("the session changed in the meantime");
    }
    const packed_bytes = lstatSync(target).size;
    notePacked(options.root, agent, { id: file.id, path: file.path, suffix, sha256, packed_bytes });
    removeSync(file.path);
    return { status: "packed", after_bytes: packed_bytes };
  } finally {
    removeQuietly(made);
    hold.release();
  }
}

function left(reason: string): { status: "left"; reason: string } {
  return { status: "left", reason };
}

/** True if the file at a path is a complete compressed form of content with this SHA-256. */
async function holds(path: string, sha256: string): Promise<boolean> {
  try {
    return await readPacked(path, undefined) === sha256;
  } catch (error) {
    if (error instanceof SessionError && error.code === "damaged") return false;
    throw error;
  }
}

async function sha256Of(file: OpenFile, bytes: number): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of heldPieces(file, 0, bytes)) hash.update(piece);
  return hash.digest("hex");
}

/** Returns a path for a draft that no agent takes for a session. Removes an older draft. */
export function freshDraft(path: string): string {
  const draft = join(dirname(path), `.${basename(path)}.reprise.tmp`);
  // A killed process left it.
  removeQuietly(draft);
  return draft;
}

/** Sets a file's mode and modification time. Does not change the mode on Windows. */
export function giveTimes(path: string, { mode, mtime }: FileInfo): void {
  if (operatingSystem !== "windows" && mode !== null) chmodSync(path, mode & 0o777);
  if (mtime !== null) utimeSync(path, mtime, mtime);
}
