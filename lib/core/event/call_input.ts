/**
 * Represents the input of a call that its agent stores as JSON text. The text is stored too if the
 * value alone would not restore it. Lists the names that agents give the arguments of edits.
 */
import { parseExact } from "./exact_json.ts";

export interface CallInput {
  /** The value of the JSON text. If the text is not JSON, the text itself. */
  input: unknown;
  /** The exact text of the input. Absent if `JSON.stringify(input)` gives the same text. */
  input_text?: string;
}

/**
 * Reads the input of a call from its text, so that the text can be given back as it was.
 *
 * @param text JSON, as a model wrote it.
 * @returns The value, and the text if `JSON.stringify` would write it differently.
 * @throws {SyntaxError} When the text is not JSON.
 */
export function parseCallInput(text: string): CallInput {
  const input: unknown = JSON.parse(text);
  return JSON.stringify(input) === text ? { input } : { input: parseExact(text), input_text: text };
}

/** Parses the text of a call's arguments. Invalid JSON stays a string. */
export function callInput(text: string): CallInput {
  try {
    return parseCallInput(text);
  } catch {
    // A SyntaxError, or a RangeError for too deep nesting.
    return { input: text };
  }
}

/** Returns an input's text for the model: `input_text` if it still equals `input`, else JSON. */
export function callInputText({ input, input_text }: CallInput): string {
  const json = JSON.stringify(input);
  return input_text !== undefined && standsFor(input_text, json) ? input_text : json;
}

/** True if a text, parsed and written again, equals the JSON of the call's current input. */
function standsFor(text: string, json: string): boolean {
  try {
    return JSON.stringify(parseExact(text)) === json;
  } catch {
    // SyntaxError: no JSON. RangeError: nests too deep.
    return false;
  }
}

/**
 * Argument names of the path of a file. `notebook_path` is from Claude Code's NotebookEdit (2.1).
 * Capitalized names here and in the lists below are Antigravity's (1.1).
 */
export const PATHS = [
  ...["path", "file_path", "filePath", "filepath", "absolute_path", "notebook_path"],
  "TargetFile",
];
/**
 * Argument names of the text to replace. `before` and `after` are goose's (developer/edit.rs of
 * 2026).
 */
export const OLD_TEXTS = [
  ...["old_text", "oldText", "old_string", "oldString", "old_str", "before"],
  "TargetContent",
];
export const NEW_TEXTS = [
  ...["new_text", "newText", "new_string", "newString", "new_str", "after"],
  "ReplacementContent",
];
export const EDIT_LISTS = ["edits", "ReplacementChunks"];
/**
 * Argument names of a text that is added without replacing another. It is a notebook's cell
 * (NotebookEdit), or lines to insert after a given line (`insert` of text editors).
 */
export const INSERTED_TEXTS = ["new_source", "insert_text"];
/** Argument names of the flag that replaces every occurrence. */
export const ALLS = ["all", "replace_all", "replaceAll", "allow_multiple", "AllowMultiple"];
/** Argument names of the whole text of a file. */
export const CONTENTS = ["content", "file_text", "contents", "CodeContent"];
