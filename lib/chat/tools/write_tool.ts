/**
 * The tool that writes a file.
 *
 * @module
 */
import { dirname } from "node:path";
import { mkdir, writeTextFile } from "../../platform/files.ts";
import { diffLines } from "./diff_lines.ts";
import { type CalledFile, fileTool } from "./file_tool.ts";
import { readIfThere } from "./text_file.ts";
import type { ChatTool, ToolOutcome } from "./tool.ts";
import { requiredText } from "./tool_input.ts";

/** The tool that creates a text file, or replaces all that is in one, and shows what changes. */
export function writeTool(): ChatTool {
  return fileTool({
    name: "write",
    description: "Creates a text file, with the folders above it, or replaces all that is in one.",
    properties: { content: { type: "string", description: "All that the file is to hold" } },
    required: ["content"],
    verb: "writes",
    run,
  });
}

async function run(
  input: unknown,
  { path, shown }: CalledFile,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const content = requiredText(input, "content");
  const before = await readIfThere(path, shown);
  signal.throwIfAborted();
  await mkdir(dirname(path), { recursive: true });
  await writeTextFile(path, content);
  return {
    status: "ok",
    output: `${before === undefined ? "Created" : "Replaced"} ${shown}`,
    diff: { path: shown, lines: diffLines(before ?? "", content) },
    touched: shown,
  };
}
