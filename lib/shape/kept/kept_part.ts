/**
 * Takes a block of a shape as one part of ours, and gives it back. What the part does not say is kept
 * with it.
 */
import type { Content, Output, OutputPart, Part } from "../../event/message.ts";
import { type Members, nameAt, objectAt, refusal, textAt } from "./incoming.ts";
import { amended, amendment, type KeptData, keptOf } from "./kept.ts";
import { listed } from "./piece.ts";

/** A part that a block says, and how the block spells it. */
export interface ReadPart {
  part: Part | OutputPart;
  form?: string;
}

/** The rules of blocks. */
export interface PartRules {
  /** Name of the shape. */
  shape: string;
  /** Reads a block; undefined for one of no type of ours, which is kept whole. */
  part(block: Members, at: string): ReadPart | undefined;
  /** Returns the block that a part usually is. */
  block(part: Part | OutputPart, form: string | undefined): Members;
}

/** Stands for a block of a type that is none of ours: only its provider gets it. */
const UNKNOWN: Part = { type: "text", text: "", audience: "model" };

/** Returns the part of a block, with what it does not say. */
export function keptPart(rules: PartRules, block: Members, at: string): Part | OutputPart {
  return partOf(rules, block, rules.part(block, at));
}

/** Returns the part that keeps a block whole. */
export function wholePart(rules: PartRules, block: Members): Part {
  return partOf(rules, block, undefined) as Part;
}

function partOf(
  { shape, block }: PartRules,
  value: Members,
  { part, form }: ReadPart = { part: UNKNOWN },
): Part | OutputPart {
  const change = amendment(block(part, form), value);
  if (form === undefined && Object.keys(change).length === 0) return part;
  const named = form === undefined ? {} : { form };
  return { ...part, provider_data: { shape, ...named, ...change } satisfies KeptData };
}

/** Returns parts that blocks say, as an output. */
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

/** Reads a text, or a list of blocks. */
export function keptContent(rules: PartRules, content: unknown, at: string): Content & Output {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) throw refusal(at, "is neither a string nor an array");
  return keptOutput(rules, content, at) as Content & Output;
}

/** Reads a call whose input is an object; `id` and `name` are the names of its members. */
export function readCall(call: Members, id: string, name: string, at: string): ReadPart {
  const call_id = textAt(call, id, at);
  return {
    part: { type: "tool_call", call_id, name: nameAt(call, name, at), input: call.input ?? {} },
  };
}

/** Returns the block that a part is, with what was kept of it. */
export function blockOf(rules: PartRules, part: Part | OutputPart): Members {
  const kept = keptOf(part.provider_data, rules.shape);
  return amended(rules.block(part, kept?.form), kept ?? {});
}

/** Returns a text as it is, and parts as blocks. */
export function textOrBlocksOf(rules: PartRules, content: Output | Part[]): string | Members[] {
  return typeof content === "string" ? content : content.map((part) => blockOf(rules, part));
}
