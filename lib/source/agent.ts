/**
 * The contract of an agent's reader. It recognizes files, summarizes sessions, lists their threads,
 * and reads their records as events.
 *
 * @module
 */
import type { AgentName } from "../event/agent_name.ts";
import type { LogEvent } from "../event/envelope.ts";
import type { Message } from "../event/message.ts";
import type { EventKind } from "../event/payload.ts";
import type { Report } from "../log/diagnostic.ts";
import type { Conversation, ConversationOptions } from "../projection/conversation/conversation.ts";
import type { Summary } from "../projection/summary_row.ts";
import type { LocatedFacts } from "./located_facts.ts";
import type { ResponseUsage } from "./response_usage.ts";
import type { SessionReading } from "./session_reading.ts";
import type { SessionThread } from "./session_thread.ts";

/** One session of an agent: enough to read it. */
export interface AgentSession {
  /** The agent that keeps it. */
  agent: AgentName;
  /** The id by which the agent itself knows it. */
  id: string;
  /** Absolute path of the log, the database or the folder's main file. */
  path: string;
  /** Working directory, where locating it tells (an index, a database row, a sure folder name). */
  cwd?: string;
  /** Put away by the agent's own archive. */
  archived?: boolean;
  /** Its reference, where agent and id do not make it: of a session from a team's store. */
  ref?: string;
}

/** The sessions to look for. */
export interface LocateOptions {
  /** Leave out folders that cannot hold sessions of this directory. A hint: more may come. */
  cwd?: string;
  /**
   * Give sub-agents' sessions too, which are threads of others that are there: to find one by its id.
   * @default {false}
   */
  subagents?: boolean;
  /** Remembers what was read inside of files. @default {nothing is remembered} */
  facts?: LocatedFacts;
}

/**
 * The account of every byte (of a file) or row (of a database) of a session. `total` is the sum of
 * all others; nothing is dropped silently.
 */
export interface SourceAccount {
  /** The unit that is counted: bytes of a file, or rows of a database. */
  unit: "bytes" | "rows";
  /** The sum of all the others. */
  total: number;
  /** Became events. */
  events: number;
  /** Records that are no part of the talk, by the type that the agent gives them. */
  side: Record<string, number>;
  /** Records of the talk that are not on the branch that was read. */
  dead: number;
  /** Reported as damage. */
  damage: number;
  /** Lines of nothing but white space. */
  blank: number;
}

/** Options to summarize a session. */
export interface AgentSummaryOptions {
  /** True to read all of it, where its edges do not tell the counts. @default {false} */
  exact?: boolean;
}

/** Options to read a session. */
export interface AgentReadOptions {
  /**
   * Kinds that are wanted: a reader may leave out others, and not even parse them. Where only the
   * head, titles and answers are wanted, seqs may be those of what is left.
   */
  needs?: ReadonlySet<EventKind> | undefined;
  /** Gets what is wrong in the source. */
  report?: Report | undefined;
  /** Filled while reading. */
  account?: SourceAccount | undefined;
  /**
   * Another thread than the main one: its id, or the first characters of it. A branch is also named
   * by the id of any record on it.
   */
  thread?: string | undefined;
  /**
   * True to read only events that the conversation is made of. A reader may then skip what the
   * compaction in force replaced. Seqs are those of what is left.
   */
  in_force?: boolean | undefined;
  /**
   * Number of last messages that are enough. A reader may leave out earlier ones, if the rest gives
   * the same last items with the same seqs.
   */
  last_messages?: number | undefined;
  /** The event before which the last messages are counted. @default {the end} */
  before_seq?: number | undefined;
  /** Stops reading. */
  signal?: AbortSignal | undefined;
}

/** The part of a session's end to read. */
export interface AgentTailOptions extends AgentReadOptions {
  /** At least so many user and assistant messages, where there are as many; `Infinity` for all. */
  messages: number;
  /**
   * Look no further back than so many bytes of the session's file, where its end alone tells enough.
   * There may be fewer messages then. @default {no bound}
   */
  most_bytes?: number | undefined;
}

/** Options to read a conversation. */
export interface AgentConversationOptions
  extends
    Omit<ConversationOptions, "partial">,
    Pick<AgentReadOptions, "report" | "thread" | "signal"> {
}

/** Options to follow a session as it is written. */
export interface AgentWatchOptions {
  /** Ends the watch. */
  signal?: AbortSignal;
  /** Gets what is wrong in what is read. */
  report?: Report;
  /** Called once, when all that was there has been given. */
  onCaughtUp?: () => void;
  /** Called where the user went back: prompts that were given are on another branch now. */
  onBranch?: () => void;
  /** Called where prompts that were given are there no more, or say something else now. */
  onRewritten?: () => void;
  /** Another thread than the main one; see {@linkcode AgentReadOptions}. */
  thread?: string;
  /** Number of last messages that are enough to begin with. More may come. */
  last_messages?: number;
}

/**
 * The files that hold all texts of a session word for word, as JSON. A text may be composed of lines
 * of one record's strings. The names of its fields may stand among them.
 */
export interface VerbatimSource {
  /** Absolute paths. */
  paths: readonly string[];
  /** Texts that the reader adds to those of the files. */
  added_words: string;
}

/** The threads of a session, opened to be read in their order. */
export interface OpenThreads {
  /** Their ids, the main one first. */
  readonly ids: readonly string[];
  /** Reads a thread; what it shares with one that was read may be left out. */
  read(id: string): AsyncIterable<readonly LogEvent[]>;
}

