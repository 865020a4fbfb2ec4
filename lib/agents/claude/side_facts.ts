/**
 * Reads the session's facts from records beside the dialogue: its title, and where it continues.
 */
import { asName } from "../../reading/json_value.ts";

/** Of each fact the record that was written last counts. */
export interface SideFacts {
  custom_title?: string;
  ai_title?: string;
  last_prompt?: string;
  /** Titles of dialogues by their last record. Files hold those of other sessions too. */
  summaries?: Map<string, string>;
  /** The record after which the dialogue goes on, and how many records were written before it was said. */
  leaf?: { id: string; order: number };
  /** Where the session was moved to. */
  cwd?: string;
}

/** Types of such records. All others of the kind are counted and not parsed. */
export const SPEAKING_SIDE_TYPES: ReadonlySet<string> = new Set([
  "summary",
  "custom-title",
  "ai-title",
  "last-prompt",
  "relocated",
]);

/** Takes what a record says; `order` records of the dialogue stand before it. */
export function addSide(
  facts: SideFacts,
  value: Readonly<Record<string, unknown>>,
  order: number,
): void {
  switch (value.type) {
    case "summary":
      addSummary(facts, value);
      break;
    case "custom-title":
      facts.custom_title = asName(value.customTitle) ?? "";
      break;
    case "ai-title":
      facts.ai_title = asName(value.aiTitle) ?? "";
      break;
    case "last-prompt":
      addLastPrompt(facts, value, order);
      break;
    case "relocated":
      set(facts, "cwd", value.relocatedCwd);
      break;
    default:
  }
}

function addSummary(
  facts: SideFacts,
  { leafUuid, summary }: Readonly<Record<string, unknown>>,
): void {
  const leaf = asName(leafUuid);
  const title = asName(summary);
  if (leaf === undefined || title === undefined) return;
  facts.summaries ??= new Map();
  facts.summaries.set(leaf, title);
}

function addLastPrompt(
  facts: SideFacts,
  { lastPrompt, leafUuid }: Readonly<Record<string, unknown>>,
  order: number,
): void {
  set(facts, "last_prompt", lastPrompt);
  const id = asName(leafUuid);
  if (id !== undefined) facts.leaf = { id, order };
}

function set(facts: SideFacts, name: "last_prompt" | "cwd", value: unknown): void {
  const text = asName(value);
  if (text !== undefined) facts[name] = text;
}
