/**
 * The contract of an agent: it recognizes files, and opens sessions. A {@linkcode SessionReader}
 * summarizes one session, lists its threads, and reads its records as events.
 *
 * @module
 */
import type { AgentName } from "../../core/event/agent_name.ts";
import type { LogEvent } from "../../core/event/envelope.ts";
import type { Message } from "../../core/event/message.ts";
import type { EventKind } from "../../core/event/payload.ts";
import type { Report } from "../../core/log/diagnostic.ts";
import type {
  Conversation,
  ConversationOptions,
} from "../../core/projection/conversation/conversation.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import type { LocatedFacts } from "./located_facts.ts";
import type { ResponseUsage } from "../../core/projection/response_usage.ts";
import type { ReadPlace, SessionReading } from "./session_reading.ts";
import type { SessionThread } from "../../core/projection/session_thread.ts";

/** A session of an agent, with what is needed to read it. */
export interface AgentSession {
  /** The name of the agent that recorded the session. */
  agent: AgentName;
  /** The session's id, as its agent uses it. */
  id: string;
  /** Absolute path of the log, the database or the folder's main file. */
  path: string;
  /** Working directory, if known without reading the session, as from an index or database row. */
  cwd?: string;
  /** True if the session was archived in its own agent. */
  archived?: boolean;
  /**
   * The output of the user's own reader program about the session. Absent for agents without such a
   * program.
   */
  printed?: {
    /** The reader program with its first arguments. Reprise appends further arguments. */
    argv: readonly string[];
    /** Absolute paths of the files whose state tells if the session changed. */
    files: readonly string[];
    title?: string;
    created?: unknown;
    /** A text from the reader program that changes with the session. It replaces `files`. */
    state?: string;
  };
  /** The session's reference, for example in a team's store. @default {`<agent>:<id>`} */
  ref?: string;
  /** Name of the user's other machine that sent the session. Absent for this machine's sessions. */
  machine?: string;
  /** The agent's own id of the session, if `id` names a copy that another machine continued. */
  branch_of?: string;
}

export interface Subagent extends AgentSession {
  /** Id of the thread that started this sub-agent. */
  parent: string;
}

export interface LocateOptions {
  /**
   * True to include sub-agents' sessions, which are threads of other sessions. Then a search for an
   * id can find a sub-agent's session. @default {false}
   */
  subagents?: boolean;
  facts?: LocatedFacts | undefined;
}

/**
 * The number of bytes (of a file) or rows (of a database) of a session, by outcome. The numbers of
 * all outcomes add up to `total`, so nothing is dropped silently.
 */
export interface SourceAccount {
  /** The unit that is counted: bytes of a file, or rows of a database. */
  unit: "bytes" | "rows";
  /** Number of all bytes or rows: the sum of the other numbers. */
  total: number;
  /** Number of bytes or rows that became events. */
  events: number;
  /** Number of bytes or rows of records outside the conversation, by the agent's record type. */
  side: Record<string, number>;
  /** Number of bytes or rows of conversation records that are not on the branch that was read. */
  dead: number;
  /** Number of bytes or rows that were reported as damage. */
  damage: number;
  /** Number of bytes of lines that have only white space. */
  blank: number;
}

/** The choice between a fast summary and an exact one. */
export interface AgentSummaryOptions {
  /**
   * True to read the whole session if the ends of its file do not give the counts. @default {false}
   */
  exact?: boolean;
}

