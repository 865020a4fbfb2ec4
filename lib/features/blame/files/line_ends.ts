/** Detects files with CRLF line ends that an agent records with LF. Pure. */
import type { FileContent } from "../../../agents/contract/file_history.ts";
import { hasOnlyCrlf, toCrlf } from "./replay_change.ts";

export function isRecordedAsLf(file: FileContent, known: () => readonly FileContent[]): boolean {
  return typeof file === "string" && hasOnlyCrlf(file) &&
    known().some((one) => typeof one === "string" && !one.includes("\r") && toCrlf(one) === file);
}

/** Converts a content to CRLF if the file has CRLF but the session recorded it with LF. */
export function withEndsOf(
  file: FileContent,
  content: FileContent,
  known: () => readonly FileContent[],
): FileContent {
  const is_plain = typeof content === "string" && !content.includes("\r");
  return is_plain && isRecordedAsLf(file, known) ? toCrlf(content) : content;
}
