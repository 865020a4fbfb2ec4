/**
 * Reads a session in a file of goose before 1.10: `<id>.jsonl` (crates/goose/src/session/legacy.rs,
 * block/goose at 0fc5e54 and decaa9d).
 *
 * The first line has metadata, unless the metadata is missing. Each other line is a message. goose
 * ignores files of more than 50 MB, but Reprise reads them.
 */
import { asName, asNumber, asObject, asText, type Json, present } from "../engine/json.ts";
import { basename } from "node:path";
import type { LinePosition } from "../../core/event/envelope.ts";
import { readHeadRecords } from "../engine/records/file_edges.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { readRecords } from "../engine/records/jsonl_records.ts";
import { skipWithout } from "../engine/records/taken_lines.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import { lineSource } from "../engine/sources/line_source.ts";
import type {
  RecordSource,
  RecordStretch,
  SourcePosition,
} from "../engine/sources/record_source.ts";
import { compactionOf, markAnswers, withAnswers } from "./exchanges.ts";
import {
  type GooseCompaction,
  type GooseEntry,
  type GooseInfo,
  type GooseMessage,
  type GooseUsage,
  toMilliseconds,
} from "./goose_entry.ts";
import { contentOf, isOneSided, utcTime, visibilityOf } from "./goose_rows.ts";

/** Matches the time in a file name, such as `20250605_120000`, in the machine's time zone. */
const FILE_TIME = /^(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)/;

export function isMetadata({ role, working_dir, description, message_count }: Json): boolean {
  return role === undefined &&
    (typeof working_dir === "string" ||
      (typeof description === "string" && typeof message_count === "number"));
}

export function isMessage({ role, content, created }: Json): boolean {
  return (role === "user" || role === "assistant") && Array.isArray(content) &&
    typeof created === "number";
}

/** Returns a file's records: the session's metadata, the lines, then the session's usage. */
export function legacySource(path: string): RecordSource {
  const lines = lineSource(path);
  return {
    async *read(options, from): AsyncGenerator<readonly SourceRecord[]> {
      const { begin, end } = edgesOf(path);
      if (from === undefined) yield begin;
      yield* withAnswers(entriesOf(path, lines.read(options, from)));
      yield end;
    },
    async last(bytes, options): Promise<RecordStretch> {
      const { records, whole } = await lines.last(bytes, options);
      const entries: SourceRecord[] = [];
      for await (const batch of entriesOf(path, [records])) {
        for (const one of batch) entries.push(one);
      }
      markAnswers(entries);
      return { records: [...entries, ...edgesOf(path).end], whole };
    },
    // A list row needs the whole file.
    edges: () => Promise.resolve({ head: [], tail: [], whole: true }),
  };
}

/** The position of a record that has no line of its own. */
const NOWHERE: LinePosition = { offset: 0, length: 0, line: 0 };
const START: SourcePosition = { offset: 0, line: 1 };

function edgesOf(path: string): { begin: SourceRecord[]; end: SourceRecord[] } {
  const { info, usage } = legacyHead(path);
  const begin: SourceRecord = { value: { info }, position: NOWHERE, behind: START };
  return { begin: [begin], end: usage.map((usage) => ({ value: { usage }, position: NOWHERE })) };
}

export function legacyHead(path: string): { info: GooseInfo; usage: GooseUsage[] } {
  const head = readHeadRecords(path).map(({ value }) => value);
  const metadata = head.find(isMetadata);
  return {
    info: infoOf(path, metadata ?? {}, head),
    usage: metadata === undefined ? [] : usageOf(metadata),
  };
}

function infoOf(path: string, metadata: Json, head: readonly Json[]): GooseInfo {
  const id = basename(path, ".jsonl");
  const first = head.find(isMessage);
  return present({
    id,
    name: asName(metadata.name) ?? asName(metadata.description),
    working_dir: asName(metadata.working_dir),
    created_at: utcTime(metadata.created_at) ?? isoTime(toMilliseconds(first?.created)) ??
      timeOfName(id),
  });
}

function timeOfName(id: string): string | undefined {
  const [, year, month, day, hour, minute, second] = FILE_TIME.exec(id) ?? [];
  if (year === undefined) return undefined;
  return isoTime(`${year}-${month}-${day}T${hour}:${minute}:${second}`);
}

function usageOf(metadata: Json): GooseUsage[] {
  const usage = present({
    input: asNumber(metadata.accumulated_input_tokens),
    output: asNumber(metadata.accumulated_output_tokens),
  });
  return Object.keys(usage).length === 0 ? [] : [{ id: "session", weight: 0, ...usage }];
}

/** Skips lines with neither `userVisible` nor `agentVisible`. They have no hidden message. */
const skip = skipWithout('isible"');

async function findCompaction(path: string): Promise<GooseCompaction | undefined> {
  const found: GooseMessage[] = [];
  for await (const records of readRecords(path, { skip })) {
    for (const one of records.filter(({ value }) => isMessage(value)).map(toMessage)) {
      found.push(one);
    }
  }
  return compactionOf(found.reverse());
}

async function* entriesOf(
  path: string,
  batches: AsyncIterable<readonly SourceRecord[]> | Iterable<readonly SourceRecord[]>,
): AsyncGenerator<SourceRecord[]> {
  let hidden: { compaction: GooseCompaction | undefined } | undefined;
  for await (const records of batches) {
    const entries: SourceRecord[] = [];
    for (const record of records) {
      const entry = entryIn(record);
      const { message } = entry;
      if (message !== undefined && isOneSided(message)) {
        hidden ??= { compaction: await findCompaction(path) };
        message.compaction = hidden.compaction;
      }
      entries.push({ ...record, value: { ...entry } });
    }
    yield entries;
  }
}

function entryIn(record: SourceRecord): GooseEntry {
  const { value } = record;
  if (isMessage(value)) return { message: toMessage(record) };
  return isMetadata(value) ? {} : { side: asText(value.type) ?? "record" };
}

function toMessage(record: SourceRecord): GooseMessage {
  const { value, position } = record;
  return {
    at: position.offset,
    id: asName(value.id) ?? `line-${position.offset}`,
    role: asText(value.role) ?? "",
    created: toMilliseconds(value.created),
    content: contentOf(value.content) ?? [],
    record,
    ...visibilityOf(asObject(value.metadata)),
  };
}
