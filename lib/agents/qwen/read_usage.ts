/**
 * Counts the usage of a Qwen Code session on all branches and in its sub-agents. A fork copies
 * records, and names the original of each (0.24, services/sessionService.ts, `forkedFrom`). The
 * original names the response.
 */
import type { AgentSession } from "../../source/agent.ts";
import type { ResponseUsage } from "../../source/response_usage.ts";
import { isoTime } from "../../reading/events/iso_time.ts";
import { readRecords } from "../../reading/records/jsonl_records.ts";
import { asName, asObject, present } from "../../reading/records/json_value.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import { usageOf } from "./chat_record.ts";
import { branchesOf, findLivePath } from "./live_path.ts";
import { indexFile } from "./read.ts";
import { subagentsOf } from "./subagents.ts";

/** The responses of a session; see {@linkcode Agent.usage}. */
export async function* readUsage(session: AgentSession): AsyncGenerator<ResponseUsage[]> {
  const index = await indexFile(session.path, {});
  const branches = branchesOf(index, findLivePath(index).path);
  const threads = new Map(
    branches.flatMap(({ id, path }) => path.map((node) => [node.id, id] as const)),
  );
  yield* responsesIn(session.path, (uuid) => threads.get(uuid));
  for (const { id, path } of subagentsOf(session)) yield* responsesIn(path, () => id);
}

async function* responsesIn(
  path: string,
  threadOf: (uuid: string) => string | undefined,
): AsyncGenerator<ResponseUsage[]> {
  for await (const records of readRecords(path)) {
    yield records.flatMap((record) => responseOf(record, threadOf));
  }
}

function responseOf(
  { value }: SourceRecord,
  threadOf: (uuid: string) => string | undefined,
): ResponseUsage[] {
  const uuid = asName(value.uuid);
  const usage = value.type === "assistant" ? usageOf(value) : undefined;
  if (uuid === undefined || usage === undefined) return [];
  const original = asName(asObject(value.forkedFrom).messageUuid) ?? uuid;
  return [present({
    key: `${original}\nqwen`,
    time: isoTime(value.timestamp),
    model: asName(value.model) ?? "",
    thread: threadOf(uuid),
    usage,
  })];
}
