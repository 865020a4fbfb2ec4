/**
 * Makes blocks of a tool call's arguments. Short arguments become facts, and long arguments become
 * code blocks. An old text and a new text become a diff.
 */
import { diffLines } from "npm:diff@9.0.0";
import { ExactNumber } from "../../../core/event/exact_number.ts";
import { isObject } from "../../../core/event/guard.ts";
import type { DiffLine } from "../../../core/event/payload.ts";
import { inputPath } from "../input_summary.ts";
import type { BlockBase, CodeBlock, DiffBlock, Fact } from "./block.ts";
import { languageOf } from "../path_text.ts";
import { codeBlock, dataBlock } from "./call_block.ts";
import { FOLDS } from "../fold.ts";

interface Arguments {
  facts: Fact[];
  blocks: (CodeBlock | DiffBlock)[];
}

const SHORT = 200;

export function callArguments(input: unknown, base: BlockBase): Arguments {
  if (input === undefined) return { facts: [], blocks: [] };
  if (typeof input === "string") {
    return { facts: [], blocks: [codeBlock("Input", input, base, FOLDS.output)] };
  }
  if (!isObject(input)) return { facts: [], blocks: dataBlock("Input", input, base) };
  const { change, used } = askedChange(input, base);
  const language = languageOf(inputPath(input));
  const facts: Fact[] = [];
  const blocks: (CodeBlock | DiffBlock)[] = [];
  for (const [name, value] of Object.entries(input)) {
    if (used.includes(name)) continue;
    if (isShort(value)) facts.push({ name, value: String(value) });
    else if (typeof value === "string") {
      blocks.push({ ...codeBlock(name, value, base, FOLDS.output), ...(language && { language }) });
    } else for (const one of dataBlock(name, value, base)) blocks.push(one);
  }
  return { facts, blocks: change === undefined ? blocks : [...blocks, change] };
}

function isShort(value: unknown): boolean {
  if (typeof value === "string") return value.length <= SHORT && !value.includes("\n");
  return typeof value !== "object" || value === null || value instanceof ExactNumber;
}

/** Names of the arguments with the old and the new text in tools of different agents. */
const NAMES = [
  ["old_string", "new_string"],
  ["old_text", "new_text"],
  ["oldText", "newText"],
  ["old_str", "new_str"],
] as const;

/** Maximum total length of two compared texts, in UTF-16 units. Longer texts get no diff. */
const LIMIT = 64 * 1024;
const MAX_EDITS = 400;

function askedChange(
  input: Record<string, unknown>,
  base: BlockBase,
): { change?: DiffBlock; used: readonly string[] } {
  for (const used of NAMES) {
    const [before, after] = [input[used[0]], input[used[1]]];
    if (typeof before !== "string" || typeof after !== "string") continue;
    const lines = changedLines(before, after);
    if (lines === undefined) continue;
    const count = (kind: DiffLine["kind"]): number =>
      lines.filter((line) => line.kind === kind).length;
    const counts = { added: count("added"), removed: count("removed") };
    const fold = FOLDS.diff;
    return { change: { type: "diff", ...base, ...counts, lines, is_asked: true, fold }, used };
  }
  return { used: [] };
}

function changedLines(before: string, after: string): DiffLine[] | undefined {
  if (before.length + after.length > LIMIT) return undefined;
  const changes = diffLines(before, after, { maxEditLength: MAX_EDITS });
  return changes?.flatMap(({ value, added, removed }) => {
    const kind = added ? "added" : removed ? "removed" : "context";
    const lines = value.endsWith("\n") ? value.slice(0, -1) : value;
    return lines.split("\n").map((content) => ({ kind, content } as const));
  });
}
