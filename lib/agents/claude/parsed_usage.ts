/**
 * Reads the tokens of responses from a record that was parsed. Such a record has an unusual form, a
 * cost, a speed or an advisor's share. Or it tells of a sub-agent's progress. Versions 2.0.60 to
 * 2.1.30 wrote the answers of sub-agents as `progress` too.
 */
import {
  asList,
  asName,
  asNumber,
  asObject,
  asText,
  type Json,
  parsedObject,
  present,
} from "../../reading/json_value.ts";
import type { ResponseUsage } from "../../projection/response_usage.ts";

/** The model of answers that Claude Code makes up itself, such as errors. */
export const MADE_UP_MODEL = "<synthetic>";

/** Returns the responses in a line; none if it is no record of one. */
export function parsedUsage(line: string): ResponseUsage[] {
  const record = parsedObject(line) ?? {};
  const own = responsesIn(record, asText(record.sessionId) ?? "");
  if (own.length > 0) return own;
  const { message, agentId } = asObject(record.data);
  const thread = asName(agentId);
  const told = { ...asObject(message), isSidechain: true };
  return responsesIn(told, asText(record.sessionId) ?? "")
    .map((response) => thread === undefined ? response : { ...response, thread });
}

function responsesIn(record: Json, session: string): ResponseUsage[] {
  const message = asObject(record.message);
  const usage = asObject(message.usage);
  const time = asName(record.timestamp);
  if (time === undefined || !("input_tokens" in usage) || !("output_tokens" in usage)) return [];
  const model = asText(message.model) ?? "";
  const whole = responseOf(record, time, session, "", usage);
  whole.model = model === MADE_UP_MODEL ? "" : usage.speed === "fast" ? `${model}-fast` : model;
  const cost_usd = asNumber(record.costUSD);
  if (cost_usd !== undefined) whole.cost_usd = cost_usd;
  const advice = asList(usage.iterations).map(asObject)
    .filter(({ type, model: advisor }) => type === "advisor_message" && asName(advisor))
    .map((share, index) => ({
      ...responseOf(record, time, session, `:advisor:${index}`, share),
      model: asText(share.model) ?? "",
    }));
  return [whole, ...advice];
}

function responseOf(
  record: Json,
  time: string,
  session: string,
  share: string,
  usage: Json,
): ResponseUsage {
  const id = asName(asObject(record.message).id);
  const creation = asObject(usage.cache_creation);
  const hour = asNumber(creation.ephemeral_1h_input_tokens) ?? 0;
  const split = usage.cache_creation !== undefined && usage.cache_creation !== null;
  return {
    ...present({
      key: id === undefined
        ? undefined
        : responseKey(id + share, asName(record.requestId), session, time),
      sidechain: record.isSidechain === true ? true as const : undefined,
      cache_write_1h: hour > 0 ? hour : undefined,
    }),
    time,
    model: "",
    usage: {
      input: asNumber(usage.input_tokens) ?? 0,
      output: asNumber(usage.output_tokens) ?? 0,
      cache_read: asNumber(usage.cache_read_input_tokens) ?? 0,
      cache_write: split
        ? hour + (asNumber(creation.ephemeral_5m_input_tokens) ?? 0)
        : asNumber(usage.cache_creation_input_tokens) ?? 0,
    },
  };
}

/** Makes the key of a response. */
export function responseKey(
  id: string,
  request: string | undefined,
  session: string,
  time: string,
): string {
  if (request !== undefined) return `${id}\n${request}`;
  return id.startsWith("msg_") ? `${id}\n${session}` : `${id}\n${session} ${time}`;
}
