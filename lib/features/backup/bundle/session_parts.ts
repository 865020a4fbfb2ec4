/** Lists the files that a bundle takes from a session, and their paths on another machine. */
import { createHash } from "node:crypto";
import { basename, dirname, join, sep } from "node:path";
import { type AgentName, REPRISE } from "../../../core/event/agent_name.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { sha256 } from "../../../core/event/sha256.ts";
import { LOG_FILE, sessionsDirectory } from "../../../core/store/session_folder.ts";
import { parseFolderName } from "../../../core/store/session_id.ts";
import { lstatSync, readDirSync } from "../../../core/platform/files.ts";
import { isThere } from "../../../core/file/presence.ts";
import { namespaceOf } from "../../../core/workspace/namespace.ts";
import { realDirectory } from "../../../core/workspace/real_directory.ts";
import type { AgentEnvironment, AgentPlace } from "../../../agents/contract/agent_environment.ts";
import { agentPlaces, isBelow, watchedFolders } from "../../../agents/contract/agent_roots.ts";
import type { SessionPlacement } from "../../../agents/contract/session_writer.ts";
import type { SessionHandle } from "../../../library/handle/session_handle.ts";
import { descriptorOf } from "../../../library/machine/registry.ts";
import { openSource, piecesOf } from "../source_file.ts";
import { type BundleManifest, type BundlePart, plainPath } from "./manifest.ts";

export interface PartSource extends BundlePart {
  read(): Iterable<Uint8Array>;
}

export interface NamedPart extends Pick<BundlePart, "kind" | "name"> {
  path: string;
}

/** The parts of a session. `cwd_folder` is a folder named after the session's directory. */
export interface NamedParts {
  /** Absolute path of the agent's folder. */
  folder: string;
  /** The files, the session's main file first. */
  parts: NamedPart[];
  cwd_folder?: string;
  /** Absolute paths of files that no bundle has, because their paths do not name the session. */
  left_out: string[];
}

export interface SessionParts extends Omit<NamedParts, "folder" | "parts"> {
  parts: PartSource[];
  /** Absolute paths of files with whole tool outputs. The database has only each output's start. */
  outputs: string[];
}

/**
 * Lists the files of a session with their hashes, the main file first. Lists the session's rows
 * instead if it is in a database.
 *
 * @throws {SessionError} As `namedParts`
 */
export async function sessionParts(
  session: SessionHandle,
  environment: AgentEnvironment,
): Promise<SessionParts> {
  const rows = (await descriptorOf(session.agent).loadRows?.())?.read(session.session);
  if (rows !== undefined) {
    const part = heldPart("rows", "session.jsonl", rows);
    return { parts: [part], left_out: [], outputs: outputsIn(rows, session.agent, environment) };
  }
  const { folder: _, parts, ...rest } = await namedParts(session, environment);
  return { ...rest, parts: parts.map(filePart), outputs: [] };
}

function outputsIn(rows: Uint8Array, agent: AgentName, environment: AgentEnvironment): string[] {
  const descriptor = descriptorOf(agent);
  const text = new TextDecoder().decode(rows);
  return agentPlaces(descriptor, environment)
    .flatMap(({ folder }) => (descriptor.outputs ?? []).map((name) => join(folder, name)))
    .flatMap(filesIn)
    .filter((path) => text.includes(basename(path)));
}

function filePart({ kind, name, path }: NamedPart): PartSource {
  const { bytes, sha256 } = hashOfFile(path);
  return { kind, name, bytes, sha256, read: () => partBytes(path, bytes) };
}

export function heldPart(
  kind: BundlePart["kind"],
  name: string,
  bytes: Uint8Array,
): PartSource {
  const length = 256 * 1024;
  return {
    ...{ kind, name, bytes: bytes.length, sha256: sha256(bytes) },
    *read(): Generator<Uint8Array> {
      for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
    },
  };
}

/**
 * Lists the files of a session, its main file first.
 *
 * @param row The session's row in a list. @default {the session is read}
 * @throws {SessionError} `unsupported-source` for a compressed or encrypted session, and for a
 * session in a database or outside of its agent's folders; `not-found`, `permission`, `io`
 */
