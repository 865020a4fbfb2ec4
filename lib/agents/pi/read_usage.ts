/**
 * Counts the usage of a pi session on all its branches. Forks copy entries with their times. A
 * response is known by its id and time, because Ollama repeats ids, or by its time and usage.
 */
import { Buffer } from "node:buffer";
import { SUMMARY_KINDS } from "../../event/policy.ts";
import type { AgentSession } from "../../source/agent.ts";
import type { ResponseUsage } from "../../source/response_usage.ts";
import { isoTime } from "../../reading/events/iso_time.ts";
import { readRecords } from "../../reading/records/jsonl_records.ts";
import { asName, asObject, present } from "../../reading/records/json_value.ts";
import { sideBranches } from "../../reading/tree/side_branches.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import { findLivePath } from "./live_path.ts";
import { usageOf } from "./usage.ts";

/** The responses of a session; see {@linkcode Agent.usage}. */
export async function* readUsage(session: AgentSession): AsyncGenerator<ResponseUsage[]> {
  const threads = await threadsByOffset(session);
  for await (const records of readRecords(session.path, { skip: lacksUsage })) {
    yield records.flatMap((record) => responseOf(record, threads.get(record.position.offset)));
  }
}

/** Lines without it are passed over unparsed. */
function lacksUsage(line: Uint8Array): string | undefined {
  const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
  return bytes.includes('"usage"') ? undefined : "";
}

/** The threads of entries that are not on the live branch, by their places. */
async function threadsByOffset(session: AgentSession): Promise<Map<number, string>> {
  const { index, path: live } = await findLivePath(session, { needs: SUMMARY_KINDS });
  const branches = sideBranches(index.nodes, index.tree, { live });
  return new Map(branches.flatMap(({ id, path }) => path.map(({ offset }) => [offset, id])));
}

/** An entry tells of a call itself, or the message in it does. */
function responseOf({ value }: SourceRecord, thread: string | undefined): ResponseUsage[] {
  const told = value.type === "message" ? asObject(value.message) : value;
  const { usage = {}, cost_usd } = usageOf(told.usage);
  if (Object.values(usage).every((tokens) => tokens === 0)) return [];
  const time = isoTime(value.timestamp) ?? isoTime(told.timestamp);
  const taken = Object.values(usage).join(" ");
  return [present({
    key: keyOf(told, time, taken),
    time,
    model: asName(told.model) ?? asName(told.responseModel) ?? "",
    thread,
    usage,
    cost_usd,
  })];
}

function keyOf(
  { responseId, provider }: Readonly<Record<string, unknown>>,
  time: string | undefined,
  taken: string,
): string | undefined {
  const id = asName(responseId);
  if (id !== undefined) return `${id}\n${asName(provider) ?? ""} ${time ?? taken}`;
  return time === undefined ? undefined : `${time}\n${taken}`;
}
