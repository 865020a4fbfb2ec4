/** Reads the usage of a session whose records form a tree, on all its branches and in its sub-agents. */
import { SUMMARY_KINDS } from "../../event/policy.ts";
import { lineMark } from "../../log/byte_finder.ts";
import type { AgentSession } from "../../source/agent.ts";
import type { ResponseUsage } from "../../source/response_usage.ts";
import { readRecords, type RecordOptions } from "../records/jsonl_records.ts";
import { otherBranches } from "./branches.ts";
import { findPath } from "./live_path.ts";
import { recordId } from "./record_index.ts";
import type { TreeFormat } from "./tree_format.ts";

/** Yields the responses of a session; see {@linkcode SessionReader.usage}. */
export async function* readTreeUsage<Head, State, Saved>(
  format: TreeFormat<Head, State, Saved>,
  session: AgentSession,
): AsyncGenerator<ResponseUsage[]> {
  const { usageIn } = format;
  if (usageIn !== undefined) yield* usageIn(session.path);
  else yield* responsesIn(format, session.path, await threadsByOffset(format, session));
  for (const { id: thread, path } of format.subagents?.(session) ?? []) {
    const batches = usageIn?.(path) ?? responsesIn(format, path, new Map());
    for await (const batch of batches) yield batch.map((response) => ({ ...response, thread }));
  }
}

async function* responsesIn<Head, State, Saved>(
  { responses, usage_mark }: TreeFormat<Head, State, Saved>,
  path: string,
  threads: ReadonlyMap<number, string>,
): AsyncGenerator<ResponseUsage[]> {
  for await (const records of readRecords(path, { skip: skipWithout(usage_mark) })) {
    yield records.flatMap((record) =>
      responses?.(record, threads.get(record.position.offset)) ?? []
    );
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
  { path }: AgentSession,
): Promise<Map<number, string>> {
  const { index, line } = await findPath(format, { path }, { needs: SUMMARY_KINDS });
  const threads = new Map<number, string>();
  for (const { rows } of otherBranches(format, index, line)) {
    const id = recordId(index, rows[0] ?? 0);
    for (const row of rows.flatMap((row) => [row, ...index.pieces.get(row) ?? []])) {
      threads.set(index.offset[row] as number, id);
    }
  }
  return threads;
}