export async function namedParts(
  session: SessionHandle,
  environment: AgentEnvironment,
  row?: { cwd?: string | undefined },
): Promise<NamedParts> {
  const { agent, id, path } = session;
  const descriptor = descriptorOf(agent);
  const files = session.writable ? [path] : await session.files();
  const [main] = files;
  if (main === undefined || /\.(?:zst|age)$/.test(main)) {
    throw unsendable(
      session,
      main === undefined
        ? "the session shares its file or database with other sessions"
        : "it is packed",
    );
  }
  const place = agentPlaces(descriptor, environment).find(({ folder }) => isBelow(main, folder));
  if (place === undefined) {
    throw unsendable(session, "the session's file is outside of its agent's folder");
  }
  const named = (kind: BundlePart["kind"], file: string) => ({
    kind,
    path: file,
    name: below(place.folder, file),
  });
  const snapshots = (descriptor.snapshots ?? []).flatMap((folder) =>
    filesIn(join(place.folder, folder, id))
  );
  const all = [
    ...files.map((file) => named("session", file)),
    ...snapshots.map((file) => named("snapshot", file)),
  ];
  const parts = all.filter((part, index) => index === 0 || isOwnName({ agent, id }, part));
  const left_out = all.filter((part) => !parts.includes(part)).map((part) => part.path);
  const wrong = plainPath(parts[0]?.name);
  if (wrong !== undefined) throw unsendable(session, `the path of the session's file ${wrong}`);
  const { cwd } = row ?? await session.summary();
  const found = { folder: place.folder, parts, left_out };
  const folder = cwd === undefined ? undefined : await folderFor(agent, place, id, cwd);
  const moves = folder !== undefined && parts[0]?.name.startsWith(`${folder.name}/`);
  return moves ? { ...found, cwd_folder: folder.name } : found;
}

function unsendable({ ref, agent }: SessionHandle, reason: string): SessionError {
  const advice = agent === REPRISE ? "" : `. Import it, and send the copy: reprise import ${ref}`;
  return new SessionError("unsupported-source", `Cannot send ${ref}: ${reason}${advice}`, { ref });
}

function below(folder: string, path: string): string {
  return path.slice(folder.length + 1).split(sep).join("/");
}

function filesIn(folder: string): string[] {
  if (!isThere(folder)) return [];
  return [...readDirSync(folder)].filter(({ isFile }) => isFile)
    .map(({ name }) => join(folder, name)).sort();
}

function hashOfFile(path: string): Pick<BundlePart, "bytes" | "sha256"> {
  const { file, info: { size } } = openSource(path);
  try {
    const hash = createHash("sha256");
    for (const piece of piecesOf(file, 0, size)) hash.update(piece);
    return { bytes: size, sha256: hash.digest("hex") };
  } finally {
    file.close();
  }
}

/** Yields the bytes of a file up to a length. Later bytes, added meanwhile, are left out. */
function* partBytes(path: string, bytes: number): Generator<Uint8Array> {
  const { file } = openSource(path);
  try {
    yield* piecesOf(file, 0, bytes);
  } finally {
    file.close();
  }
}

/** An agent's folder for the sessions of one directory. */
interface CwdFolder {
  name: string;
  /** Small files by which the agent finds the folder `name`. */
  beside: NonNullable<SessionPlacement["beside"]>;
}

/**
 * Returns an agent's folder for the sessions of a directory; undefined if all directories have the
 * same folder.
 */
async function folderFor(
  agent: AgentName,
  place: AgentPlace,
  id: string,
  cwd: string,
): Promise<CwdFolder | undefined> {
  if (agent === REPRISE) {
    return { name: `sessions/${namespaceOf(realDirectory(cwd))}`, beside: [] };
  }
  const writer = await descriptorOf(agent).loadWriter?.();
  if (writer === undefined) return undefined;
  const time = { begun: 0, now: 0, from: `${agent}:${id}` };
  const placed = (directory: string): CwdFolder => {
    const at = writer.place(place, { ...time, id, cwd: directory }, place.folder);
    return { name: below(place.folder, dirname(at.path)), beside: at.beside ?? [] };
  };
  const folder = placed(cwd);
  return folder.name === placed(`${cwd}-other`).name ? undefined : folder;
}

