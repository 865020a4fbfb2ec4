/**
 * The blocks of a session, made once from transcript items. Printers for terminal, HTML, Markdown
 * and plain text need blocks, but no events.
 *
 * A block holds unsanitized texts. Each printer makes them harmless for its own output.
 */
import type { AttachmentPart } from "../../../core/event/message.ts";
import type { DiffLine } from "../../../core/event/payload.ts";
import type { FoldLimits } from "../fold.ts";
import type { InputSummary } from "../input_summary.ts";

export interface BlockBase {
  /** Number of the block's first event, used as the block's anchor; 0 if unknown. */
  seq: number;
  /** Id of the block's record. Replaces `seq` if earlier events were not counted. */
  id?: string;
  /** Number of the event that ended the block's call; absent for a block of one event. */
  end_seq?: number;
  /** The reason why the block's event may be altered; absent if it is not in doubt. */
  doubt?: "mismatch" | "salvaged";
}

/** The colour of a word about an outcome. The word is clear without its colour. */
export type Ink = "ok" | "fail" | "warn" | "quiet";

/** A few words of a line. A dot separates them from the next words. */
export interface Word {
  text: string;
  ink?: Ink;
}

export interface Fact {
  name: string;
  value: string;
  /** The form of `value`; a time is in ISO 8601. @default {"text"} */
  form?: "text" | "path" | "time";
  /** True if the header of a document states the fact, too. */
  is_in_header?: true;
}

export interface HeadBlock extends BlockBase {
  type: "head";
  /** The title on one line; empty if the session has none. */
  title: string;
  facts: Fact[];
}

export interface MessageBlock extends BlockBase {
  type: "message";
  role: "user" | "assistant";
  /** Time of the message, in ISO 8601 and UTC; absent if unknown. */
  time?: string;
  model?: string;
  content: Block[];
}

export interface ProseBlock extends BlockBase {
  type: "prose";
  text: string;
  /** Markup of `text`: Markdown if the model wrote the text, plain if a person did. */
  markup: "markdown" | "plain";
  /** True for prose that matters less than its surroundings. */
  is_quiet?: true;
  /** The number of lines shown if the text is long; absent if it is never folded. */
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
  /** Number of the first event with the same text; absent if the block's event is the first. */
  first_seq?: number;
  fold: FoldLimits;
}

export interface CallBlock extends BlockBase {
  type: "call";
  name: string;
  summary: InputSummary;
  /** All arguments of the call, for `argumentBlocks`; absent if they are not shown. */
  input?: unknown;
  outcome: Word[];
  /** The blocks of the call's output. */
  content: Block[];
  /** True for a result that is shown apart from its call. */
  is_result?: true;
  /** True if the call's change is shown below it. Then the call's arguments are left out. */
  is_change_below?: true;
}

export interface CommandBlock extends BlockBase {
  type: "command";
  /** The command, of one or more lines. */
  command: string;
  purpose?: string;
  outcome: Word[];
  /** True if only the outcome of the command is shown. */
  is_brief?: true;
  /** The blocks of the command's output. */
  content: Block[];
}

/** A preformatted text: code, data or an output. */
export interface CodeBlock extends BlockBase {
  type: "code";
  /** The label: `Output`, `Error`, the name of an argument. */
  label: string;
  text: string;
  /** Name of a language, or the ending of a file name; absent if unknown. */
  language?: string;
  ink?: Ink;
  fold: FoldLimits;
}

export interface DiffBlock extends BlockBase {
  type: "diff";
  /** The file's path relative to the session's directory; absent if unknown. */
  path?: string;
  added: number;
  removed: number;
  /** The lines of the change; empty if only their numbers are shown. */
  lines: DiffLine[];
  /** True for a change that a call asks for, rather than a recorded change of a file. */
  is_asked?: true;
  fold: FoldLimits;
}

interface AttachmentBlock extends BlockBase {
  type: "attachment";
  part: AttachmentPart;
}

/** An attachment of a prompt: one line, and content that can be opened. */
export interface AttachedBlock extends BlockBase {
  type: "attached";
  /** A path, relative to the session's directory, or a description. */
  name: string;
  /** Number of lines in the attached texts. */
  lines: number;
  content: Block[];
}

export interface NoticeBlock extends BlockBase {
  type: "notice";
  form: "rule" | "line";
  ink?: Ink;
  title: string;
  /** Title for a horizontal line that is too narrow for `title`. @default {`title`, cut} */
  short_title?: string;
  /** The reason or subject, printed after a colon; may have several lines. */
  detail?: string;
  words: Word[];
  content: Block[];
  /** True for a notice of an agent's extension, which is left out whenever calls are left out. */
  hides_with_calls?: true;
}

/** The last line of a turn (with its usage) or of a thread (with its number of attached texts). */
export interface TurnBlock extends BlockBase {
  type: "turn";
  words: Word[];
}

/** A part of a session as it is shown. `type` decides whether readers can fold or skip it. */
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
  /** Directory whose files get relative paths. @default {the directory of the session's head} */
  cwd?: string | undefined;
  /** False if earlier events were not counted, so that numbers mean nothing. @default {true} */
  numbered?: boolean;
  /** Further facts for the session's head. @default {none} */
  head_facts?: readonly Fact[];
}
