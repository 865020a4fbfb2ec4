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
  /** Id of the block's record. Used instead of `seq` if the number of earlier events is unknown. */
  id?: string;
  /** Number of the event that ended the block's call; absent for a block of one event. */
  end_seq?: number;
  /** The reason why the block's event may be altered; absent if it is not in doubt. */
  doubt?: "mismatch" | "salvaged";
}

/** The colour of a word about an outcome. The word is clear without its colour. */
export type Ink = "ok" | "fail" | "warn" | "quiet";

/** A word in a line of words that dots separate. */
export interface Word {
  text: string;
  ink?: Ink;
}

export interface Fact {
  name: string;
  value: string;
  /** The form of `value`; a time is in ISO 8601. @default {"text"} */
  form?: "text" | "path" | "time";
  /** True if a document's header also shows this fact. */
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
  /** In ISO 8601 and UTC. Absent if unknown. */
  time?: string;
  model?: string;
  content: Block[];
}

export interface ProseBlock extends BlockBase {
  type: "prose";
  text: string;
  /** Markup of `text`: Markdown if the model wrote the text, plain if a person did. */
  markup: "markdown" | "plain";
  is_quiet?: true;
  /** The number of lines shown if the text is long; absent if it is never folded. */
  fold?: FoldLimits;
}

export interface ThinkingBlock extends BlockBase {
  type: "thinking";
  text: string;
  fold: FoldLimits;
}

export interface ReminderBlock extends BlockBase {
  type: "reminder";
  /** The reminder's text, without the tags that enclose it in the session. */
  text: string;
  /** Number of the earlier event with this reminder. Absent if the block's event is the first. */
  first_seq?: number;
  fold: FoldLimits;
}

export interface CallBlock extends BlockBase {
  type: "call";
  name: string;
  summary: InputSummary;
  /** All arguments of the call, for `argumentBlocks`. Absent if they are not shown. */
  input?: unknown;
  outcome: Word[];
  content: Block[];
  /** True for a result that is shown apart from its call. */
  is_result?: true;
  /** True if the call's change is shown below it. Then the call's arguments are left out. */
  is_change_below?: true;
}

export interface CommandBlock extends BlockBase {
  type: "command";
  /** May have several lines. */
  command: string;
  purpose?: string;
  outcome: Word[];
  /** True if only the outcome of the command is shown. */
  is_brief?: true;
  content: Block[];
}

export interface CodeBlock extends BlockBase {
  type: "code";
  /** A label such as `Output`, `Error` or an argument's name. */
  label: string;
  text: string;
  /** Name of a language, or the ending of a file name. Absent if unknown. */
  language?: string;
  ink?: Ink;
  fold: FoldLimits;
}

export interface DiffBlock extends BlockBase {
  type: "diff";
  /** Relative to the session's directory. Absent if unknown. */
  path?: string;
  added: number;
  removed: number;
  /** Empty if only counts of lines are shown. */
  lines: DiffLine[];
  /** True for a change that a call asks for, rather than a recorded change of a file. */
  is_asked?: true;
  fold: FoldLimits;
}

interface AttachmentBlock extends BlockBase {
  type: "attachment";
  part: AttachmentPart;
}

/** An attachment of a prompt, shown as one line with content that can be opened. */
export interface AttachedBlock extends BlockBase {
  type: "attached";
  /** A path, relative to the session's directory, or a description. */
  name: string;
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
  /** Printed after a colon. May have several lines. */
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

/** `type` decides whether readers can fold or skip the block. */
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
  /** @default {"full"} */
  tools?: ToolDetail;
  /** Directory whose files get relative paths. @default {the directory of the session's head} */
  cwd?: string | undefined;
  /** False if earlier events were not counted, so that `seq` is meaningless. @default {true} */
  numbered?: boolean;
  /** Facts that the head shows besides its own. @default {none} */
  head_facts?: readonly Fact[];
}
