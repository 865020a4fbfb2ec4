/** Reads the usage of a session whose records form a tree, on all its branches and in its sub-agents. */
import { SUMMARY_KINDS } from "../../event/policy.ts";
import type { AgentSession } from "../../source/agent.ts";
import type { ResponseUsage } from "../../source/response_usage.ts";
import { lineMark } from "../../log/line_mark.ts";
import { readRecords, type RecordOptions } from "../records/jsonl_records.ts";
import { branchesBeside, findPath } from "./live_path.ts";
import { placesOf, type TreeFormat } from "./tree_format.ts";

/** Yields the responses of a session; see {@linkcode SessionReader.usage}. */
export async function* readTreeUsage<Head, State, Saved>(
  format: TreeFormat<Head, State, Saved>,
  session: AgentSession,
): AsyncGenerator<ResponseUsage[]> {
  const threads = await threadsByOffset(format, session);
  yield* responsesIn(format, session.path, (offset) => threads.get(offset));
  for (const { id, path } of format.subagents?.(session) ?? []) {
    yield* responsesIn(format, path, () => id);
  }
}

async function* responsesIn<Head, State, Saved>(
  { responses, usage_mark }: TreeFormat<Head, State, Saved>,
  path: string,
  threadOf: (offset: number) => string | undefined,
): AsyncGenerator<ResponseUsage[]> {
  for await (const records of readRecords(path, { skip: skipWithout(usage_mark) })) {
    yield records.flatMap((record) => responses(record, threadOf(record.position.offset)));
  }
}

/** Passes over lines without a text unparsed. */
function skipWithout(text: string | undefined): RecordOptions["skip"] {
  if (text === undefined) return undefined;
  const isMarked = lineMark(text);
  return (line) => isMarked(line) ? undefined : "";
}

/** Returns the threads of records that are not on the live branch, by their places. */
async function threadsByOffset<Head, State, Saved>(
  format: TreeFormat<Head, State, Saved>,
  session: AgentSession,
): Promise<Map<number, string>> {
  const found = await findPath(format, session, { needs: SUMMARY_KINDS });
  const threads = new Map<number, string>();
  for (const { id, path } of branchesBeside(found)) {
    for (const node of path) for (const { offset } of placesOf(node)) threads.set(offset, id);
  }
  return threads;
}
