/**
 * The default tools of a chat.
 *
 * @module
 */
import { bashTool } from "./bash_tool.ts";
import { readTool } from "./read_tool.ts";
import type { ChatTool } from "./tool.ts";
import { editTool, writeTool } from "./write_tools.ts";

/**
 * Returns the chat's tools: `bash`, `read`, `write`, `edit`.
 *
 * @returns New tools; they share nothing.
 */
export function defaultTools(): ChatTool[] {
  return [bashTool(), readTool(), writeTool(), editTool()];
}
