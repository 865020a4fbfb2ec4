/** Reads and writes the ledger of sent bytes, `machines/own.json` in the data root. */
import { dirname, join } from "node:path";
import { isObject } from "../../../core/event/guard.ts";
import { parsedJson } from "../../../core/event/parsed_json.ts";
import { RECORDS_BYTES, shortTextIn } from "../../../core/file/short_file.ts";
import { replaceFile } from "../../../core/log/replace_file.ts";
import { makeDirectories } from "../../../core/store/create_log.ts";
import type { DirectoryMove } from "../bundle/moved_records.ts";
import type { CopyState } from "../growth_rule.ts";
import type { CommonBytes, RecordHead, StreamFacts } from "./stream_record.ts";

export interface OwnFile extends CopyState, Pick<RecordHead, "kind" | "generation"> {
  /** Absolute path of the file on this machine. */
  path: string;
  /** Number of sent bytes. Differs from `bytes` if directories in the records are replaced. */
  sent: number;
  /** The prefix from another machine. Removed once a pack tells other machines of the prefix. */
  common?: CommonBytes;
  /** True to confirm `common` only when this machine sends later bytes of the file. */
  waits?: true;
  /** True to send all bytes again, because the sync place lost them. */
  again?: true;
  /** Absolute path of a file with the sent bytes, if they differ from the bytes at `path`. */
  shadow?: string;
}

/** A session that this machine sends. */
export interface OwnStream {
  facts: StreamFacts;
  /** Absolute path of the agent's folder. */
  root: string;
  /** State of the session's files at the last push. */
  state: string;
  /** The session's directories on this machine and on the other machine that began the session. */
  move?: DirectoryMove;
  /** Folder on this machine that replaces `facts.cwd_folder` at the start of file names. */
  cwd_folder?: string;
  /** True if the other machines may have the session, although the ledger counts no sent bytes. */
  was_sent?: true;
  /** True once the other machines were told that the session was deleted here. */
  gone?: true;
  /** The files by their names on the machine that began the session, the main file first. */
  files: Record<string, OwnFile>;
}

export interface OwnLedger {
  version: 1;
  epoch: number;
  last: number;
  /** Number of bytes of all packs; absent if unknown. */
  size?: number;
  /** Name of the key and id of the device in the paths of the packs, as `<key>/<device>`. */
  under?: string;
  /** Generation number of new files, if an earlier `own.json` was lost. @default 1 */
  first_generation?: number;
  /** Day on which the sync place was last compared with this ledger, as `2026-11-30`. */
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

/** Reads the ledger. Returns a ledger without sent bytes if the file is missing or not valid. */
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

export function contentPath({ shadow, path }: Pick<OwnFile, "shadow" | "path">): string {
  return shadow ?? path;
}
