/**
 * The blocks of a session. They are made once from transcript items; terminal, HTML, Markdown and
 * text print them without events.
 *
 * A block holds its texts as they are. Its printer makes them harmless for its output.
 */
import type { AttachmentPart } from "../../../core/event/message.ts";
import type { DiffLine } from "../../../core/event/payload.ts";
import type { FoldLimits } from "../fold.ts";
import type { InputSummary } from "../input_summary.ts";

export interface BlockBase {
  /** The event that it begins with: its anchor. 0 where that is not known. */
  seq: number;
  /** The name of its record, in place of the number where the events before it were not counted. */
  id?: string;
  /** The event that settled it; absent where that is the same. */
  end_seq?: number;
  /** Present if the event may be altered. */
  doubt?: "mismatch" | "salvaged";
}

/** The colour of a word about an outcome; the word itself says the same. */
export type Ink = "ok" | "fail" | "warn" | "quiet";

/** A few words on a line, apart from others by a dot. */
export interface Word {
  text: string;
  ink?: Ink;
}

export interface Fact {
  name: string;
  value: string;
  /** The form of the value. @default {"text"} */
  form?: "text" | "path" | "time";
  /** True where the header of a document states the fact, too. */
  is_in_header?: true;
}

/** The head of a session: its title and where it comes from. */
export interface HeadBlock extends BlockBase {
  type: "head";
  /** One line, which may be empty. */
  title: string;
  facts: Fact[];
}

/** A message of the user (a prompt) or of the model (an answer). */
export interface MessageBlock extends BlockBase {
  type: "message";
  role: "user" | "assistant";
  /** ISO 8601 in UTC. */
  time?: string;
  model?: string;
  content: Block[];
}

export interface ProseBlock extends BlockBase {
  type: "prose";
  text: string;
  /** Markdown for the model, plain for a person. */
  markup: "markdown" | "plain";
  /** True for prose that matters less than its surroundings. */
  is_quiet?: true;
  /** The lines shown of a long prose. */
  fold?: FoldLimits;
}

export interface ThinkingBlock extends BlockBase {
  type: "thinking";
  text: string;
  fold: FoldLimits;
}

/** A reminder that an agent put into a message or an output. */
export interface ReminderBlock extends BlockBase {
  type: "reminder";
  /** The text without its tags. */
  text: string;
  /** The event that first said the same; absent where this is the first. */
  first_seq?: number;
  fold: FoldLimits;
}

export interface CallBlock extends BlockBase {
  type: "call";
  name: string;
  /** Its arguments on one line. */
  summary: InputSummary;
  /** Its arguments; absent where they are left out. `argumentBlocks` shows them in full. */
  input?: unknown;
  outcome: Word[];
  /** The output. */
  content: Block[];
  /** True for a result that stands apart from its call. */
  is_result?: true;
}

export interface CommandBlock extends BlockBase {
  type: "command";
  /** May have several lines. */
  command: string;
  /** The purpose, in a few words. */
  purpose?: string;
  outcome: Word[];
  /** True where only its outcome is shown. */
  is_brief?: true;
  /** The output. */
  content: Block[];
}

/** A text with its lines and spaces: code, data, an output. */
export interface CodeBlock extends BlockBase {
  type: "code";
  /** The label: `Output`, `Error`, the name of an argument. */
  label: string;
  text: string;
  /** A language or the ending of a file's name; absent where it is not known. */
  language?: string;
  ink?: Ink;
  fold: FoldLimits;
}

export interface DiffBlock extends BlockBase {
  type: "diff";
  /** Relative to the session's directory; absent where it is not known. */
  path?: string;
  added: number;
  removed: number;
  /** Empty where they are left out. */
  lines: DiffLine[];
  /** Part of a call's arguments: a change that was asked for. */
  is_asked?: true;
  fold: FoldLimits;
}

/** An image or a file, by its name. */
interface AttachmentBlock extends BlockBase {
  type: "attachment";
  part: AttachmentPart;
}

/** An attachment of a prompt: one line, and content that can be opened. */
export interface AttachedBlock extends BlockBase {
  type: "attached";
  /** A path, relative to the session's directory, or a description. */
  name: string;
  /** Number of lines of its texts. */
  lines: number;
  content: Block[];
}

export interface NoticeBlock extends BlockBase {
  type: "notice";
  form: "rule" | "line";
  ink?: Ink;
  title: string;
  /** Stands on a rule that has no room for the title. @default {the title, cut} */
  short_title?: string;
  /** The reason or subject; stands behind a colon. May have several lines. */
  detail?: string;
  words: Word[];
  content: Block[];
  /** True for the work of an agent's extension, which is hidden together with calls. */
  hides_with_calls?: true;
}

/** The usage of a turn, or the number of attached texts; stands behind the last block. */
export interface TurnBlock extends BlockBase {
  type: "turn";
  /** Models, tokens and cost. */
  words: Word[];
}

/** A part of a session on a screen or page. `type` decides whether it can be folded or skipped. */
export type Block =
  | HeadBlock
  | MessageBlock
  | ProseBlock
  | ThinkingBlock
  | ReminderBlock
  | CallBlock
  | CommandBlock
  | CodeBlock
  | DiffBlock
  | AttachmentBlock
  | AttachedBlock
  | NoticeBlock
  | TurnBlock;

/** The shown part of calls, commands and changes: all, outcomes only, or nothing. */
export type ToolDetail = "full" | "brief" | "none";

export interface BlockOptions {
  /** The detail of calls. @default {"full"} */
  tools?: ToolDetail;
  /** Paths below it are written relative to it. @default {the directory of the session's head} */
  cwd?: string | undefined;
  /** Say which event a block is of: false where the events before it were not counted. @default {true} */
  numbered?: boolean;
  /** Further facts for the session's head. @default {none} */
  head_facts?: readonly Fact[];
}
