/** Reads the changes that a call asks for out of its arguments. Pure. */
import {
  ALLS,
  CONTENTS,
  INSERTED_TEXTS,
  NEW_TEXTS,
  OLD_TEXTS,
  PATHS,
} from "../event/call_input.ts";
import { isObject } from "../event/guard.ts";
import { linesOf } from "./file_replay.ts";
import type { FileChange, Replacement } from "./recorded_edit.ts";

type Input = Readonly<Record<string, unknown>>;

/** A change, and the file that it is of. */
export interface AskedChange {
  path: string;
  change: FileChange;
}

function textOf(input: Input, names: readonly string[]): string | undefined {
  const name = names.find((one) => typeof input[one] === "string");
  return name === undefined ? undefined : input[name] as string;
}

function replacementOf(input: Input): Replacement | undefined {
  const [old_text, new_text] = [textOf(input, OLD_TEXTS), textOf(input, NEW_TEXTS)];
  if (old_text === undefined || new_text === undefined) return undefined;
  return { old_text, new_text, all: ALLS.some((name) => input[name] === true) };
}

/** A text that goes in somewhere: nothing says between which lines. */
function insertedText(input: Input): string | undefined {
  const names = typeof input.insert_line === "number"
    ? [...INSERTED_TEXTS, ...NEW_TEXTS]
    : INSERTED_TEXTS;
  return textOf(input, names);
}

/**
 * Returns the change that a call asks for; undefined where its arguments tell of none. A replacement
 * has an old and a new text, or a list of such; a write has the whole text; an insertion has new lines.
 */
export function askedChange(input: unknown): AskedChange | undefined {
  if (!isObject(input)) return undefined;
  const path = textOf(input, PATHS);
  if (path === undefined || path === "") return undefined;
  const listed = Array.isArray(input.edits) ? input.edits.filter(isObject) : [input];
  const replacements = listed.flatMap((one) => replacementOf(one) ?? []);
  // An empty old text makes a file, in the tools of several agents.
  const [first] = replacements;
  if (first?.old_text === "" && replacements.length === 1) {
    return { path, change: { kind: "write", content: first.new_text } };
  }
  if (replacements.length > 0) return { path, change: { kind: "replacements", replacements } };
  const inserted = insertedText(input);
  if (inserted !== undefined) {
    const block = { before: [], removed: [], added: linesOf(inserted), after: [] };
    return { path, change: { kind: "blocks", blocks: [block] } };
  }
  const content = textOf(input, CONTENTS);
  return content === undefined ? undefined : { path, change: { kind: "write", content } };
}
