/**
 * The edges of a rollout, and its own head: the first `session_meta` of the file.
 */
import { splitChunk, splitRest, startSplit } from "../../log/line_splitter.ts";
import {
  EDGE_BYTES,
  type EdgeOptions,
  type FileEdges,
  readEdges,
} from "../../reading/records/file_edges.ts";
import { parseRecords, type SourceRecord } from "../../reading/records/source_record.ts";
import { decompressed } from "./rollout_lines.ts";
import { readDocument } from "./rollout_document.ts";
import { rolloutForm } from "./rollout_name.ts";
import { type RolloutRecord, toRolloutRecord } from "./rollout_record.ts";

/** The head of 0.169 takes 22 KB; tools and instructions of a project can make it far larger. */
const HEAD_SIZES = [64 * 1024, 8 * 1024 * 1024];
/** Lines in which a head is looked for. */
const HEAD_LINES = 16;

/** First and last lines of a rollout. A compressed one cannot be read from its end. */
export async function rolloutEdges(path: string, options: EdgeOptions = {}): Promise<FileEdges> {
  if (rolloutForm(path) !== "compressed") return readEdges(path, options);
  const { size, modified_at } = readEdges(path, { head_bytes: 0, tail_bytes: 0 });
  const { head_bytes = EDGE_BYTES } = options;
  const split = startSplit();
  const head = [];
  let at = 0;
  for await (const chunk of decompressed(path)) {
    at += chunk.length;
    head.push(...splitChunk(split, chunk).map(detached));
    if (at >= head_bytes) break;
  }
  const whole = at < head_bytes;
  const rest = whole ? splitRest(split) : undefined;
  if (rest !== undefined) head.push(rest);
  const modified = modified_at === undefined ? {} : { modified_at };
  return { size, head, tail: [], whole, ...modified };
}

/** A line whose bytes stay when the next chunk is split. */
function detached<Line extends { bytes: Uint8Array }>(line: Line): Line {
  return { ...line, bytes: line.bytes.slice() };
}

/** The head of the thread in a file; undefined when it has none. */
export async function readRolloutHead(path: string): Promise<RolloutRecord | undefined> {
  if (rolloutForm(path) === "document") return headIn(readDocument(path));
  for (const head_bytes of HEAD_SIZES) {
    const edges = await rolloutEdges(path, { head_bytes, tail_bytes: 0 });
    const meta = headOf(edges);
    if (meta !== undefined || edges.whole || edges.head.length > HEAD_LINES) return meta;
  }
  return undefined;
}

/** The head among the first lines of a file. */
export function headOf({ head }: FileEdges): RolloutRecord | undefined {
  const records: SourceRecord[] = [];
  for (const line of head.slice(0, HEAD_LINES)) {
    parseRecords(line, records);
    const meta = headIn(records.splice(0));
    if (meta !== undefined) return meta;
  }
  return undefined;
}

function headIn(records: readonly SourceRecord[]): RolloutRecord | undefined {
  return records.map(toRolloutRecord).find(({ type }) => type === "session_meta");
}
