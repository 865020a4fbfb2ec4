/** Tells a model which files a session changed. */
import { fileDiff } from "../../features/blame/files/file_diff.ts";
import { type SessionFile, sessionFiles } from "../../features/blame/files/session_files.ts";
import type { SessionHandle } from "../../library/handle/session_handle.ts";
import {
  type CursorQuery,
  formatCursor,
  parseNumbers,
  toDigits,
} from "../../text/render/page/cursor.ts";
import { Page } from "../../text/render/page/page.ts";
import { relativePath } from "../../text/render/path_text.ts";
import { sessionRef } from "../../agents/contract/session_name.ts";
import type { History } from "./history.ts";
import { indented } from "./quotation.ts";
import { answerPage, PAGE_ROOM, type ToolArguments } from "./tool_definitions.ts";

/**
 * Returns a page of files as they were at an event, with diffs if `tools` is `full`. It reads only
 * sessions, never the project's files.
 */
export async function changedFiles(
  { quote }: History,
  handle: SessionHandle,
  { cursor, tools }: ToolArguments,
): Promise<string> {
  const { cwd, seq, files } = await sessionFiles(handle, { seq: handle.seq });
  const of: CursorQuery = {
    command: "read_session",
    query: { session: sessionRef(handle.session), seq, tools, what: "files" },
  };
  const textOf = (file: SessionFile): string => {
    const { added, removed, lines } = fileDiff(file);
    const { state: { grade, content } } = file;
    const name = quote.line(relativePath(file.path, cwd));
    const gone = content === null ? "  (not there)" : "";
    const diff = tools === "full" ? `\n  ${indented(quote.value(lines.join("\n")))}` : "";
    return `${name}  +${added} -${removed}  ${grade}${gone}${diff.trimEnd()}\n`;
  };
  const page = new Page(PAGE_ROOM);
  const [first, offset] = cursor === undefined ? [0, 0] : parseNumbers(of, cursor);
  if (cursor === undefined) page.add(-1, `${handle.ref}  files as of event ${seq}\n`);
  for (const [index, file] of files.entries()) {
    if (index < first || page.add(index, textOf(file), index === first ? offset : 0)) continue;
    const { offset: shown = 0 } = page.next ?? {};
    return answerPage(page, formatCursor(of, [index, shown, 0].map(toDigits)));
  }
  return files.length === 0 ? "The session changed no files." : answerPage(page, undefined);
}
