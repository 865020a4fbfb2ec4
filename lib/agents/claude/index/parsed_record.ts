/**
 * Indexes lines that only parsing tells: those of other forms, and damaged ones.
 */
import type { Line } from "../../../log/line_splitter.ts";
import { countSide } from "../../../source/source_account.ts";
import { blocksOf } from "../content.ts";
import { asName, asObject, asText } from "../../../reading/json_value.ts";
import type { RecordOptions } from "../../../reading/records/jsonl_records.ts";
import { parseRecords, type SourceRecord } from "../../../reading/records/source_record.ts";
import { addSide } from "../side_facts.ts";
import { AGENT_PROGRESS } from "./agent_progress.ts";
import { boundaryOf } from "./boundary.ts";
import { addLinked, clearFound, found } from "./found_record.ts";
import {
  ASSISTANT,
  LOST,
  PASSING,
  RECORD_TYPES,
  type RecordIndex,
  RESULTS,
  ROOT,
  SALVAGED,
  SIDECHAIN,
  SUMMARY,
  USER,
} from "./record_index.ts";
import { responseOfId } from "./response_number.ts";
import { scanDamaged } from "./scan_record.ts";

/** Parses a line, and indexes the records in it. Damage is reported. */
export function indexParsed(index: RecordIndex, line: Line, options: RecordOptions): void {
  const records: SourceRecord[] = [];
  let damaged = false;
  parseRecords(line, records, {
    account: options.account,
    report: (diagnostic) => {
      damaged ||= diagnostic.code !== "invalid-utf8";
      options.report?.(diagnostic);
    },
  });
  if (damaged) addDamaged(index, line, records);
  for (const record of records) indexRecord(index, record, options);
}

/** A damaged line may still say what it follows: so the history before it is not lost with it. */
function addDamaged(index: RecordIndex, line: Line, records: readonly SourceRecord[]): void {
  clearFound();
  if (!scanDamaged(line, found)) return;
  if (!records.some(({ value }) => value.uuid === found.id)) addLinked(index, line);
}

/** Indexes a record that was parsed. */
export function indexRecord(
  index: RecordIndex,
  record: SourceRecord,
  options: RecordOptions,
): void {
  const { value, position, salvaged } = record;
  const type = asText(value.type) ?? "unknown";
  const known = (RECORD_TYPES as readonly string[]).indexOf(type);
  if (known < 0 && !leadsOn(value)) {
    addSide(index.side, value, index.count);
    return countSide(options.account, type, position.length);
  }
  const code = known < 0 ? PASSING : known;
  const message = asObject(value.message);
  const message_id = code === ASSISTANT ? asName(message.id) : undefined;
  const parent_id = asName(value.parentUuid);
  let flags = value.isSidechain === true ? SIDECHAIN : 0;
  if (salvaged) flags |= SALVAGED;
  if (code === USER && holdsResult(message.content)) flags |= RESULTS;
  if (value.isCompactSummary === true) flags |= SUMMARY;
  Object.assign(found, {
    id: asName(value.uuid) ?? `#${index.count + 1}`,
    type: code,
    flags,
    parent: value.parentUuid === null ? ROOT : LOST,
    parent_id: value.parentUuid === null ? undefined : parent_id,
    time: Date.parse(asName(value.timestamp) ?? ""),
    response: message_id === undefined ? 0 : responseOfId(message_id),
    body: 0,
    body_length: 0,
    subtype: asName(value.subtype) ?? asName(asObject(value.attachment).type) ??
      (asObject(value.data).type === AGENT_PROGRESS ? AGENT_PROGRESS : undefined),
  });
  const row = addLinked(index, position);
  if (code === PASSING && type !== "progress") index.passing_types.set(row, type);
  if (value.subtype === "compact_boundary") index.boundaries.set(row, boundaryOf(value));
}

function holdsResult(content: unknown): boolean {
  return typeof content !== "string" &&
    blocksOf(content).some(({ type }) => type === "tool_result");
}

/** A record of a type that is not known may still stand between two that are. */
function leadsOn({ uuid, parentUuid }: SourceRecord["value"]): boolean {
  return asName(uuid) !== undefined && (parentUuid === null || asName(parentUuid) !== undefined);
}
