/**
 * Reads the tokens of responses from a record that has to be parsed. Such a record has an unusual
 * form, a cost, a speed, an advisor's share or a sub-agent's progress. Versions 2.0.60 to 2.1.30
 * also wrote the answers of sub-agents as `progress`.
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
} from "../engine/json.ts";
import type { ResponseUsage } from "../../core/projection/response_usage.ts";
import { ResponseNames } from "./response_names.ts";

/** The model name in answers that Claude Code itself makes up, such as errors. */
export const MADE_UP_MODEL = "<synthetic>";

/**
 * Returns the usage of the responses in a line. It is empty if the line records no response.
 *
 * @param names Names the session's responses.
 * @param between True if a prompt came after the last response.
 */
export function parsedUsage(
  line: string,
  names: ResponseNames = new ResponseNames(),
  between = false,
): ResponseUsage[] {
  const record = parsedObject(line) ?? {};
  const own = responsesIn(record, names, between);
  if (own.length > 0) return own;
  const { message, agentId } = asObject(record.data);
  const thread = asName(agentId);
  return responsesIn({ ...asObject(message), isSidechain: true }, names, between)
    .map((response) => thread === undefined ? response : { ...response, thread });
}

function responsesIn(record: Json, names: ResponseNames, between: boolean): ResponseUsage[] {
  const message = asObject(record.message);
  const usage = asObject(message.usage);
  const time = asName(record.timestamp);
  if (time === undefined || !("input_tokens" in usage) || !("output_tokens" in usage)) return [];
  const id = asName(message.id);
  const ids = id === undefined ? undefined : {
    id,
    request: asName(record.requestId),
    record: asName(record.uuid) ?? time,
    sidechain: record.isSidechain === true,
  };
  const keyOf = (share?: string): string | undefined =>
    ids && names.nameOf(ids, share, share === undefined && between);
  const told = { time, sidechain: record.isSidechain === true };
  const model = asText(message.model) ?? "";
  const whole = responseOf(usage, { ...told, key: keyOf() });
  whole.model = model === MADE_UP_MODEL ? "" : usage.speed === "fast" ? `${model}-fast` : model;
  const cost_usd = asNumber(record.costUSD);
  if (cost_usd !== undefined) whole.cost_usd = cost_usd;
  const advice = asList(usage.iterations).map(asObject)
    .filter(({ type, model: advisor }) => type === "advisor_message" && asName(advisor))
    .map((share, index) => ({
      ...responseOf(share, { ...told, key: keyOf(`:advisor:${index}`) }),
      model: asText(share.model) ?? "",
    }));
  return [whole, ...advice];
}

function responseOf(
  usage: Json,
  { key, time, sidechain }: { key: string | undefined; time: string; sidechain: boolean },
): ResponseUsage {
  const { all, hour } = cacheWrites(usage);
  return {
    ...present({
      key,
      sidechain: sidechain ? true as const : undefined,
      cache_write_1h: hour > 0 ? hour : undefined,
    }),
    time,
    model: "",
    usage: {
      input: asNumber(usage.input_tokens) ?? 0,
      output: asNumber(usage.output_tokens) ?? 0,
      cache_read: asNumber(usage.cache_read_input_tokens) ?? 0,
      cache_write: all ?? 0,
    },
  };
}

/**
 * Returns the number of tokens written to the cache, and how many of them it stores for an hour.
 * Some gateways give only the sum, and leave the count of each lifetime empty.
 */
export function cacheWrites(usage: Json): { all: number | undefined; hour: number } {
  const split = asObject(usage.cache_creation);
  const hour = asNumber(split.ephemeral_1h_input_tokens) ?? 0;
  const sum = hour + (asNumber(split.ephemeral_5m_input_tokens) ?? 0);
  return { all: sum || asNumber(usage.cache_creation_input_tokens), hour };
}
