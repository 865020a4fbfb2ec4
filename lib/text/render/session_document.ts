/** A session as a document for people who read it elsewhere: Markdown, HTML or text. */
import type { Summary } from "../../core/projection/summary_row.ts";
import type { SessionThread } from "../../core/projection/session_thread.ts";
import type { Block, ToolDetail } from "./block/block.ts";

/** The facts about a session and its export at the head of a document. */
export interface DocumentHeader {
  /** The session as lists show it. Its texts may be redacted. */
  summary: Summary;
  /** The time of the export, ISO 8601. */
  exported_at: string;
  /** Name and version of the program that writes the document. */
  generator: string;
  /** True if secrets were looked for and replaced. */
  redacted: boolean;
}

export interface DocumentOptions {
  tools: ToolDetail;
}

/** A document that is written part by part, so that a session of any length fits in memory. */
export interface SessionDocument {
  begin(header: DocumentHeader): string;
  block(block: Block): string;
  /** Returns the head of a thread other than the main thread. Absent if one thread is shown. */
  thread?(thread: SessionThread): string;
  end(): string;
}
