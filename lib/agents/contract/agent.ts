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
  /** The agent whose session this is. */
  agent: AgentName;
  /** The session's id, as its agent uses it. */
  id: string;
  /** Absolute path of the log, the database or the folder's main file. */
  path: string;
  /** Working directory, if known without reading the session, as from an index or database row. */
  cwd?: string;
  /** True if the session was archived in its own agent. */
  archived?: boolean;
  /** The output of the user's own reader program about the session; absent for all other agents. */
  printed?: {
    /** The program, and its arguments before those that Reprise adds. */
    argv: readonly string[];
    /** Absolute paths of the files whose state tells if the session changed. */
    files: readonly string[];
    /** The title; absent if none was printed. */
    title?: string;
    /** Time of the beginning, as the program printed it. */
    created?: unknown;
    /** State of the session's data as the program printed it. Replaces the state of the files. */
    state?: string;
  };
  /** The session's reference, for example in a team's store. @default {`<agent>:<id>`} */
  ref?: string;
  /** Name of the user's other machine that sent the session; absent for sessions of this machine. */
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
  /** The cache of facts that earlier searches read inside files. @default {no cache} */
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
  /** True to read the whole session if its ends do not tell the counts. @default {false} */
  exact?: boolean;
}

/** The choice of events to read from a session, and the functions that get faults and counts. */
export interface AgentReadOptions {
  /** Kinds of events that the caller needs; absent for all. A reader may omit all other kinds. */
  needs?: ReadonlySet<EventKind> | undefined;
  /** Function that gets each diagnostic of the source. */
  report?: Report | undefined;
  /**
   * Gets each passed place at which another process could resume the reading; see
   * {@linkcode AgentReadingOptions.lasting}. Returns false to get no more places.
   *
   * @internal
   */
  onPlace?: ((place: ReadPlace) => boolean) | undefined;
  /** Counts of bytes or rows, to which the reader adds. Complete after the last event. */
  account?: SourceAccount | undefined;
  /**
   * Id of the thread to read, or the first characters of the id; the main thread if absent. The id
   * of any record on a branch names the branch, too.
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
   * Number of last messages that are needed; all if absent. A reader may omit earlier messages if
   * the last items and their seqs do not change.
   */
  last_messages?: number | undefined;
  /** The event before which the last messages are counted. @default {the end} */
  before_seq?: number | undefined;
  /** Signal that stops the reading. */
  signal?: AbortSignal | undefined;
}

/** Options to open a thread that can be read from a saved place. */
export interface AgentReadingOptions extends AgentReadOptions {
  /**
   * True to require places that can be stored as JSON. Another process can continue from a stored
   * place, as long as {@linkcode SessionReading.stands} confirms the place.
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
  /** Minimum number of user and assistant messages, as far as they exist; `Infinity` for all. */
  messages: number;
  /**
   * Maximum number of bytes to read back from the end of the session's file, if that end is
   * sufficient. There may be fewer messages then. @default {no bound}
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
  /** Id of the thread to follow; the main thread if absent. See {@linkcode AgentReadOptions}. */
  thread?: string;
  /** Minimum number of last messages with which the watch begins; all messages if absent. */
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
   * words. An event's text may join lines of strings, and names of fields, of one record. Absent
   * for databases and Markdown histories, and for readers that join texts into one word.
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

/** The threads of a session, opened to be read in their order. */
export interface OpenThreads {
  /** Ids of the threads, the main thread first. */
  readonly ids: readonly string[];
  /** Reads a thread. May omit events that it shares with a thread that was already read. */
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
  /** Reports all damage of the log, and returns an account of every byte. */
  verify(report: Report): Promise<SourceAccount>;
}

/** A log of Reprise in a plain, append-only file. Each line can be read and repaired by itself. */
export interface PlainLog extends Omit<SealedLog, "path"> {
  /** Absolute path of the log. */
  readonly path: string;
  /** Builds the conversation of the log, beginning at the last compaction. */
  conversation(options: AgentConversationOptions): Promise<Conversation>;
  /** Yields the events of the log, then appended ones, until the signal ends the watch. */
  watch(options: AgentWatchOptions): AsyncGenerator<LogEvent[]>;
}

/**
 * Reads one session, whichever agent keeps it. No method changes a byte or a time of a source.
 * Reprise derives what an agent's reader does not implement.
 *
 * @throws {SessionError} From each read or its iterator: `not-found`, `permission`, `io`,
 * `unsupported-source`
 */
export interface SessionReader {
  readonly session: AgentSession;
  /** The log; undefined if the file has the format of another agent. */
  readonly log: PlainLog | SealedLog | undefined;
  /**
   * Returns the summary for a list, if possible from the file's ends. Undefined if the file
   * contains no session.
   */
  summarize(options?: AgentSummaryOptions): Promise<Summary | undefined>;
  /**
   * Reads the events of one thread, numbered from 1. Their `integrity` is "unverified" or
   * "salvaged". `source.id` is the record's own id. Projected by
   * `conversation({reasoning: "include"})`, the events give what the agent would send on resume.
   */
  read(options?: AgentReadOptions): AsyncIterable<readonly LogEvent[]>;
  /**
   * Opens one thread to read it from its beginning or from a saved place. The events are those of
   * {@linkcode SessionReader.read}, but a compaction may lack references to the messages that it
   * keeps. Undefined if this session can only be read from its beginning.
   */
  openReading(options?: AgentReadingOptions): Promise<SessionReading | undefined>;
  /**
   * Reads the events of the last messages. Reads backwards from the end if the format allows this.
   */
  readTail(options: AgentTailOptions): Promise<readonly LogEvent[]>;
  /**
   * Yields the messages of the conversation, oldest first, in batches. They are the messages that
   * the events of {@linkcode SessionReader.read} give. Some readers make messages without events,
   * to save memory. Such a reader delays all messages after a call until it finds the call's
   * result. If no result comes within some 4 million characters, the call counts as unanswered.
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
  /** Returns the files of which the session consists; undefined if they cannot be determined. */
  files(): Promise<SourceFiles | undefined>;
}

/** An agent whose sessions can be read. */
export interface Agent {
  /** Name of the agent on the command line and in references. */
  readonly name: AgentName;
  /**
   * True if a file belongs to this agent, judged by the file's first 64 KiB, then up to 1 MiB. The
   * last line in `head` may be incomplete; its beginning counts, too. The file's name counts only if
   * the bytes decide nothing.
   */
  recognize(path: string, head: Uint8Array): boolean;
  /** Returns the sessions in a file: one in a log, maybe many in a database or a history. */
  sessionsIn(path: string): Promise<AgentSession[]>;
  /** Opens a session. Nothing is read before a method of the reader is called. */
  open(session: AgentSession): SessionReader;
}
