/**
 * Converts a provider's block to one part of this library, and back. Block data for which parts
 * have no field is preserved in the part.
 */
import { present } from "../../../core/event/present.ts";
import type { Content, Output, OutputPart, Part } from "../../../core/event/message.ts";
import { type Members, nameAt, objectAt, refusal, textAt } from "./incoming.ts";
import { amended, amendment, type KeptData, keptOf } from "./kept.ts";
import { listed } from "./piece.ts";

/** The part read from a block. `form` names the block's variant, if the shape allows several. */
export interface SpelledPart {
  part: Part | OutputPart;
  form?: string | undefined;
}

export interface PartRules {
  shape: string;
  /** Returns a block's part. Undefined for an unknown block type: the block is kept unchanged. */
  part(block: Members, at: string): SpelledPart | undefined;
  /** Builds a part's block of type `form`. The caller then applies the recorded changes. */
  block(part: Part | OutputPart, form: string | undefined): Members;
}

/** The part for a block of an unknown type. Only the provider of the block gets it back. */
const UNKNOWN: Part = { type: "text", text: "", audience: "model" };

/** Returns the part of a block. Data that the part has no field for is kept in `provider_data`. */
export function keptPart(rules: PartRules, block: Members, at: string): Part | OutputPart {
  return partOf(rules, block, rules.part(block, at));
}

export function wholePart(rules: PartRules, block: Members): Part {
  return partOf(rules, block, undefined) as Part;
}

function partOf(
  { shape, block }: PartRules,
  value: Members,
  { part, form }: SpelledPart = { part: UNKNOWN },
): Part | OutputPart {
  const change = amendment(block(part, form), value);
  if (form === undefined && Object.keys(change).length === 0) return part;
  const provider_data: KeptData = present({ shape, form, ...change });
  return { ...part, provider_data };
}

export function keptOutput(
  rules: PartRules,
  blocks: readonly unknown[],
  at: string,
): OutputPart[] {
  const parts = blocks.map((block, index) => {
    const place = `${at}[${index}]`;
    return keptPart(rules, objectAt(block, place), place) as OutputPart;
  });
  return listed(parts, rules.shape);
}

export function keptContent(rules: PartRules, content: unknown, at: string): Content & Output {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) throw refusal(at, "is neither a string nor an array");
  return keptOutput(rules, content, at) as Content & Output;
}

/** Reads a call with an object as input. `id` and `name` are the names of members of `call`. */
export function readCall(call: Members, id: string, name: string, at: string): SpelledPart {
  const call_id = textAt(call, id, at);
  return {
    part: { type: "tool_call", call_id, name: nameAt(call, name, at), input: call.input ?? {} },
  };
}

export function blockOf(rules: PartRules, part: Part | OutputPart): Members {
  const kept = keptOf(part.provider_data, rules.shape);
  return amended(rules.block(part, kept?.form), kept ?? {});
}

export function textOrBlocksOf(rules: PartRules, content: Output | Part[]): string | Members[] {
  return typeof content === "string" ? content : content.map((part) => blockOf(rules, part));
}
