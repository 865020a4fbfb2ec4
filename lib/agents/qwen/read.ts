/**
 * A session of Qwen Code as events: the records of the live branch, from its root on.
 */
import type { LogEvent } from "../../event/envelope.ts";
import { type Diagnostic, isDamage } from "../../log/diagnostic.ts";
import type { AgentReadOptions, AgentSession, SourceAccount } from "../agent.ts";
import { EventWriter } from "../event_writer.ts";
import { readRecords } from "../jsonl_records.ts";
import { type RecordPlace, readRecordsAt } from "../records_at.ts";
import { count } from "../source_account.ts";
import type { SourceRecord } from "../source_record.ts";
import { startEmission } from "./header.ts";
import { findLivePath, reportBroken } from "./live_path.ts";
import { emitRecord } from "./record_events.ts";
import { addRecord, emptyIndex, type RecordIndex, type RecordNode } from "./record_index.ts";

/** Reads a session; see {@linkcode Agent.read}. */
export async function* readSession(
  session: AgentSession,
  options: AgentReadOptions = {},
): AsyncGenerator<readonly LogEvent[]> {
  const { needs, report, account, signal, branch, in_force } = options;
  const index = await indexFile(session.path, options);
  const walk = findLivePath(index, branch);
  countRecords(index, walk.path, account);
  reportBroken(index, walk, report);
  if (index.first.length === 0) return;
  const writer = new EventWriter(session, needs);
  const emission = startEmission(session, index, { needs: writer, path: walk.path });
  const from = in_force ? walk.path.findLastIndex(({ compaction }) => compaction) : 0;
  for await (const { node, fragments } of readNodes(session.path, walk.path.slice(Math.max(0, from)), signal)) {
    emitRecord(emission, node, fragments);
    if (writer.pending >= BATCH_EVENTS) yield writer.take();
  }
  const rest = writer.take();
  if (rest.length > 0) yield rest;
}

async function indexFile(
  path: string,
  { report, account, signal }: AgentReadOptions,
): Promise<RecordIndex> {
  const index = emptyIndex();
  const note = (diagnostic: Diagnostic): void => {
    if (isDamage(diagnostic.code)) index.damage.push(diagnostic.offset);
    report?.(diagnostic);
  };
  for await (const records of readRecords(path, { report: note, account, signal })) {
    for (const record of records) addRecord(index, record, account);
  }
  return index;
}

function countRecords(
  { nodes }: RecordIndex,
  path: readonly RecordNode[],
  account: SourceAccount | undefined,
): void {
  const live = new Set(path);
  for (const node of nodes) {
    for (const { length } of node.fragments) {
      count(account, live.has(node) ? "events" : "dead", length);
    }
  }
}

interface Fragment extends RecordPlace {
  node: RecordNode;
}
