/**
 * The head of a device's sessions in a project: one object, replaced whole. What has not changed for
 * some time is in its pages, so that a push of one event writes little. Pure.
 */
import { isDeeperThan, MAX_DEPTH } from "../../../core/event/decode.ts";
import { isObject } from "../../../core/event/guard.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { sha256 } from "../branch_segments.ts";
import type {
  BranchSignature,
  Device,
  SharedForm,
  SharedSummary,
  SharedWith,
} from "../team_store.ts";

/** The place in a branch of a device after which another branch begins. */
export interface BranchBase {
  device: string;
  /** Index of the branch among its device's branches of the session. */
  i: number;
  /** Number of plain bytes before this place. */
  len: number;
}

/** Bytes that one device appended, at the start of a session or after bytes of another device. */
export interface DeviceBranch {
  /** Index of the branch among the device's branches of the session. */
  i: number;
  /** The place after which the branch begins; absent if it begins at the start of the session. */
  base?: BranchBase;
  /** Hash of the chain at the start of the branch. */
  prev: string;
  /** Number of plain bytes up to the end of the branch, those before its start included. */
  len: number;
  /** Hash of the chain at the end of the branch. */
  head: string;
  /** The time when the branch was begun, in ISO 8601, by the device's clock. */
  began_at: string;
  /** ISO time of the last append, by the device's clock. */
  changed_at: string;
  /** True if the branch was shortened. Nothing is appended to it any more. */
  is_cut?: true;
  signed?: BranchSignature;
  summary?: SharedSummary;
}

/** A session, as one device shares it. */
export interface HeadEntry {
  /** The shared session's id. */
  session: string;
  form: SharedForm;
  /** The claim that the entry follows. The highest epoch is valid; of equals, the earliest. */
  claim: { epoch: number; at: string; id: string };
  /** The wrapped data key of a sealed session, in Base64, and the time when it was wrapped. */
  keys?: { at: string; age: string };
  /** The time when the session was withdrawn, in ISO 8601. No device shares it again. */
  withdrawn_at?: string;
  branches: DeviceBranch[];
}

/** The head of a device's shared sessions in a project. Older entries are in its pages. */
export interface HeadDocument {
  owner: string;
  device: Device;
  project: string;
  /** The readers of the sessions. */
  visible: SharedWith;
  /** Number of times that the head was replaced. */
  seq: number;
  /** Names of the pages with the older entries; absent if there are none. */
  pages?: string[];
  /** Names of the pages that these replaced. A slower process's head of the device may name them. */
  former?: string[];
  /** Entries of sessions. They override entries of pages for the same session. */
  sessions: HeadEntry[];
}

/** Maximum size of a head, of a page and of a fold, in bytes. */
export const MAX_HEAD_BYTES = 64 * 1024 * 1024;
/** Number of lengths that a head's versions take in turn, so that listed sizes show changes. */
const LENGTHS = 64;

const encoder = new TextEncoder();

/** Returns the bytes of a document, with their SHA-256 in a line before them. */
export function encodeDocument(document: object, seq = 0): Uint8Array {
  const json = JSON.stringify(document);
  const length = encoder.encode(json).length;
  const padding = " ".repeat((LENGTHS + seq % LENGTHS - length % LENGTHS) % LENGTHS);
  const body = encoder.encode(`${json}${padding}\n`);
  return encoder.encode(`{"sha256":"${sha256(body)}"}\n${new TextDecoder().decode(body)}`);
}

/** Decodes a document; undefined if torn, changed, or nested too deep to be written. */
export function decodeDocument(bytes: Uint8Array): unknown {
  const end = bytes.indexOf(0x0a) + 1;
  try {
    const digest = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
    if (digest.sha256 !== sha256(bytes.subarray(end))) return undefined;
    const document: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(end)));
    return isDeeperThan(document, MAX_DEPTH) ? undefined : document;
  } catch {
    // Half of it arrived, or it is something else.
    return undefined;
  }
}

