/**
 * The tool that writes a file.
 *
 * @module
 */
import { dirname } from "node:path";
import { diffLines } from "./diff_lines.ts";
import { readIfThere } from "./text_file.ts";
import type { ChatTool, ToolContext, ToolOutcome } from "./tool.ts";
import {
  absolutePath,
  failedOutcome,
  leavesDirectory,
  pathIn,
  requiredText,
  shownPath,
} from "./tool_input.ts";

const PARAMETERS = {
  type: "object",
  properties: {
    path: { type: "string", description: "The file, absolute or below the working directory" },
    content: { type: "string", description: "All that the file is to hold" },
  },
  required: ["path", "content"],
  additionalProperties: false,
};

/** The tool that creates a text file, or replaces all that is in one, and shows what changes. */
export function writeTool(): ChatTool {
  return {
    definition: {
      name: "write",
      description:
        "Creates a text file, with the folders above it, or replaces all that is in one.",
      parameters: PARAMETERS,
    },
    title: pathIn,
    asks: (input, cwd) =>
      leavesDirectory(pathIn(input), cwd)
        ? "writes a file outside the working directory"
        : undefined,
    run: (input, context) => run(input, context),
  };
}

async function run(input: unknown, { cwd, signal }: ToolContext): Promise<ToolOutcome> {
  try {
    const path = absolutePath(input, cwd);
    const content = requiredText(input, "content");
    const shown = shownPath(path, cwd);
    const before = await readIfThere(path, shown);
    signal.throwIfAborted();
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, content);
    return {
      status: "ok",
      output: `${before === undefined ? "Created" : "Replaced"} ${shown}`,
      diff: { path: shown, lines: diffLines(before ?? "", content) },
      touched: shown,
    };
  } catch (error) {
    return failedOutcome(error, signal);
  }
}
