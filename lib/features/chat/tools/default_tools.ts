/**
 * The default tools of a chat.
 *
 * @module
 */
import { bashTool } from "./bash_tool.ts";
import { readTool } from "./read_tool.ts";
import type { ChatTool } from "./tool.ts";
import { editTool, writeTool } from "./write_tools.ts";

export function defaultTools(): ChatTool[] {
  return [bashTool(), readTool(), writeTool(), editTool()];
}
