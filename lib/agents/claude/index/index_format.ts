/** Indexes the records of Claude Code: by the bytes of their lines, or parsed. */
import { asName, asObject, asText } from "../../../reading/json_value.ts";
import type { SourceRecord } from "../../../reading/records/source_record.ts";
import type {
  Indexed,
  IndexFormat,
  LineScanner,
  Scanned,
} from "../../../reading/tree/path_format.ts";
import { hasFlag, LINK, REPEATED } from "../../../reading/tree/record_index.ts";
import { blocksOf } from "../content.ts";
import {
  addSide,
  isLastPrompt,
  keepLastPrompt,
  type LastPrompts,
  takeLastPrompts,
} from "../side_facts.ts";
import {
  AGENT_PROGRESS,
  boundaryOf,
  type ClaudeHead,
  type ClaudeIndex,
  isOneSidechain,
  PASSING,
  RECORD_TYPES,
  RESULTS,
  SIDECHAIN,
  SUMMARY,
} from "./claude_record.ts";
import { blockMarks, type LineMarks, lineMarks } from "./line_marks.ts";
import { readMessageLine } from "./message_line.ts";
import { responseOfId } from "./response_number.ts";
import { scanRecord } from "./scan_record.ts";

/** How Claude Code's records are indexed. */
export const claudeIndex: IndexFormat<ClaudeHead> = {
  repeated: "last",
  types: RECORD_TYPES,
  head: () => ({ side: {}, boundaries: new Map() }),
  index: indexRecord,
  idOf: ({ value }) => asName(value.uuid),
  scanner,
  looksUp: ({ head: { side, boundaries } }) => boundaries.size > 0 || side.leaf !== undefined,
  joinLost,
};

function scanner(): LineScanner<ClaudeHead> {
  const prompts: LastPrompts = {};
  let marks: LineMarks = lineMarks(new Uint8Array(0));
  return {
    begin(bytes, end, finder): void {
      marks = finder === undefined ? lineMarks(bytes) : blockMarks(finder, end);
    },
    scan(index, found, bytes, start, end): Scanned {
      if (readMessageLine(index, found, bytes, start, end, marks)) return "record";
      if (isLastPrompt(bytes, start, end) && marks.second(start, end) < 0) {
        keepLastPrompt(prompts, bytes.slice(start, end), index.count);
        return "head";
      }
      return scanRecord(bytes.subarray(start, end), found);
    },
    rescue: (_index, found, bytes) => scanRecord(bytes, found) === "record",
    end: ({ head }) => takeLastPrompts(head.side, prompts),
  };
}

function indexRecord({ value }: SourceRecord, { head, count }: ClaudeIndex): Indexed {
  const type = asText(value.type) ?? "unknown";
  const known = (RECORD_TYPES as readonly string[]).indexOf(type);
  if (known < 0 && !leadsOn(value)) {
    addSide(head.side, value, count);
    return { beside: type };
  }
  const message = asObject(value.message);
  const message_id = type === "assistant" ? asName(message.id) : undefined;
  if (value.subtype === "compact_boundary") head.boundaries.set(count, boundaryOf(value));
  return {
    id: asName(value.uuid) ?? `#${count + 1}`,
    parent_id: value.parentUuid === null ? undefined : asName(value.parentUuid) ?? null,
    type,
    subtype: asName(value.subtype) ?? asName(asObject(value.attachment).type) ??
      (asObject(value.data).type === AGENT_PROGRESS ? AGENT_PROGRESS : undefined),
    flags: (value.isSidechain === true ? SIDECHAIN : 0) |
      (type === "user" && holdsResult(message.content) ? RESULTS : 0) |
      (value.isCompactSummary === true ? SUMMARY : 0) |
      (known < 0 || known >= PASSING ? LINK : 0),
    time: Date.parse(asName(value.timestamp) ?? ""),
    answer: message_id === undefined ? 0 : responseOfId(message_id),
  };
}

function holdsResult(content: unknown): boolean {
  return typeof content !== "string" &&
    blocksOf(content).some(({ type }) => type === "tool_result");
}

/** A record of a type that is not known may still stand between two that are. */
function leadsOn({ uuid, parentUuid }: SourceRecord["value"]): boolean {
  return asName(uuid) !== undefined && (parentUuid === null || asName(parentUuid) !== undefined);
}

/**
 * In a sub-agent's file, gives each record with a lost parent the last record before it that nothing
 * follows: Claude Code 2.0.74 leaves hook records out of such files, which most others name.
 */
function joinLost(index: ClaudeIndex): void {
  const { lost, parent, count } = index;
  if (lost.size === 0 || !isOneSidechain(index)) return;
  const followed = new Uint8Array(count);
  for (const before of parent.subarray(0, count)) if (before >= 0) followed[before] = 1;
  const ends: number[] = [];
  for (let row = 0; row < count; row++) {
    if (hasFlag(index, row, REPEATED)) continue;
    if (lost.has(row)) {
      while (ends.length > 0 && followed[ends.at(-1) as number] === 1) ends.pop();
      parent[row] = ends.pop() ?? parent[row] as number;
    }
    ends.push(row);
  }
}
