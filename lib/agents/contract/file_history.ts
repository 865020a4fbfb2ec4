/**
 * The contract of an agent's memory of files. It recorded contents of whole files beside the events,
 * such as the text that an edit found, or a snapshot.
 *
 * @module
 */
import { isUtf8 } from "../../core/event/bytes.ts";
import type { AgentSession } from "./agent.ts";

/** The content of a file: text, other bytes, or null where there is no file. */
export type FileContent = string | Uint8Array | null;

/** Returns the content of bytes: text where they are valid UTF-8 without NUL. */
export function contentOf(bytes: Uint8Array): FileContent {
  if (bytes.includes(0) || !isUtf8(bytes)) return bytes;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** A whole file, as a session knew it. */
export interface KnownFile {
  /** The record's own id: `source.id` of its events. */
  record: string;
  /** True where the file was so before the record's own change. */
  before: boolean;
  /** The file as the session names it: absolute, or below the session's directory. */
  path: string;
  content: FileContent;
}

/** Reads all contents that a session recorded, in the order of its records. */
export type ReadFileHistory = (session: AgentSession) => AsyncIterable<KnownFile>;
