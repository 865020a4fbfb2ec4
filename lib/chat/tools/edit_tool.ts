/**
 * The tool that changes a stretch of a file.
 *
 * @module
 */
import { diffLines } from "./diff_lines.ts";
import { readTextFile } from "./text_file.ts";
import type { ChatTool, ToolContext, ToolOutcome } from "./tool.ts";
import {
  absolutePath,
  failedOutcome,
  InvalidInput,
  leavesDirectory,
  pathIn,
  requiredText,
  shownPath,
} from "./tool_input.ts";

const PARAMETERS = {
  type: "object",
  properties: {
    path: { type: "string", description: "The file, absolute or below the working directory" },
    old_text: {
      type: "string",
      description: "Text that stands in the file exactly once, white space included",
    },
    new_text: { type: "string", description: "What takes its place" },
  },
  required: ["path", "old_text", "new_text"],
  additionalProperties: false,
};

/** The tool that replaces one text in a file, and shows what changes. */
export function editTool(): ChatTool {
  return {
    definition: {
      name: "edit",
      description:
        "Replaces a text in a file by another. The text must stand there exactly once: " +
        "give enough of the lines around it. Read the file first.",
      parameters: PARAMETERS,
    },
    title: pathIn,
    asks: (input, cwd) =>
      leavesDirectory(pathIn(input), cwd)
        ? "changes a file outside the working directory"
        : undefined,
    run: (input, context) => run(input, context),
  };
}

async function run(input: unknown, { cwd, signal }: ToolContext): Promise<ToolOutcome> {
  try {
    const path = absolutePath(input, cwd);
    const old_text = requiredText(input, "old_text");
    const new_text = requiredText(input, "new_text");
    const shown = shownPath(path, cwd);
    const before = await readTextFile(path, shown);
    const after = replaceOnce(before, old_text, new_text, shown);
    signal.throwIfAborted();
    await Deno.writeTextFile(path, after);
    const diff = { path: shown, lines: diffLines(before, after) };
    return { status: "ok", output: `Changed ${shown}`, diff, touched: shown };
  } catch (error) {
    return failedOutcome(error, signal);
  }
}

function replaceOnce(text: string, old_text: string, new_text: string, shown: string): string {
  const refuse = (reason: string): never => {
    throw new InvalidInput(`Cannot change file: ${reason}: ${shown}`);
  };
  if (old_text === "") refuse("old_text is empty; use write for a new file");
  if (old_text === new_text) refuse("old_text and new_text are the same");
  const at = text.indexOf(old_text);
  if (at < 0) refuse("old_text is not in it, exactly as given");
  if (text.indexOf(old_text, at + 1) >= 0) {
    refuse("old_text stands in it more than once; give more of the lines around it");
  }
  return text.slice(0, at) + new_text + text.slice(at + old_text.length);
}
