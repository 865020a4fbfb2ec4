/**
 * Reads facts of a session from records outside the dialogue: its title, and where it continues.
 * Claude Code writes a `last-prompt` record after each prompt, and only the last records count.
 */
import { byteSearch } from "../../core/log/json_bytes/byte_search.ts";
import { standsAt } from "../../core/log/json_bytes/values.ts";
import { asName, parsedObject } from "../engine/json.ts";

/** Facts from the records outside the dialogue. The last record of each type counts. */
export interface SideFacts {
  custom_title?: string;
  /** Byte offset of the record with the user's title in the file. */
  titled_at?: number;
  ai_title?: string;
  last_prompt?: string;
  /** Titles by the id of a dialogue's last record. Some titles may belong to other sessions. */
  summaries?: Map<string, string>;
  /** Record to continue after. `order` counts the dialogue records before the `last-prompt`. */
  leaf?: { id: string; order: number };
  /** The directory that the session was moved to. */
  cwd?: string;
}

/** Types of records outside the dialogue to parse. Records of all other types are only counted. */
export const SPEAKING_SIDE_TYPES: ReadonlySet<string> = new Set([
  "summary",
  "custom-title",
  "ai-title",
  "last-prompt",
  "relocated",
  "queue-operation",
]);

/** Adds the facts in a record. `order` is the number of dialogue records before the record. */
export function addSide(
  facts: SideFacts,
  value: Readonly<Record<string, unknown>>,
  order: number,
  offset?: number,
): void {
  switch (value.type) {
    case "summary":
      addSummary(facts, value);
      break;
    case "custom-title":
      facts.custom_title = asName(value.customTitle) ?? "";
      if (offset !== undefined) facts.titled_at = offset;
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

interface LastPrompt {
  text: Uint8Array;
  order: number;
}

/** The last `last-prompt` record with a `leafUuid`, and the last one without a `leafUuid`. */
export interface LastPrompts {
  plain?: LastPrompt;
  leaf?: LastPrompt;
}

const LAST_PROMPT = new TextEncoder().encode('{"type":"last-prompt",');
const CLOSE_OBJECT = 0x7d;
const decoder = new TextDecoder();
const findLeaf = byteSearch('"leafUuid":"');

export function isLastPrompt(bytes: Uint8Array, start: number, end: number): boolean {
  return standsAt(bytes, start, LAST_PROMPT) && bytes[end - 1] === CLOSE_OBJECT;
}

export function keepLastPrompt(prompts: LastPrompts, text: Uint8Array, order: number): void {
  prompts[findLeaf(text, 0, text.length) >= 0 ? "leaf" : "plain"] = { text, order };
}

export function takeLastPrompts(side: SideFacts, { plain, leaf }: LastPrompts): void {
  const kept = [plain, leaf].filter((prompt) => prompt !== undefined);
  for (const { text, order } of kept.sort((one, other) => one.order - other.order)) {
    // A damaged one says nothing.
    addSide(side, parsedObject(decoder.decode(text)) ?? {}, order);
  }
}