const HASH = /^(?:[0-9a-f]{64})?$/;
const PAGE_NAME = /^[0-9a-f]{32}$/;
/** Maximum number of pages of a head, or of former ones. */
const MAX_PAGES = 100_000;
const UUID = /^[0-9a-f-]{36}$/;
const FORMS: ReadonlySet<unknown> = new Set<SharedForm>(["copy", "log", "sealed"]);
const READERS: ReadonlySet<unknown> = new Set<SharedWith>(["team", "private"]);
/** Maximum number of branches of a session in one device's entry. */
const MAX_DEVICE_BRANCHES = 4000;

/** The highest epoch of a claim. Each time a session is claimed again, the epoch grows by two. */
export const MAX_EPOCH = 1_000_000_000;

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isName(value: unknown): boolean {
  return typeof value === "string" && value !== "" && value.length <= 1000;
}

function isTime(value: unknown): boolean {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}

function isHash(value: unknown): boolean {
  return typeof value === "string" && HASH.test(value);
}

function isDeviceBranch(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { i, base, prev, len, head, began_at, changed_at, signed, summary } = value;
  const from = isObject(base) ? base.len : 0;
  return isCount(i) && isHash(prev) && isHash(head) && isCount(len) && isTime(began_at) &&
    isTime(changed_at) && (len as number) >= (from as number) &&
    (base === undefined ||
      isObject(base) && UUID.test(`${base.device}`) && isCount(base.i) && isCount(base.len)) &&
    (signed === undefined ||
      isObject(signed) && typeof signed.by === "string" && typeof signed.signature === "string" &&
        /^[0-9a-f]{128}$/.test(signed.signature)) &&
    (summary === undefined ||
      isObject(summary) && isCount(summary.len) && typeof summary.made_by === "string" &&
        isObject(summary.row));
}

/** True if a value has the form of an entry. Others can write to the store. */
export function isEntry(value: unknown): value is HeadEntry {
  if (!isObject(value)) return false;
  const { session, form, claim, keys, withdrawn_at, branches } = value;
  return isName(session) && FORMS.has(form) && isObject(claim) &&
    isCount(claim.epoch) && (claim.epoch as number) <= MAX_EPOCH && isTime(claim.at) &&
    typeof claim.id === "string" &&
    (keys === undefined || isObject(keys) && isTime(keys.at) && typeof keys.age === "string") &&
    (withdrawn_at === undefined || isTime(withdrawn_at)) && Array.isArray(branches) &&
    branches.length <= MAX_DEVICE_BRANCHES && branches.every(isDeviceBranch);
}

function arePageNames(value: unknown): boolean {
  return Array.isArray(value) && value.length <= MAX_PAGES &&
    value.every((one) => typeof one === "string" && PAGE_NAME.test(one));
}

export function isHead(value: unknown): value is HeadDocument {
  if (!isObject(value)) return false;
  const { owner, device, project, visible, seq, pages, former, sessions } = value;
  return isName(owner) && isName(project) && READERS.has(visible) && isCount(seq) &&
    isObject(device) &&
    UUID.test(`${device.id}`) && typeof device.label === "string" && device.label.length <= 200 &&
    // Until 2026 a head had one base.
    !("base" in value) && [pages, former].every((one) => one === undefined || arePageNames(one)) &&
    Array.isArray(sessions) && sessions.every(isEntry);
}

/** Makes the error for a store whose objects no honest device writes. */
export function notAStore(reason: string): SessionError {
  return new SessionError("damaged", `Cannot use the store: ${reason}`);
}

/** Maximum attempts to replace an object that this device's other processes replace too. */
export const TRIES = 20;

/** Returns the error for this device's head if the object in its place is damaged. */
export function unreadableHead(key: string): SessionError {
  const message =
    `Cannot write this machine's list of sessions: the file in the store is damaged: ${key}; ` +
    "if the store is still syncing, wait; otherwise delete the file and push again";
  return new SessionError("damaged", message);
}

/** Makes the error for an object that was replaced at each try. */
export function tooManyWriters(what: string): SessionError {
  const message = `Cannot write ${what}: other processes on this machine keep writing to ` +
    "the same file; try again later";
  return new SessionError("locked", message);
}
