/** The tools that write a file or replace a part of one. */
import { dirname } from "node:path";
import { mkdir, writeTextFile } from "../../../core/platform/files.ts";
import { diffLines } from "./diff_lines.ts";
import { type CalledFile, fileTool, readIfThere, readTextFile } from "./file_tool.ts";
import type { ChatTool, ToolOutcome } from "./tool.ts";
import { InvalidInput, requiredText } from "./tool_input.ts";

export function writeTool(): ChatTool {
  return fileTool({
    name: "write",
    description:
      "Creates a text file and its parent folders, or replaces the whole content of an " +
      "existing file.",
    properties: { content: { type: "string", description: "The file's whole content" } },
    required: ["content"],
    verb: "writes",
    run: write,
  });
}

async function write(
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

export function editTool(): ChatTool {
  return fileTool({
    name: "edit",
    description: "Replaces text in a file. The old text must occur exactly once: include enough " +
      "of the lines around it. Read the file first.",
    properties: {
      old_text: {
        type: "string",
        description: "Text to replace. It must match the file exactly, white space included.",
      },
      new_text: { type: "string", description: "The new text" },
    },
    required: ["old_text", "new_text"],
    verb: "changes",
    run: edit,
  });
}

async function edit(
  input: unknown,
  { path, shown }: CalledFile,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const old_text = requiredText(input, "old_text");
  const new_text = requiredText(input, "new_text");
  const before = await readTextFile(path, shown);
  const after = replaceOnce(before, old_text, new_text, shown);
  signal.throwIfAborted();
  await writeTextFile(path, after);
  const diff = { path: shown, lines: diffLines(before, after) };
  return { status: "ok", output: `Changed ${shown}`, diff, touched: shown };
}

function replaceOnce(text: string, old_text: string, new_text: string, shown: string): string {
  const refuse = (reason: string): never => {
    throw new InvalidInput(`Cannot change file: ${reason}: ${shown}`);
  };
  if (old_text === "") refuse("old_text is empty; to create a new file, use the tool write");
  if (old_text === new_text) refuse("old_text and new_text are the same");
  const at = text.indexOf(old_text);
  if (at < 0) refuse("the file does not contain old_text exactly as given");
  if (text.indexOf(old_text, at + 1) >= 0) {
    refuse("old_text occurs more than once; include more of the lines around it");
  }
  return text.slice(0, at) + new_text + text.slice(at + old_text.length);
}
