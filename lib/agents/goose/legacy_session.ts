/**
 * Reads a session in a file of goose before 1.10: `<id>.jsonl` (crates/goose/src/session/legacy.rs,
 * block/goose at 0fc5e54 and decaa9d).
 *
 * Its first line is metadata, or a message where that is missing. Then comes a message a line.
 * goose passes over files of more than 50 MB; they are read here.
 */
import { basename } from "node:path";
import { readHeadRecords } from "../../reading/records/file_edges.ts";
import { isoTime } from "../../reading/events/iso_time.ts";
import { readRecords } from "../../reading/records/jsonl_records.ts";
import { asName, asNumber, asObject, asText, present } from "../../reading/records/json_value.ts";
import { count, countSide } from "../../source/source_account.ts";
import type { RecordSink, SourceRecord } from "../../reading/records/source_record.ts";
import { contentOf } from "./database_session.ts";
import {
  type Fields,
  type GooseInfo,
  type GooseMessage,
  type GooseSession,
  type GooseUsage,
  toMilliseconds,
} from "./goose_session.ts";
import { utcTime } from "./session_row.ts";
import { isOneSided, visibilityOf } from "./visibility.ts";

/** `20250605_120000`, in the time of the machine. */
const FILE_TIME = /^(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)/;

/** Whether a record is a session's metadata. */
export function isMetadata({ role, working_dir, description, message_count }: Fields): boolean {
  return role === undefined &&
    (typeof working_dir === "string" ||
      (typeof description === "string" && typeof message_count === "number"));
}

/** Whether a record is a message. */
export function isMessage({ role, content, created }: Fields): boolean {
  return (role === "user" || role === "assistant") && Array.isArray(content) &&
    typeof created === "number";
}

/** Opens a file. */
export function openLegacySession(path: string): GooseSession {
  const head = readHeadRecords(path).map(({ value }) => value);
  const metadata = head.find(isMetadata);
  return {
    unit: "bytes",
    info: infoOf(path, metadata ?? {}, head),
    usage: metadata === undefined ? [] : usageOf(metadata),
    lastHidden: () => lastHidden(path),
    messages: (sink) => messagesOf(path, sink),
    countRest(): void {},
    [Symbol.dispose](): void {},
  };
}

/** The session's own record lies among the messages, and is counted with them. */
function infoOf(path: string, metadata: Fields, head: readonly Fields[]): GooseInfo {
  const id = basename(path, ".jsonl");
  const first = head.find(isMessage);
  return present({
    id,
    name: asName(metadata.name) ?? asName(metadata.description),
    working_dir: asName(metadata.working_dir),
    created_at: utcTime(metadata.created_at) ?? isoTime(toMilliseconds(first?.created)) ??
      timeOfName(id),
    weight: 0,
  });
}

function timeOfName(id: string): string | undefined {
  const [, year, month, day, hour, minute, second] = FILE_TIME.exec(id) ?? [];
  if (year === undefined) return undefined;
  return isoTime(`${year}-${month}-${day}T${hour}:${minute}:${second}`);
}

function usageOf(metadata: Fields): GooseUsage[] {
  const usage = present({
    input: asNumber(metadata.accumulated_input_tokens),
    output: asNumber(metadata.accumulated_output_tokens),
  });
  return Object.keys(usage).length === 0 ? [] : [{ id: "session", ...usage }];
}

const encoder = new TextEncoder();
/** What is in every line that hides a message. */
const HIDDEN = encoder.encode('isible"');

/** Lines without it are passed over unparsed. */
async function lastHidden(path: string): Promise<number> {
  let last = -1;
  const skip = (line: Uint8Array): string | undefined => contains(line, HIDDEN) ? undefined : "";
  for await (const records of readRecords(path, { skip })) {
    for (const { value, position } of records) {
      if (isMessage(value) && isOneSided(visibilityOf(value.metadata))) last = position.offset;
    }
  }
  return last;
}

function contains(line: Uint8Array, wanted: Uint8Array): boolean {
  const [first = 0] = wanted;
  for (let at = line.indexOf(first); at >= 0; at = line.indexOf(first, at + 1)) {
    if (wanted.every((byte, index) => line[at + index] === byte)) return true;
  }
  return false;
}

async function* messagesOf(
  path: string,
  sink: RecordSink & { signal?: AbortSignal | undefined },
): AsyncGenerator<GooseMessage[]> {
  const { report, account, signal } = sink;
  for await (const records of readRecords(path, { report, account, signal })) {
    const messages: GooseMessage[] = [];
    for (const record of records) {
      const { length } = record.position;
      if (isMetadata(record.value)) count(account, "events", length);
      else if (isMessage(record.value)) messages.push(toMessage(record));
      else countSide(account, asText(record.value.type) ?? "record", length);
    }
    if (messages.length > 0) yield messages;
  }
}

/** A message of a file. */
export function toMessage(record: SourceRecord): GooseMessage {
  const { value, position } = record;
  return {
    ordinal: position.offset,
    id: asName(value.id) ?? `line-${position.offset}`,
    role: asText(value.role) ?? "",
    created: toMilliseconds(value.created),
    content: contentOf(value.content) ?? [],
    weight: position.length,
    record,
    ...visibilityOf(asObject(value.metadata)),
  };
}
