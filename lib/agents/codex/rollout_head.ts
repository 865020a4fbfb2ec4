/** Reads the first records of a rollout. Its own head is the first `session_meta` among them. */
import type { Line } from "../../log/line_splitter.ts";
import { readEdges, recordsIn } from "../../reading/records/file_edges.ts";
import { readJsonDocument } from "../../reading/records/json_document.ts";
import { documentItems } from "./document_items.ts";
import { rolloutLines } from "./rollout_lines.ts";
import { rolloutForm } from "./rollout_name.ts";
import { type RolloutRecord, toRolloutRecord } from "./rollout_record.ts";

/** The head of 0.169 takes 22 KB; tools and instructions of a project can make it far larger. */
const HEAD_BYTES = 64 * 1024;
const MOST_BYTES = 8 * 1024 * 1024;
/** Records among which a head is looked for. */
const HEAD_RECORDS = 16;

/**
 * Yields the first records of a file. Those of its first bytes come again where more are asked for.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function* headRecords(path: string): AsyncGenerator<RolloutRecord> {
  if (rolloutForm(path) === "document") {
    yield* documentItems(readJsonDocument(path)).map(toRolloutRecord);
    return;
  }
  for await (const lines of headLines(path)) {
    for (const line of lines) yield* recordsIn([line]).map(toRolloutRecord);
  }
}

async function* headLines(path: string): AsyncGenerator<readonly Line[]> {
  if (rolloutForm(path) === "compressed") return yield* rolloutLines({ path, to: MOST_BYTES });
  for (const head_bytes of [HEAD_BYTES, MOST_BYTES]) {
    const { head, whole } = readEdges(path, { head_bytes, tail_bytes: 0 });
    yield head;
    if (whole) return;
  }
}

/** Reads the head of the thread in a file; undefined when it has none. */
export async function readRolloutHead(path: string): Promise<RolloutRecord | undefined> {
  let left = HEAD_RECORDS;
  for await (const record of headRecords(path)) {
    if (record.type === "session_meta") return record;
    if (--left === 0) return undefined;
  }
  return undefined;
}
