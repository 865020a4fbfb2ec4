/**
 * The contract of an agent's file history. The agent records contents of whole files beside the
 * events, such as a snapshot or the text before an edit.
 *
 * @module
 */
import { isUtf8 } from "../../core/event/bytes.ts";
import type { AgentSession } from "./agent.ts";

/** The content of a file: text, bytes that are not text, or null if the file does not exist. */
export type FileContent = string | Uint8Array | null;

export function contentOf(bytes: Uint8Array): FileContent {
  if (bytes.includes(0) || !isUtf8(bytes)) return bytes;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

export interface KnownFile {
  /** The id of the record that has the content, equal to `source.id` of the record's events. */
  record: string;
  /** True if `content` is from before the change that the record makes. */
  before: boolean;
  /** The file's path as in the session: absolute, or relative to the session's directory. */
  path: string;
  content: FileContent;
}

/** Reads all file contents that a session recorded, in the order of its records. */
export type ReadFileHistory = (session: AgentSession) => AsyncIterable<KnownFile>;
