/**
 * Summarizes a Keen Code session for a list. Keen itself reads every line of every log. Here the
 * first prompt is near the start, and the last one a turn before the end.
 */
import { foldEvents } from "../../projection/projection.ts";
import { excerpt } from "../../projection/summary.ts";
import type { AgentSession } from "../../source/agent.ts";
import { summarizeFromEdges } from "../edge_summary.ts";
import { fieldNames, findFields, textField } from "../../log/json_bytes/find_fields.ts";
import { type FileEdges, recordsIn } from "../file_edges.ts";
import { readRecordsFromEnd } from "../jsonl_records.ts";
import { asObject, asText } from "../json_value.ts";
import { ROW_KINDS, type RowSummary, rowSummary } from "../row_summary.ts";
import type { SourceRecord } from "../source_record.ts";
import { keenFault } from "./keen_event.ts";
import { KeenEvents, readKeen } from "./read.ts";

/** Summarizes a session from its first and last prompts, or from all of it. */
export const summarizeKeen = summarizeFromEdges({ read: readKeen, fromEdges });

/** Undefined where the head does not hold the first prompt. */
async function fromEdges(session: AgentSession, edges: FileEdges): Promise<RowSummary | undefined> {
  const last = await lastPrompt(session.path);
  const head = recordsIn(edges.head);
  const first = head.findIndex(isPrompt);
  if (last === undefined || first < 0) return undefined;
  const events = new KeenEvents(session, edges.modified_at, { needs: ROW_KINDS });
  for (const record of head.slice(0, first + 1)) events.take(record);
  events.take(last);
  events.end();
  return foldEvents(rowSummary(), events.writer.take());
}

function isPrompt({ value }: SourceRecord): boolean {
  if (value.kind !== "user_message" || keenFault(value) !== undefined) return false;
  return excerpt(asText(asObject(value.user_message).content) ?? "") !== "";
}

/** Reads back to the last prompt; the turns behind it, which are large, stay unparsed. */
async function lastPrompt(path: string): Promise<SourceRecord | undefined> {
  const names = fieldNames("kind");
  const skip = (line: Uint8Array): string | undefined => {
    const kind = textField(line, findFields(line, names), 0);
    return kind === "user_message" ? undefined : kind;
  };
  for await (const records of readRecordsFromEnd(path, { skip })) {
    const prompt = records.find(isPrompt);
    if (prompt !== undefined) return prompt;
  }
  return undefined;
}
