/**
 * What the tools for files have in common: a path, of which the user is asked where it leads out of
 * the working directory.
 */
import type { ChatTool, ToolContext, ToolOutcome } from "./tool.ts";
import { absolutePath, failedOutcome, leavesDirectory, pathIn, shownPath } from "./tool_input.ts";

/** A file that a call is about. */
export interface CalledFile {
  path: string;
  /** The path as model and user see it. */
  shown: string;
}

/** What a tool for files is made of. */
export interface FileToolParts {
  name: string;
  description: string;
  /** What it takes beside the path. */
  properties: Record<string, unknown>;
  /** Which of them have to be there. */
  required: readonly string[];
  /** What it does to the file, in a word: `reads`. */
  verb: string;
  /** Does it; what it throws is the outcome. */
  run(input: unknown, file: CalledFile, signal: AbortSignal): Promise<ToolOutcome>;
}

const PATH = { type: "string", description: "The file, absolute or below the working directory" };

/** A tool for one file. */
export function fileTool(
  { name, description, properties, required, verb, run }: FileToolParts,
): ChatTool {
  const parameters = {
    type: "object",
    properties: { path: PATH, ...properties },
    required: ["path", ...required],
    additionalProperties: false,
  };
  return {
    definition: { name, description, parameters },
    title: pathIn,
    asks: (input, cwd) =>
      leavesDirectory(pathIn(input), cwd)
        ? `${verb} a file outside the working directory`
        : undefined,
    async run(input: unknown, { cwd, signal }: ToolContext): Promise<ToolOutcome> {
      try {
        const path = absolutePath(input, cwd);
        return await run(input, { path, shown: shownPath(path, cwd) }, signal);
      } catch (error) {
        return failedOutcome(error, signal);
      }
    },
  };
}