/** True if only this session uses a file, because the file's path names the session. */
function isOwnName(
  { agent, id }: Pick<BundleManifest, "agent" | "id">,
  { name }: Pick<BundlePart, "name">,
): boolean {
  return agent !== REPRISE && plainPath(name) === undefined &&
    name.split("/").slice(1).some((part) => part.includes(id));
}

export interface PlacedSession extends Pick<BundleManifest, "agent" | "id" | "cwd_folder"> {
  parts: readonly Pick<BundlePart, "kind" | "name">[];
}

export interface BundlePlaces {
  /** Absolute path of the agent's folder. */
  folder: string;
  /** This machine's folder that replaces `cwd_folder` of the manifest. Absent if none does. */
  cwd_folder?: string;
  paths: string[];
  /** Files by which the agent finds the session. Each file is only written if it is missing. */
  beside: CwdFolder["beside"];
}

/**
 * Returns the paths of a bundle's files on this machine. Refuses every path at which an agent would
 * look for anything else than sessions.
 *
 * @param cwd The session's directory on this machine.
 * @throws {SessionError} `unsafe-store` for a refused path, or a path behind a link; `changed` if a
 * file is there already; `unsupported-source` if the agent has no folder here
 */
export async function bundlePlaces(
  manifest: PlacedSession,
  environment: AgentEnvironment,
  cwd: string,
): Promise<BundlePlaces> {
  const { agent, id, cwd_folder } = manifest;
  const descriptor = descriptorOf(agent);
  const [place] = agentPlaces(descriptor, environment);
  if (place === undefined) {
    const message =
      `Cannot take the sent session: ${descriptor.title} has no folder for sessions here`;
    throw new SessionError("unsupported-source", message);
  }
  const folder = cwd_folder && await folderFor(agent, place, id, cwd);
  const watched = watchedFolders(descriptor, environment);
  const kept = (descriptor.snapshots ?? []).map((name) => join(place.folder, name));
  const parts = manifest.parts.filter(({ kind }) => kind !== "patch");
  const paths = parts.map((part, index) => {
    const moved = folder && part.name.startsWith(`${cwd_folder}/`)
      ? `${folder.name}${part.name.slice(cwd_folder?.length)}`
      : part.name;
    const path = join(place.folder, moved);
    const own = index === 0 ? isMainName(manifest, path, environment) : isOwnName(manifest, part);
    const allowed = (part.kind === "session" ? watched : kept).some((one) => isBelow(path, one));
    if (!own || !allowed) {
      throw refused(part.name, "the agent does not keep sessions in that folder");
    }
    if (isBehindLink(place.folder, path)) {
      throw refused(part.name, "a folder on its path is a link");
    }
    if (isThere(path)) {
      throw new SessionError(
        "changed",
        `Cannot take the sent session: a file with this name already exists: ${path}`,
        {
          path,
        },
      );
    }
    return path;
  });
  const found = { folder: place.folder, paths, beside: folder ? folder.beside : [] };
  return folder ? { ...found, cwd_folder: folder.name } : found;
}

function isMainName(
  { agent }: PlacedSession,
  path: string,
  { root = "" }: AgentEnvironment,
): boolean {
  if (agent !== REPRISE) return /\.(?:jsonl?|md)$/.test(path);
  const [, folder = "", file, ...more] = below(sessionsDirectory(root), path).split("/");
  return file === LOG_FILE && more.length === 0 && parseFolderName(folder) !== undefined;
}

function refused(name: string, reason: string): SessionError {
  return new SessionError(
    "unsafe-store",
    `Cannot take the sent session: its file ${name} cannot be written: ${reason}`,
  );
}

function isBehindLink(root: string, path: string): boolean {
  for (let at = dirname(path); isBelow(at, root); at = dirname(at)) {
    if (isThere(at) && lstatSync(at).isSymlink) return true;
  }
  return false;
}
