/**
 * Maps the directory in a session's records to another directory. Only the fields that hold a
 * record's directory change: `cwd`, `payload.cwd`, and the hash `projectHash`. Every other byte
 * stays.
 */
import { joinBytes } from "../../../core/event/bytes.ts";
import { checkLine, CHECKSUM_BYTES, checksumMember } from "../../../core/event/checksum.ts";
import { sha256 } from "../../../core/event/sha256.ts";
import {
  fieldNames,
  type FieldSpans,
  findFields,
} from "../../../core/log/json_bytes/find_fields.ts";
import { textAt } from "../../../core/log/json_bytes/values.ts";
import { pathRules } from "../../../core/workspace/path_rules.ts";
import { joinBelow, namesBelow } from "../../../core/workspace/system_path.ts";
import type { PartSink } from "./bundle_stream.ts";

export interface DirectoryMove {
  /** Absolute path of the directory on the machine that sent the session. */
  old: string;
  /** Absolute path of the directory on this machine. */
  here: string;
}

const LF = 0x0a;
const OUTER = fieldNames("cwd", "projectHash", "payload");
const INNER = fieldNames("cwd");
const encoder = new TextEncoder();

export function movedPath(path: string, { old, here }: DirectoryMove): string | undefined {
  const names = namesBelow(old, path, pathRules());
  return names && (names.length === 0 ? here : joinBelow(here, names.join("/")));
}

export function movingSink(target: PartSink, move: DirectoryMove): PartSink {
  let held: Uint8Array[] = [];
  const flush = (last: Uint8Array): void => {
    target.write(movedRecord(joinBytes([...held, last]), move));
    held = [];
  };
  return {
    write(bytes): void {
      let start = 0;
      for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
        flush(bytes.subarray(start, end));
        target.write(bytes.subarray(end, end + 1));
        start = end + 1;
      }
      if (start < bytes.length) held.push(bytes.slice(start));
    },
    end(): void {
      if (held.length > 0) flush(new Uint8Array());
      target.end?.();
    },
  };
}

/** Returns a record with its directory moved; the same bytes if nothing changes. */
export function movedRecord(line: Uint8Array, move: DirectoryMove): Uint8Array {
  const changes: { start: number; end: number; text: string }[] = [];
  const add = (bytes: Uint8Array, base: number, spans: FieldSpans, index: number): void => {
    const [start = -1, end = -1] = [spans[2 * index], spans[2 * index + 1]];
    const value = start < 0 ? undefined : textAt(bytes, start, end);
    const text = value && (index === 1 ? movedHash(value, move) : movedPath(value, move));
    if (text && text !== value) changes.push({ start: base + start, end: base + end, text });
  };
  const outer = findFields(line, OUTER);
  const [payload = -1, payload_end = -1] = outer.subarray(4, 6);
  add(line, 0, outer, 0);
  add(line, 0, outer, 1);
  if (payload >= 0) {
    const inner = line.subarray(payload, payload_end);
    add(inner, payload, findFields(inner, INNER), 0);
  }
  if (changes.length === 0) return line;
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const { start, end, text } of changes.sort((one, other) => one.start - other.start)) {
    pieces.push(line.subarray(at, start), encoder.encode(JSON.stringify(text)));
    at = end;
  }
  // A log of Reprise has a checksum for each line.
  if (checkLine(line) !== "verified") return joinBytes([...pieces, line.subarray(at)]);
  const body = joinBytes([...pieces, line.subarray(at, line.length - CHECKSUM_BYTES)]);
  return joinBytes([body, encoder.encode(checksumMember(body))]);
}

function movedHash(value: string, { old, here }: DirectoryMove): string | undefined {
  return value === sha256(encoder.encode(old)) ? sha256(encoder.encode(here)) : undefined;
}