/** A reader of one agent's sessions. Nothing that it does changes a byte or a time of a source. */
export interface Agent {
  /** Its name on the command line and in references. */
  readonly name: AgentName;
  /**
   * Tells if a file is one of this agent's, from its first bytes (64 KiB, then up to 1 MiB). The
   * last line in them may be cut, and tells as much as it holds. The file's name counts only if
   * these cannot tell.
   */
  recognize(path: string, head: Uint8Array): boolean;
  /** Returns the sessions in a named file: one of a log, many of a database or a history. */
  sessionsIn(path: string): Promise<AgentSession[]>;
  /**
   * Returns the summary that a list shows: from head and tail wherever the format allows. Undefined
   * when there is no session in it. `exact` reads all of it to tell the counts.
   *
   * @throws {SessionError} `permission`, `io`, `unsupported-source`
   */
  summarize(session: AgentSession, options?: AgentSummaryOptions): Promise<Summary | undefined>;
  /**
   * Reads the session as our events, seq from 1, `integrity` "unverified" or "salvaged",
   * `source.id` the record's own id. Folding `conversation({reasoning: "include"})` over them gives
   * what the agent itself would send on resume.
   *
   * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
   */
  read(session: AgentSession, options?: AgentReadOptions): AsyncIterable<readonly LogEvent[]>;
  /**
   * Opens a read that can begin again at places in the session. Its events are those of
   * {@linkcode Agent.read}, but a compaction may not name what it keeps. Undefined where this session
   * can be read from its beginning alone.
   *
   * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
   */
  openReading?(
    session: AgentSession,
    options: AgentReadOptions,
  ): Promise<SessionReading | undefined>;
  /**
   * True where a session that {@linkcode Agent.openReading} opens has one thread, and its places are
   * JSON. While the session only grows, another process may go on from them. @default {false}
   */
  readonly has_lasting_places?: boolean;
  /**
   * Returns the threads of a session, the main one first: other branches and roots, subagents, what
   * a rewind cut off. Each is read by {@linkcode Agent.read} with its id. Without this method a
   * session has only its main thread.
   *
   * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
   */
  threads?(session: AgentSession): Promise<SessionThread[]>;
  /**
   * Opens the threads of a session, so that reading all of them reads each file about once. Without
   * this method each is read by {@linkcode Agent.read}.
   *
   * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
   */
  openThreads?(
    session: AgentSession,
    options: Pick<AgentReadOptions, "needs" | "report" | "signal">,
  ): Promise<OpenThreads>;
  /**
   * Reads the tokens of every response in the session's files, of all threads, in the order of the
   * records. A response that is recorded more than once comes more than once, under one key.
   * Without this method they are folded from the events of every thread.
   *
   * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
   */
  usage?(session: AgentSession): AsyncIterable<readonly ResponseUsage[]>;
  /**
   * Reads the conversation, if the format gives a quicker way than folding {@linkcode Agent.read}.
   */
  conversation?(session: AgentSession, options: AgentConversationOptions): Promise<Conversation>;
  /**
   * Reports all that is wrong in a session, and accounts for every byte or row. Without this method
   * reading all of it does.
   */
  verify?(session: AgentSession, report: Report): Promise<SourceAccount>;
  /**
   * Returns the session's log, if its file has Reprise's format. Such a log is append-only, and
   * each line can be read by itself. Its bytes can be copied, forked and repaired. Undefined for
   * all other formats.
   */
  log?(session: AgentSession): string | undefined;
  /**
   * Reads the bytes of the session's log, where the file holds it encrypted. Such a file is read from
   * its beginning, and never continued.
   *
   * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `encrypted`, `damaged`
   */
  bytes?(session: AgentSession): AsyncIterable<Uint8Array>;
  /** Yields the events of a session, then appended ones, until the signal. */
  watch?(session: AgentSession, options: AgentWatchOptions): AsyncGenerator<LogEvent[]>;
  /**
   * Reads the messages of the conversation, oldest first, in batches. They are those of folding
   * {@linkcode Agent.read}, without events in between, and nobody has to hold all of them.
   * What follows a call waits for its result until some 4 million characters do; then the call is
   * unanswered.
   *
   * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
   */
  messages?(
    session: AgentSession,
    options?: AgentConversationOptions,
  ): AsyncIterable<readonly Message[]>;
  /** Reads the last messages, if the format lets a reader work from the end. */
  readTail?(session: AgentSession, options: AgentTailOptions): Promise<readonly LogEvent[]>;
  /**
   * Returns the files whose bytes tell what cannot be in a session. Undefined if only reading
   * tells, as for an agent without this. Examples are a database, whose pages cut texts anywhere,
   * and a history in Markdown. Another is a reader that joins texts to one word.
   */
  verbatim?(session: AgentSession): Promise<VerbatimSource | undefined>;
  /**
   * Returns the files that a session is read from: while they are as they were, so is it. Undefined
   * where that cannot be told. The default is the files with its texts verbatim, else those that
   * its file's and folder's names tell.
   */
  stateFiles?(session: AgentSession): Promise<readonly string[] | undefined>;
  /**
   * Reads what travelled with the calls of a session that was handed over. The function returns the
   * key `reprise` of a call's record. Without this method the lines of its files are searched.
   *
   * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
   */
  handedOriginals?(session: AgentSession): (call_id: string) => unknown;
}
