/**
 * Tells which sessions Claude Desktop's own list leaves out. The list has one entry for each file
 * `local_<id>.json` (anthropics/claude-code issue 86277). A session's transcript is in a folder
 * beside that file.
 */
import { basename } from "node:path";
import { isFileThere } from "../../core/file/presence.ts";
import type { ReadHiddenReason } from "../contract/visibility.ts";
import { titleFile } from "./title_file.ts";

export function desktopVisibility(): ReadHiddenReason {
  return (session) => {
    const file = titleFile(session);
    if (file === undefined || isFileThere(file)) return undefined;
    return { reason: `Claude Desktop's own file for the session is missing: ${basename(file)}` };
  };
}
