/** A record of Qwen Code, assembled from its fragments. */
import { asList, asNumber, asObject, asText, type Json } from "../engine/json.ts";
import type { TokenUsage } from "../../core/event/payload.ts";
import { promptUsage } from "../engine/events/prompt_usage.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";

/**
 * Merges the fragments of a record (Qwen Code, transcript-records.ts
 * `aggregateTranscriptRecordFragments`). The result has all parts, the last usage and the last
 * time. Other fields have their first value.
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
 * Reads `usageMetadata`. All providers include cached tokens in the prompt's tokens (0.24,
 * converter.ts, anthropicContentGenerator/usage.ts). All except Gemini include thoughts in the
 * answer's tokens. Gemini's total is therefore larger than prompt and answer.
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
 * Returns the prompt as Qwen Code's list shows it (sessionService.ts
 * `extractFirstPromptFromRecords`), without text from hooks and `@`. Empty for other records.
 */
export function promptText({ type, subtype, systemPayload, message }: Json): string {
  if (type !== "user" || subtype !== undefined) return "";
  const shown = asText(asObject(systemPayload).displayText);
  if (shown !== undefined) return shown;
  const parts = asList(asObject(message).parts).map(asObject);
  return asText(parts.find(({ text }) => typeof text === "string")?.text) ?? "";
}

/**
 * True if a record has the common fields of Qwen Code's records (`validateTranscriptRecord`).
 * Children may follow a record of an unknown type, but such a record is never the live leaf.
 */
export function isChatRecord({ uuid, parentUuid, sessionId, type }: Json): boolean {
  if (typeof uuid !== "string" || uuid === "" || typeof type !== "string") return false;
  return (typeof parentUuid === "string" || parentUuid === null) && typeof sessionId === "string";
}
