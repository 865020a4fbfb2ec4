/** Describes the backup of another agent's session: its files, byte for byte, in generations. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { AGENT_NAMES, type AgentName } from "../../../core/event/agent_name.ts";
import { isObject } from "../../../core/event/guard.ts";
import { parsedJson } from "../../../core/event/parsed_json.ts";
import { RECORDS_BYTES, shortTextIn } from "../../../core/file/short_file.ts";

export interface KeptFile {
  /** Path below the folder `latest`: the same as the original's path below the agent's folder. */
  name: string;
  /** Absolute path of the original. */
  path: string;
  /** Path of the copy below the session's folder. */
  copy: string;
  /** Number of the copy's bytes in this generation. Later generations may append to the copy. */
  bytes: number;
  /** CRC-32 of the first `bytes` bytes of the copy. */
  crc: number;
  /** CRC-32 of the last 64 bytes before offset `bytes` of the copy. */
  mark: number;
  mode: number;
  /** Time of the last change of the original's contents, in milliseconds. */
  mtime: number;
  /** Time of the last change of the original's contents or status, in milliseconds. */
  ctime: number;
  /** Inode of the original; 0 if the system has no inodes. */
  ino: number;
  /** The time of the last check of the original for changes, in milliseconds. */
  seen: number;
}

/** Reason for a new backup version: the source was cut or rewritten, or the copy was damaged. */
export type GenerationEnd = "shrank" | "rewritten" | "copy-damaged";

/** One version of a session's files. Bytes appended to them stay in the same generation. */
export interface KeptGeneration {
  /** Number of the generation, from 1. */
  number: number;
  /** Time at which the first byte was copied, as ISO 8601. */
  began_at: string;
  /** Time at which the last byte was copied, as ISO 8601. */
  kept_at: string;
  /** The reason why the next generation began; absent in the last generation. */
  ended?: GenerationEnd;
  /** The files of the session, its own file first. */
  files: KeptFile[];
}

/** A copy that exists only in compressed form. */
export interface PackedCopy {
  /** Path of the uncompressed copy below the session's folder, as `KeptFile.copy` names it. */
  copy: string;
  /** Path of the compressed file below the session's folder. */
  packed: string;
  packed_bytes: number;
  /** SHA-256 of the uncompressed copy. */
  sha256: string;
  /** Path of the copy against which this copy is compressed. Absent if it needs none. */
  base?: string;
}

export interface KeptManifest {
  version: 1;
  agent: AgentName;
  id: string;
  /** The session's directory; absent if its agent records the directory only in the session. */
  cwd?: string;
  archived?: boolean;
  /** The versions of the session's files, the oldest first. */
  generations: KeptGeneration[];
  /** Copies of earlier file versions, if they exist only in compressed form. */
  packed?: PackedCopy[];
}

export const MANIFEST = "manifest.json";
/** Name of the folder with the newest version of each file. */
export const LATEST = "latest";

export function readKeptManifest(folder: string): KeptManifest | undefined {
  const text = shortTextIn(join(folder, MANIFEST), RECORDS_BYTES, { follow: false });
  const value = parsedJson(text);
  return isManifest(value) ? value : undefined;
}

function isManifest(value: unknown): value is KeptManifest {
  return isObject(value) && value.version === 1 && typeof value.id === "string" &&
    AGENT_NAMES.includes(value.agent as AgentName) && Array.isArray(value.generations) &&
    value.generations.length > 0 && value.generations.every(isGeneration) &&
    (value.packed === undefined || (Array.isArray(value.packed) && value.packed.every(isPacked)));
}

function isPacked(value: unknown): value is PackedCopy {
  return isObject(value) && isBelow(value.copy) && isBelow(value.packed) &&
    typeof value.packed_bytes === "number" && typeof value.sha256 === "string" &&
    (value.base === undefined || isBelow(value.base));
}

function isGeneration(value: unknown): value is KeptGeneration {
  return isObject(value) && Number.isSafeInteger(value.number) && Array.isArray(value.files) &&
    typeof value.began_at === "string" && typeof value.kept_at === "string" &&
    value.files.length > 0 && value.files.every(isFile);
}

const COUNTS = ["bytes", "crc", "mark", "mode"] as const;
const NUMBERS = ["mtime", "ctime", "ino", "seen"] as const;
/** Maximum size of a file on any system, in bytes. A manifest with a larger size is invalid. */
const MOST_BYTES = 2 ** 44;
/** The latest time that a Date can hold, in milliseconds. */
const LAST_MS = 8.64e15;

function isFile(value: unknown): value is KeptFile {
  return isObject(value) && isBelow(value.name) && isBelow(value.copy) &&
    typeof value.path === "string" &&
    COUNTS.every((name) => isWithin(value[name], 0, MOST_BYTES)) &&
    NUMBERS.every((name) => typeof value[name] === "number") &&
    isWithin(value.mtime, -LAST_MS, LAST_MS);
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
}

/** True for a path below the session's folder. A forged manifest thus reaches no other file. */
function isBelow(path: unknown): path is string {
  return typeof path === "string" && path !== "" &&
    path.split(/[/\\]/).every((part) => part !== "" && part !== "." && part !== "..");
}

export function latestOf({ generations }: KeptManifest): KeptGeneration {
  return generations.at(-1) as KeptGeneration;
}

/** Returns the generation that lists show: the last generation whose main file is not empty. */
export function shownGeneration(manifest: KeptManifest): KeptGeneration {
  return manifest.generations.findLast((one) => mainFile(one).bytes > 0) ?? latestOf(manifest);
}

export function packedCopy({ packed }: KeptManifest, copy: string): PackedCopy | undefined {
  return packed?.find((one) => one.copy === copy);
}

export function mainFile({ files }: KeptGeneration): KeptFile {
  return files[0] as KeptFile;
}

/**
 * Returns the absolute path of a copy. A copy may have moved without a change of the manifest. This
 * happens if a process is killed while it begins a generation.
 */
export function copyPath(
  folder: string,
  { number }: Pick<KeptGeneration, "number">,
  file: Pick<KeptFile, "name" | "copy">,
): string {
  const path = join(folder, file.copy);
  const moved = join(folder, `${number}`, file.name);
  return !existsSync(path) && existsSync(moved) ? moved : path;
}
