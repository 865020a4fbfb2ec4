/** A change of a file, as a session recorded it. */
import type { AgentSession } from "../../agents/contract/agent.ts";

/** Lines that were replaced, with the unchanged lines around them. */
export interface EditedBlock {
  /** Unchanged lines before the block, at most three. */
  before: readonly string[];
  /** Removed lines, in order; empty if the change only added lines. */
  removed: readonly string[];
  /** Added lines, in order; empty if the change only removed lines. */
  added: readonly string[];
  /** Unchanged lines after the block, at most three. */
  after: readonly string[];
  /** Number of the block's first line in the changed file, from 1; absent if not recorded. */
  line?: number;
  /** True if the block is a whole file that was created or deleted. */
  whole?: true;
}

/** A text that was replaced by another, perhaps in the middle of lines. */
export interface Replacement {
  /** The text before the replacement. */
  old_text: string;
  /** The text that replaces `old_text`. */
  new_text: string;
  /** True if every occurrence in the file was replaced. */
  all: boolean;
}

/**
 * The content of a change. `blocks`: the lines of a diff, and texts replaced by its call.
 * `replacements`: the texts that a call replaced. `write`: a file's whole text. If a `write` has
 * `blocks`, only lines added in the blocks are new. Its other lines were in the file before,
 * perhaps from a person.
 */
export type FileChange =
  | { kind: "blocks"; blocks: readonly EditedBlock[]; replacements?: readonly Replacement[] }
  | { kind: "replacements"; replacements: readonly Replacement[] }
  | { kind: "write"; content: string; blocks?: readonly EditedBlock[] };

/** The prompt in whose turn an edit was made. */
export interface EditPrompt {
  /** Number of the prompt's event. */
  seq: number;
  /** The first line of the prompt. */
  text: string;
}

/** A successful change of a file. */
export interface RecordedEdit {
  /** The session that recorded the change. */
  session: AgentSession;
  /** The session's reference, such as `claude:3f2a…`. */
  ref: string;
  /** The id of the thread; absent in the main thread. */
  thread?: string;
  /** Number of the event that ends the call, or of a diff that belongs to no call. */
  seq: number;
  /** Time of the event in milliseconds since 1970; NaN if unknown. */
  time: number;
  /** The file's path as the session names it: absolute, or relative to the session's directory. */
  path: string;
  /** The session's directory; absent if it was not recorded. */
  cwd?: string;
  /** The lines, texts or content that were changed. */
  change: FileChange;
  /** The model that asked for the change; absent if it was not recorded. */
  model?: string;
  /** The prompt in whose turn the change was made; absent if no prompt came before the change. */
  prompt?: EditPrompt;
}
