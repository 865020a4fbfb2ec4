/**
 * The keys of a team's objects. Each part is a safe file name on every system: lower-case letters,
 * digits, and `.-_`. Files with other names, such as conflict copies, are ignored. Pure.
 */
import { Buffer } from "node:buffer";
import { sha256 } from "../../../core/event/sha256.ts";

/** The prefix of heads: the objects that tell which parts a machine sent of a project. */
export const HEADS = "v1/heads/";
export const STORE_KEY = `${HEADS}store.json`;

/**
 * A machine of a member. The machine writes only keys whose prefix contains both the owner and the
 * device.
 */
export interface DevicePlace {
  owner: string;
  /** The device's id. */
  device: string;
}

export interface ProjectPlace extends DevicePlace {
  /** The project's name. */
  project: string;
}

const text = new TextEncoder();

export function hashedName(name: string): string {
  return sha256(text.encode(name)).slice(0, 32);
}

/** Encodes a name in characters for keys. The prefix avoids names that systems reserve. */
function encodedName(name: string): string {
  return `u-${
    name.replaceAll(
      /[^a-z0-9-]/gu,
      (one) => `_${Buffer.from(one).toString("hex")}_`,
    )
  }`;
}

/** Returns the prefix of the keys of objects with which a member's machines sync. */
export function machinePrefix(owner: string): string {
  return `v1/machines/${encodedName(owner)}/`;
}

export function headKey({ owner, device, project }: ProjectPlace): string {
  return `${HEADS}${encodedName(owner)}/${device}/p-${hashedName(project)}.json`;
}

const HEAD =
  /^v1\/heads\/u-[a-z0-9_-]+\/(?<device>[0-9a-f-]{36})\/p-(?<project>[0-9a-f]{32})\.json$/;

/** Parses a project head's key. `project` is the name's hash. Undefined for any other key. */
export function parseHeadKey(key: string): { device: string; project: string } | undefined {
  const { device, project } = HEAD.exec(key)?.groups ?? {};
  return device === undefined || project === undefined ? undefined : { device, project };
}

export function ownerCopies(owner: string): string {
  return `v1/copies/${encodedName(owner)}/`;
}

export function deviceCopies({ owner, device }: DevicePlace): string {
  return `${ownerCopies(owner)}${device}/`;
}

export function projectCopies(place: ProjectPlace): string {
  return `${deviceCopies(place)}p-${hashedName(place.project)}/`;
}

export function sessionCopy(place: ProjectPlace, session: string): string {
  return `${projectCopies(place)}${encodedName(session)}/`;
}

/** Maximum number of characters of a session's name in a key. A file's name has at most 255. */
const MAX_SESSION = 200;

export function fitsKey(session: string): boolean {
  return encodedName(session).length <= MAX_SESSION;
}

const COPY = /^p-(?<project>[0-9a-f]{32})\/u-(?<session>[a-z0-9_-]{1,200})\/(?<part>[^/]+)$/;
const SESSION = /^(?:[a-z0-9-]+:)?\w[\w.-]{3,127}$/;

export interface CopyKey {
  /** The hash of the project's name, from `hashedName`. */
  project: string;
  session: string;
  part: string;
}

/**
 * Parses a key below the copies of a machine.
 *
 * @param below The key without the machine's prefix. @returns Undefined for another object.
 */
export function parseCopyKey(below: string): CopyKey | undefined {
  const { project, session: encoded = "", part } = COPY.exec(below)?.groups ?? {};
  const session = decodedName(encoded);
  if (project === undefined || part === undefined || !SESSION.test(session)) return undefined;
  return { project, session, part };
}

function decodedName(name: string): string {
  return name.replaceAll(/_([0-9a-f]+)_/g, (_all, hex) => Buffer.from(hex, "hex").toString("utf8"));
}

export function withdrawnPrefix(owner: string): string {
  return `v1/withdrawn/${encodedName(owner)}/`;
}

export function withdrawnKey(owner: string, session: string): string {
  return `${withdrawnPrefix(owner)}${encodedName(session)}`;
}

export function withdrawnSession(owner: string, key: string): string {
  return decodedName(key.slice(withdrawnPrefix(owner).length + "u-".length));
}
