/** Keeps the ledger of sent bytes: `machines/own.json` in the data root. */
import { dirname, join } from "node:path";
import { isObject } from "../../../core/event/guard.ts";
import { parsedJson } from "../../../core/event/parsed_json.ts";
import { RECORDS_BYTES, shortTextIn } from "../../../core/file/short_file.ts";
import { replaceFile } from "../../../core/log/replace_file.ts";
import { makeDirectories } from "../../../core/store/create_log.ts";
import type { DirectoryMove } from "../bundle/moved_records.ts";
import type { CopyState } from "../growth_rule.ts";
import type { CommonBytes, RecordHead, StreamFacts } from "./stream_record.ts";

/** A file of a session, and how much of it was sent. */
export interface OwnFile extends CopyState, Pick<RecordHead, "kind" | "generation"> {
  /** Absolute path on this machine. */
  path: string;
  /** Number of bytes in the stream. Differs from `bytes` where the directory is mapped. */
  sent: number;
  /** The part that another machine sent; absent once it was named. */
  common?: CommonBytes;
  /** True to name the common part only with later bytes. */
  waits?: true;
  /** True to send the stream's bytes again, because the place lost them. */
  again?: true;
  /** Absolute path of the stream's bytes, where they differ from the file's. */
  shadow?: string;
}

/** A session that this machine sends. */
export interface OwnStream {
  facts: StreamFacts;
  /** Absolute path of the agent's folder. */
  root: string;
  /** State of the session's files at the last look. */
  state: string;
  /** The directory that moved, if another machine began the session. */
  move?: DirectoryMove;
  /** The folder that stands for `facts.cwd_folder` on this machine. */
  cwd_folder?: string;
  /** True if the other machines may have the session from an earlier epoch. */
  was_sent?: true;
  /** True once the other machines were told that the session was deleted here. */
  gone?: true;
  /** The files by their names in the stream, the main one first. */
  files: Record<string, OwnFile>;
}

/** The ledger of this machine. */
export interface OwnLedger {
  version: 1;
  epoch: number;
  /** Number of the last pack. */
  last: number;
  /** Number of bytes of all packs; absent if unknown. */
  size?: number;
  /** Name of the key, and id of the device, under which the packs lie. */
  under?: string;
  /** Generation of a new file, if an earlier ledger was lost. @default 1 */
  first_generation?: number;
  /** Day on which the place was last compared with the ledger, as `2026-11-30`. */
  checked?: string;
  /** Sessions by reference. */
  streams: Record<string, OwnStream>;
}

export function machinesFolder(root: string): string {
  return join(root, "machines");
}

function ledgerPath(root: string): string {
  return join(machinesFolder(root), "own.json");
}

/** Reads the ledger. Without one, nothing was sent. */
export function readLedger(root: string): OwnLedger {
  const text = shortTextIn(ledgerPath(root), RECORDS_BYTES, { follow: false });
  const value = parsedJson(text);
  const is_ledger = isObject(value) && value.version === 1 && isObject(value.streams);
  return is_ledger
    ? value as unknown as OwnLedger
    : { version: 1, epoch: Math.floor(Date.now() / 1000), last: 0, streams: {} };
}

export function writeLedger(root: string, ledger: OwnLedger): void {
  const path = ledgerPath(root);
  makeDirectories(dirname(path));
  replaceFile(path, [JSON.stringify(ledger)]);
}

/** Returns the path of the file that has a stream's bytes. */
export function contentPath({ shadow, path }: Pick<OwnFile, "shadow" | "path">): string {
  return shadow ?? path;
}
