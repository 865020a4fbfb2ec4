/**
 * The blocks of fen's messages as our parts and texts.
 *
 * fen 0.17.0, packages/core/src/fen/core/types.fnl. Its JSON is lua-cjson's: an empty Lua table is
 * written `{}`, also where a list is meant.
 */
import type { Content, TextPart } from "../../event/message.ts";
import { asList, asObject, asText, parsedObject } from "../../reading/json_value.ts";

/** One block of a message: `type` and what goes with it. */
export type FenBlock = Readonly<Record<string, unknown>>;

/** The blocks of a content, which is a text or a list of them. */
export function blocksOf(content: unknown): FenBlock[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return asList(content).map(asObject);
}

/** The text of a text block; undefined of any other. */
export function blockText(block: FenBlock): string | undefined {
  return block.type === "text" ? asText(block.text) ?? "" : undefined;
}

/** Texts as one content. */
export function contentOf(texts: readonly string[]): Content {
  const [only = ""] = texts;
  if (texts.length <= 1) return only;
  return texts.map((text): TextPart => ({ type: "text", text }));
}

/** Fields of a chat completion in which servers give reasoning (openai_completions.fnl). */
const REASONING_FIELDS: ReadonlySet<string> = new Set([
  "reasoning_content",
  "reasoning",
  "reasoning_text",
]);

/**
 * What a provider needs to take its reasoning back, by the `thinking-signature` that fen keeps: the
 * name of the field that it came in (openai_completions.fnl `reasoning-content-for-echo`), a whole
 * reasoning item as JSON (openai_responses_shared.fnl), or Anthropic's signature.
 */
export function reasoningSeal({ api, signature, redacted }: {
  api: unknown;
  signature: unknown;
  redacted: boolean;
}): unknown {
  if (typeof signature !== "string" || signature === "") return undefined;
  if (REASONING_FIELDS.has(signature)) return { type: signature };
  const item = parsedObject(signature);
  if (item !== undefined) return item;
  if (redacted) return { type: "redacted_thinking", data: signature };
  return api === "anthropic-messages" ? { signature } : { thinking_signature: signature };
}