/** The choice of events to read from a session, and the functions that get faults and counts. */
export interface AgentReadOptions {
  /**
   * Kinds of events that the caller needs. Absent for all kinds. A reader may omit all other kinds.
   */
  needs?: ReadonlySet<EventKind> | undefined;
  /** Function that gets each diagnostic of the source. */
  report?: Report | undefined;
  /**
   * Function that gets each position from which another process could continue the reading. It
   * returns false to get no more positions. See {@linkcode AgentReadingOptions.lasting}.
   *
   * @internal
   */
  onPlace?: ((place: ReadPlace) => boolean) | undefined;
  /** Counts of bytes or rows that the reader increases. They are complete after the last event. */
  account?: SourceAccount | undefined;
  /**
   * Id of the thread to read, or the first characters of the id. Absent for the main thread. The id
   * of any record on a branch also names the branch.
   */
  thread?: string | undefined;
  /**
   * True to read only the events of the conversation. A reader may skip events that the last
   * compaction replaced. The remaining events are numbered from 1.
   */
  in_force?: boolean | undefined;
  /**
   * True to read the events of all branches of a log of Reprise, which a copy needs. Other sources
   * ignore this option.
   */
  all_branches?: boolean | undefined;
  /**
   * Number of last messages that are needed. Absent for all messages. A reader may omit earlier
   * messages if the last items and their seqs do not change.
   */
  last_messages?: number | undefined;
  /** The `seq` of the event before which the last messages are counted. @default {the end} */
  before_seq?: number | undefined;
  /** Signal that stops the reading. */
  signal?: AbortSignal | undefined;
}

export interface AgentReadingOptions extends AgentReadOptions {
  /**
   * True to require positions that can be stored as JSON. Another process can continue from a
   * stored position as long as {@linkcode SessionReading.stands} confirms the position.
   * @default {false}
   */
  lasting?: boolean | undefined;
}

/** Options to read all threads of a session. */
export interface AgentThreadsOptions extends Omit<AgentReadOptions, "thread" | "account"> {
  /** The main thread's events, if the caller already reads them. @default {they are read} */
  main?: AsyncIterable<readonly LogEvent[]> | undefined;
}

/** Options that say how much of a session's end to read. */
export interface AgentTailOptions extends AgentReadOptions {
  /**
   * Minimum number of user and assistant messages, if the session has that many. `Infinity` for
   * all.
   */
  messages: number;
  /**
   * Maximum bytes to read backward from the end of the session's file, if its format allows this.
   * The result may then have fewer than `messages` messages. @default {no bound}
   */
  most_bytes?: number | undefined;
}

/** The choice of the thread to read, and of the parts that its messages include. */
export interface AgentConversationOptions
  extends
    Omit<ConversationOptions, "partial">,
    Pick<AgentReadOptions, "report" | "thread" | "signal"> {
}

/** Options to follow a session as it is written. */
export interface AgentWatchOptions {
  /** Signal that ends the watch. */
  signal?: AbortSignal;
  /** Function that gets the faults of the source. */
  report?: Report;
  /** Called once, after all events that already existed were yielded. */
  onCaughtUp?: () => void;
  /** Called if the user went back, so that prompts that were yielded are now on another branch. */
  onBranch?: () => void;
  /** Called if prompts that were yielded no longer exist, or were changed. */
  onRewritten?: () => void;
  /** Id of the thread to follow. Absent for the main thread. See {@linkcode AgentReadOptions}. */
  thread?: string;
  /** Minimum number of last messages with which the watch begins. Absent for all messages. */
  last_messages?: number;
}

/** The files that a session is read from. While they are unchanged, so is the session. */
export interface SourceFiles {
  /** Absolute paths of the files, the session's own file first. */
  paths: readonly string[];
  /** The `paths` that belong to other sessions, such as the original of a fork. @default {none} */
  borrowed?: readonly string[];
  /**
   * Texts of the session that are not in its files. If present, the files contain all other texts
   * word for word, as JSON. A search can then skip the session if its files lack the searched
   * words. The text of one event may join several strings and field names of one record. Absent for
   * databases and Markdown histories, and for readers that join texts into one word.
   */
  added_words?: string;
}

/** A batch of events from one thread. */
export interface ThreadEvents {
  /** Id of the thread. */
  thread: string;
  /** The next events of the thread, in order. */
  events: readonly LogEvent[];
}

/** The threads of a session, to be read in the order of `ids`. */
export interface OpenThreads {
  /** Ids of the threads, the main thread first. */
  readonly ids: readonly string[];
  /** Reads a thread. May omit events that the thread shares with a thread that was already read. */
  read(id: string): AsyncIterable<readonly LogEvent[]>;
}

