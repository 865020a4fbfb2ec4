/**
 * Records of the last prompt: Claude Code writes one after each, and only the last ones count. They are
 * kept as bytes until it is known that none follows.
 */
import { byteSearch } from "../../../log/json_bytes/byte_search.ts";
import { standsAt } from "../../../log/json_bytes/values.ts";
import { asObject } from "../../../reading/json_value.ts";
import { addSide, type SideFacts } from "../side_facts.ts";

interface LastPrompt {
  text: Uint8Array;
  /** Records of the dialogue before it. */
  order: number;
}

/** Of those with and those without a leaf the last. */
export interface LastPrompts {
  plain?: LastPrompt;
  leaf?: LastPrompt;
}

const LAST_PROMPT = new TextEncoder().encode('{"type":"last-prompt",');
const CLOSE_OBJECT = 0x7d;
const decoder = new TextDecoder();
const findLeaf = byteSearch('"leafUuid":"');

/** True for a line that begins and ends like one. */
export function isLastPrompt(bytes: Uint8Array, start: number, end: number): boolean {
  return standsAt(bytes, start, LAST_PROMPT) && bytes[end - 1] === CLOSE_OBJECT;
}

/** Keeps a record. */
export function keepLastPrompt(prompts: LastPrompts, text: Uint8Array, order: number): void {
  prompts[findLeaf(text, 0, text.length) >= 0 ? "leaf" : "plain"] = { text, order };
}

/** Takes what the last prompts say, in their order. */
export function takeLastPrompts(side: SideFacts, { plain, leaf }: LastPrompts): void {
  const kept = [plain, leaf].filter((prompt) => prompt !== undefined);
  for (const { text, order } of kept.sort((one, other) => one.order - other.order)) {
    try {
      addSide(side, asObject(JSON.parse(decoder.decode(text))), order);
    } catch {
      // SyntaxError: damaged. It says nothing.
    }
  }
}
