/**
 * Encodes packs. A record has bytes of one file of a session, and their offset in that file. A pack
 * is a line of JSON with the heads of its records, then their bytes, all compressed. Pure.
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { AGENT_NAMES, type AgentName } from "../../../core/event/agent_name.ts";
import { joinBytes } from "../../../core/event/bytes.ts";
import { fields, list, oneOf, optional, text, whole } from "../../../core/event/guard.ts";
import { parsedJson } from "../../../core/event/parsed_json.ts";
import { plainPath } from "../bundle/manifest.ts";

/** Facts that are sent with a session. Paths are from the machine that began the session. */
export interface StreamFacts {
  agent: AgentName;
  id: string;
  /** The session's directory in its records; absent if unknown. */
  cwd?: string;
  /** The project's directory, which contains `cwd`. */
  top?: string;
  /** Name of the project, the same on every machine. */
  project?: string;
  /** The folder in the agent's folder whose name depends on `cwd`. */
  cwd_folder?: string;
  created_at?: string;
}

/** Bytes at the start of a file that another machine has sent, and that are not sent again. */
export interface CommonBytes {
  device: string;
  generation: number;
  bytes: number;
  crc: number;
}

export interface RecordHead extends StreamFacts {
  /** Path below the agent's folder, with `/` between names. The main file is sent first. */
  name: string;
  kind: "session" | "snapshot";
  /** Number of the file's generation, from 1. */
  generation: number;
  /** Offset of the record's bytes in this generation of the file. */
  at: number;
  bytes: number;
  common?: CommonBytes;
  /** True if the machine that sends the record deleted the session. */
  gone?: true;
}

export interface StreamRecord {
  head: RecordHead;
  bytes: Uint8Array;
}

/** Number of uncompressed bytes at which a pack is sent. */
export const PACK_BYTES = 8 * 1024 * 1024;
/** Maximum uncompressed bytes of a pack that is read. One long line may exceed `PACK_BYTES`. */
const MOST_PLAIN = 512 * 1024 * 1024;
const LF = 0x0a;

const HEAD = fields({
  agent: oneOf(...AGENT_NAMES),
  id: (value) =>
    typeof value === "string" && /^\w[\w.-]{3,127}$/.test(value) ? undefined : "is not an id",
  cwd: optional(text),
  top: optional(text),
  project: optional(text),
  cwd_folder: optional(plainPath),
  created_at: optional(text),
  name: plainPath,
  kind: oneOf("session", "snapshot"),
  generation: whole(1),
  at: whole(0),
  bytes: whole(0),
  gone: optional(oneOf(true)),
  common: optional(fields({ device: text, generation: whole(1), bytes: whole(0), crc: whole(0) })),
});
const PACK = fields({ machine: text, heads: list(HEAD) });

export interface Pack {
  machine: string;
  records: StreamRecord[];
}

export function encodePack({ machine, records }: Pack): Uint8Array {
  const heads = records.map(({ head }) => head);
  const line = new TextEncoder().encode(`${JSON.stringify({ machine, heads })}\n`);
  return deflateRawSync(joinBytes([line, ...records.map(({ bytes }) => bytes)]));
}

/** Parses a pack; undefined if it is damaged or of another version. */
export function decodePack(packed: Uint8Array): Pack | undefined {
  let plain: Uint8Array;
  try {
    plain = inflateRawSync(packed, { maxOutputLength: MOST_PLAIN });
  } catch {
    // An error of zlib, which has no type of its own.
    return undefined;
  }
  const end = plain.indexOf(LF);
  const value = parsedJson(new TextDecoder().decode(plain.subarray(0, end)));
  if (end < 0 || PACK(value) !== undefined) return undefined;
  const { machine, heads } = value as { machine: string; heads: RecordHead[] };
  let at = end + 1;
  const records = heads.map((head) => ({ head, bytes: plain.subarray(at, at += head.bytes) }));
  return at === plain.length ? { machine, records } : undefined;
}