/** A log of Reprise in an encrypted file: read from its beginning, and never continued. */
export interface SealedLog {
  /** Always absent, because the log's lines are in no plain file. */
  readonly path?: undefined;
  /**
   * Reads the log's bytes. A chunk may be used until the next chunk is requested.
   *
   * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `encrypted`, `damaged`
   */
  bytes(): AsyncIterable<Uint8Array>;
  verify(report: Report): Promise<SourceAccount>;
}

/** A log of Reprise in a plain, append-only file. Each line can be read and repaired by itself. */
export interface PlainLog extends Omit<SealedLog, "path"> {
  readonly path: string;
  /** Builds the conversation of the log, beginning at the last compaction. */
  conversation(options: AgentConversationOptions): Promise<Conversation>;
  watch(options: AgentWatchOptions): AsyncGenerator<LogEvent[]>;
}

/**
 * Reads one session of any agent. No method changes a byte or a file time of a source. Reprise
 * derives the results of methods that an agent's reader does not implement.
 *
 * @throws {SessionError} From each read or its iterator: `not-found`, `permission`, `io`,
 * `unsupported-source`
 */
export interface SessionReader {
  readonly session: AgentSession;
  /** The log of Reprise. Undefined if the file has the format of another agent. */
  readonly log: PlainLog | SealedLog | undefined;
  /**
   * Returns the summary for a list, if possible from the file's ends. Undefined if the file
   * contains no session.
   */
  summarize(options?: AgentSummaryOptions): Promise<Summary | undefined>;
  /**
   * Reads the events of one thread, numbered from 1. Their `integrity` is "unverified" or
   * "salvaged". `source.id` is the record's own id. With `conversation({reasoning: "include"})`,
   * the events give the messages that the agent would send to the model on resume.
   */
  read(options?: AgentReadOptions): AsyncIterable<readonly LogEvent[]>;
  /**
   * Opens one thread to read it from its beginning or from a saved position. The events are the
   * same as from {@linkcode SessionReader.read}, except for compactions. A compaction may lack
   * references to the messages that the compaction keeps. Undefined if this session can only be
   * read from its beginning.
   */
  openReading(options?: AgentReadingOptions): Promise<SessionReading | undefined>;
  /**
   * Reads the events of the last messages. Reads backwards from the end if the format allows this.
   */
  readTail(options: AgentTailOptions): Promise<readonly LogEvent[]>;
  /**
   * Yields the messages of the conversation, oldest first, in batches. They equal the messages that
   * the events of {@linkcode SessionReader.read} give. Some readers make messages without events,
   * to save memory. Such a reader delays all messages after a call until it finds the call's
   * result. If no result comes within about 4 million characters, the call counts as unanswered.
   */
  messages(options?: AgentConversationOptions): AsyncIterable<readonly Message[]>;
  /**
   * Returns the threads of the session, the main thread first. The other threads are branches,
   * roots, subagents, and messages that a rewind removed. {@linkcode SessionReader.read} reads each
   * thread by its id.
   */
  threads(): Promise<SessionThread[]>;
  /**
   * Reads the events of all threads, each record once. Records that a branch shares with its parent
   * thread come only in the parent.
   */
  readThreads(options?: AgentThreadsOptions): AsyncIterable<ThreadEvents>;
  /**
   * Reads the tokens of every response, of all threads, in the order of the records. A response
   * that was recorded several times is yielded several times, with the same key.
   */
  usage(): AsyncIterable<readonly ResponseUsage[]>;
  files(): Promise<SourceFiles | undefined>;
}

export interface Agent {
  readonly name: AgentName;
  /**
   * True if a file belongs to this agent. `head` has the file's first 64 KiB. If no agent
   * recognizes the file, a second call has up to 1 MiB. The last line in `head` may be incomplete,
   * but its beginning also counts. The file's name counts only if `head` is not decisive.
   */
  recognize(path: string, head: Uint8Array): boolean;
  /** Returns the sessions in a file: one in a log, maybe many in a database or a history. */
  sessionsIn(path: string): Promise<AgentSession[]>;
  /** Opens a session. Nothing is read before a method of the reader is called. */
  open(session: AgentSession): SessionReader;
}
