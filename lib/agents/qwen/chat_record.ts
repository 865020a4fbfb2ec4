/**
 * One record of Qwen Code, put together from its fragments.
 */
import type { TokenUsage } from "../../event/payload.ts";
import { asList, asNumber, asObject, asText, present } from "../json_value.ts";
import type { SourceRecord } from "../source_record.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * The fragments as one record (Qwen Code, transcript-records.ts
 * `aggregateTranscriptRecordFragments`): the parts of all, the last usage, the first of else.
 */
export function mergeFragments([first, ...more]: readonly SourceRecord[]): Json {
  if (first === undefined) return {};
  const merged: Record<string, unknown> = { ...first.value };
  for (const { value } of more) {
    if (value.message !== undefined) merged.message = joined(merged.message, value.message);
    if (value.usageMetadata) merged.usageMetadata = value.usageMetadata;
    merged.toolCallResult ??= value.toolCallResult;
    merged.model ??= value.model;
    if (String(value.timestamp) > String(merged.timestamp)) merged.timestamp = value.timestamp;
  }
  return merged;
}

function joined(one: unknown, other: unknown): unknown {
  if (one === undefined) return other;
  const parts = [...asList(asObject(one).parts), ...asList(asObject(other).parts)];
  return { ...asObject(one), parts };
}

/** `usageMetadata`: what came from the cache counts within the prompt. */
export function usageOf({ usageMetadata }: Json): TokenUsage | undefined {
  const counts = asObject(usageMetadata);
  const usage = present({
    input: asNumber(counts.promptTokenCount),
    output: asNumber(counts.candidatesTokenCount),
    cache_read: asNumber(counts.cachedContentTokenCount),
    reasoning: asNumber(counts.thoughtsTokenCount),
  });
  return Object.keys(usage).length === 0 ? undefined : usage;
}

/**
 * The prompt as a list shows it (sessionService.ts `extractFirstPromptFromRecords`): as the user
 * wrote it, without what hooks and `@` put into it. Empty where a record is no prompt.
 */
export function promptText({ type, subtype, systemPayload, message }: Json): string {
  if (type !== "user" || subtype !== undefined) return "";
  const shown = asText(asObject(systemPayload).displayText);
  if (shown !== undefined) return shown;
  const parts = asList(asObject(message).parts).map(asObject);
  return asText(parts.find(({ text }) => typeof text === "string")?.text) ?? "";
}
