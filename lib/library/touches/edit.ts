/** A change of a file, as a session recorded it. */
import type { AgentSession } from "../../agents/contract/agent.ts";

/** Lines that were replaced, with the unchanged lines around them. */
export interface EditedBlock {
  /** Unchanged lines before it, at most three. */
  before: readonly string[];
  /** Lines that stood there. */
  removed: readonly string[];
  /** Lines that replaced them. */
  added: readonly string[];
  /** Unchanged lines behind it, at most three. */
  after: readonly string[];
  /** The number of its first line once the change was made, from 1; absent where not recorded. */
  line?: number;
  /** True if it is a whole file, which was made or deleted. */
  whole?: true;
}

/** A text that was replaced by another, perhaps in the middle of lines. */
export interface Replacement {
  /** The text that stood there. */
  old_text: string;
  /** The text that replaced it. */
  new_text: string;
  /** True where every occurrence was replaced. */
  all: boolean;
}

/**
 * The change itself: whole lines of a diff, texts of a call, or a file written as a whole. Where a diff
 * of the write was recorded, only its lines are new. A person may have written the others before. A
 * diff of a call with texts comes with them.
 */
export type FileChange =
  | { kind: "blocks"; blocks: readonly EditedBlock[]; replacements?: readonly Replacement[] }
  | { kind: "replacements"; replacements: readonly Replacement[] }
  | { kind: "write"; content: string; blocks?: readonly EditedBlock[] };

/** The prompt that an edit answers. */
export interface EditPrompt {
  /** The number of its event. */
  seq: number;
  /** Its first line. */
  text: string;
}

/** A change that succeeded. */
export interface RecordedEdit {
  /** The session that recorded it. */
  session: AgentSession;
  /** The session's reference. */
  ref: string;
  /** The thread, where it is not the main one. */
  thread?: string;
  /** The event that settles the call. */
  seq: number;
  /** Milliseconds since 1970. */
  time: number;
  /** The file as the session names it: absolute, or below the session's directory. */
  path: string;
  /** The session's directory. */
  cwd?: string;
  /** The change of the file. */
  change: FileChange;
  /** The model that asked for it; absent where it was not recorded. */
  model?: string;
  /** The prompt that it answers; absent where nothing was asked before. */
  prompt?: EditPrompt;
}
