/**
 * Summarizes a Keen Code session for a list. Keen itself reads every line of every log. Here the
 * first prompt is near the start, and the last one a turn before the end.
 */
import { SUMMARY_KINDS } from "../../event/policy.ts";
import { foldEvents } from "../../projection/projection.ts";
import { excerpt, summary } from "../../projection/summary.ts";
import type { AgentSession } from "../../source/agent.ts";
import { summarizeFromEdges } from "../../reading/summary/edge_summary.ts";
import { fieldNames, findFields, textField } from "../../log/json_bytes/find_fields.ts";
import { type FileEdges, recordsIn } from "../../reading/records/file_edges.ts";
import { readRecordsFromEnd } from "../../reading/records/jsonl_records.ts";
import { asObject, asText, present } from "../../reading/records/json_value.ts";
import type { RowSummary } from "../../reading/summary/row_summary.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import { keenFault } from "./keen_event.ts";
import { KeenEvents, readKeen } from "./read.ts";

/** Summarizes a session from its first and last prompts, or from all of it. */
export const summarizeKeen = summarizeFromEdges({ read: readKeen, fromEdges, open });

/** Undefined where the head does not hold the first prompt. */
async function fromEdges(session: AgentSession, edges: FileEdges): Promise<RowSummary | undefined> {
  const { prompt: last, answer } = await lastTurn(session.path);
  const head = recordsIn(edges.head);
  const first = head.findIndex(isPrompt);
  if (last === undefined || first < 0) return undefined;
  const events = new KeenEvents(session, edges.modified_at, { needs: SUMMARY_KINDS });
  for (const record of head.slice(0, first + 1)) events.take(record);
  events.take(last);
  events.end();
  return { ...foldEvents(summary(), events.writer.take()), open: isOpen(last, answer) };
}

async function open({ path }: AgentSession): Promise<boolean> {
  const { prompt, answer } = await lastTurn(path);
  return isOpen(prompt, answer);
}

/** Keen writes a turn once it has ended, and says if the user cut it off. */
function isOpen(prompt: SourceRecord | undefined, answer: SourceRecord | undefined): boolean {
  if (answer === undefined) return prompt !== undefined;
  return asObject(answer.value.assistant_turn).interrupted === true;
}

function isPrompt({ value }: SourceRecord): boolean {
  if (value.kind !== "user_message" || keenFault(value) !== undefined) return false;
  return excerpt(asText(asObject(value.user_message).content) ?? "") !== "";
}

/**
 * Reads back to the last prompt, and gives the last answer behind it. The other turns, which are
 * large, stay unparsed.
 */
async function lastTurn(path: string): Promise<Partial<Record<"prompt" | "answer", SourceRecord>>> {
  const names = fieldNames("kind");
  let answered = false;
  const skip = (line: Uint8Array): string | undefined => {
    const kind = textField(line, findFields(line, names), 0);
    const is_last = kind === "assistant_turn" && !answered;
    answered ||= is_last;
    return kind === "user_message" || is_last ? undefined : kind;
  };
  let answer: SourceRecord | undefined;
  for await (const records of readRecordsFromEnd(path, { skip })) {
    const at = records.findIndex(isPrompt);
    answer ??= records.slice(0, at < 0 ? undefined : at)
      .find(({ value }) => value.kind === "assistant_turn");
    const prompt = records[at];
    if (prompt !== undefined) return present({ prompt, answer });
  }
  return present({ answer });
}
