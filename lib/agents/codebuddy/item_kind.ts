/**
 * Classifies records by their effect on the conversation that the model gets (2.117,
 * `HistoryUtils`, `InputItemUtils`).
 */
import { asObject, asText, asTexts, type Json } from "../engine/json.ts";

/** Name of CodeBuddy's internal agent that writes summaries (`AgentNames.COMPACT`). */
const COMPACT = "compact";

/**
 * Returns the kind of a record. A `compaction` or `clear` replaces all earlier records. A `shown`
 * record is not sent to the model again. A `kept` record is the request for a summary, and is
 * neither sent nor shown. A `prompt` is a message that the user typed.
 */
export function kindOf(value: Json): string {
  const { type, role, id, providerData } = value;
  const told = asObject(providerData);
  if (type === "message") {
    const is_separator = told.isSessionSeparator === true || /^clear-|^session-sep/.test(`${id}`);
    if (role === "system" && is_separator) return "clear";
    if (role === "user" && isBoundary(value, told)) return "compaction";
    if (role === "assistant" && compactSummary(value) !== undefined) return "compaction";
    if (told.discard || (role === "assistant" && told.skipRun && told.error)) return "shown";
  }
  if (told.agent === COMPACT && role === "user") return "kept";
  if (told.agent === COMPACT || told.truncated || told.contentFilterNotice) return "shown";
  const is_prompt = type === "message" && role === "user" && !told.isMeta && !told.skipRun;
  return is_prompt ? "prompt" : asText(type) ?? "unknown";
}

/** True for a summary that replaces all earlier records (`isCompactBoundaryMessage`). */
function isBoundary({ content }: Json, told: Json): boolean {
  if (told.isCompacted === true || told.isSummary === true) return true;
  if (told.isCompactInternal === true || told.agent === COMPACT) return false;
  return /<cb_summary\b|<conversation_history_summary\b|"compact-summary"/.test(
    asTexts(content),
  );
}

const SUMMARY = /<(summary|conversation_history_summary)>([\s\S]+?)<\/\1>/i;

/** Returns the summary of CodeBuddy's summary agent (`getCompactHistory`), if there is one. */
export function compactSummary({ content, providerData, role }: Json): string | undefined {
  if (role !== "assistant" || asObject(providerData).agent !== COMPACT) return undefined;
  return SUMMARY.exec(asTexts(content))?.[2]?.trim();
}
