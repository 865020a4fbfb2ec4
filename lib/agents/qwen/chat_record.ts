/** A record of Qwen Code, assembled from its fragments. */
import { asList, asNumber, asObject, asText, type Json } from "../../reading/json_value.ts";
import type { TokenUsage } from "../../event/payload.ts";
import { promptUsage } from "../../reading/events/prompt_usage.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";

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

/**
 * `usageMetadata`: what came from the cache counts within the prompt, by every provider (0.24,
 * converter.ts, anthropicContentGenerator/usage.ts). Thoughts count within the answer but for Gemini's
 * own, as the total tells.
 */
export function usageOf({ usageMetadata }: Json): TokenUsage | undefined {
  const counts = asObject(usageMetadata);
  const prompt = asNumber(counts.promptTokenCount);
  const answer = asNumber(counts.candidatesTokenCount);
  const reasoning = asNumber(counts.thoughtsTokenCount);
  const total = asNumber(counts.totalTokenCount) ?? 0;
  const apart = total > (prompt ?? 0) + (answer ?? 0);
  return promptUsage({
    prompt,
    output: answer === undefined || !apart ? answer : answer + (reasoning ?? 0),
    cache_read: asNumber(counts.cachedContentTokenCount),
    reasoning,
  });
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

/**
 * True where a record has the frame of all of Qwen Code's (`validateTranscriptRecord`). Of a type
 * that is not known it is still a link of the chain, though never its end.
 */
export function isChatRecord({ uuid, parentUuid, sessionId, type }: Json): boolean {
  if (typeof uuid !== "string" || uuid === "" || typeof type !== "string") return false;
  return (typeof parentUuid === "string" || parentUuid === null) && typeof sessionId === "string";
}
