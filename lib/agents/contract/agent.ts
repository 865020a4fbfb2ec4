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

/** The session of a sub-agent. */
export interface Subagent extends AgentSession {
  /** The thread that started it. */
  parent: string;
}

export interface LocateOptions {
  /**
   * Give sub-agents' sessions too, which are threads of others that are there: to find one by its id.
   * @default {false}
   */
  subagents?: boolean;
  /** The cache of facts from inside of files. @default {no cache} */
  facts?: LocatedFacts | undefined;
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
  /** Kinds that are wanted: a reader may leave out others, and not even parse them. */
  needs?: ReadonlySet<EventKind> | undefined;
  /** Gets what is wrong in the source. */
  report?: Report | undefined;
  /**
   * Gets places that are passed, if they are lasting; see {@linkcode AgentReadingOptions}. Returns
   * false to get no more.
   *
   * @internal
   */
  onPlace?: ((place: ReadPlace) => boolean) | undefined;
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
   * True to read the events of all branches of a log of Reprise. Copies need them. Other sources
   * ignore it.
   */
  all_branches?: boolean | undefined;
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

/** Options to open a read that can begin again. */
export interface AgentReadingOptions extends AgentReadOptions {
  /**
   * True to require places that are JSON. Another process can continue from one, as long as
   * {@linkcode SessionReading.stands} confirms it.
   * @default {false}
   */
  lasting?: boolean | undefined;
}

/** Options to read all threads of a session. */
export interface AgentThreadsOptions extends Omit<AgentReadOptions, "thread" | "account"> {
  /** The events of the main thread, where these are read in another way. @default {they are read} */
  main?: AsyncIterable<readonly LogEvent[]> | undefined;
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
  /** Gets the faults of the source. */
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

/** The files that a session is read from. While they are unchanged, so is the session. */
export interface SourceFiles {
  /** Absolute paths, the session's own first. */
  paths: readonly string[];
  /** Paths among them that belong to other sessions, such as a fork's original. @default {none} */
  borrowed?: readonly string[];
  /**
   * Texts that the reader adds to those of the files. Present only if the files hold all others word
   * for word, as JSON. Then their bytes tell what cannot be in the session. A text may be composed of
   * lines of one record's strings, with names of its fields among them. A database, a history in
   * Markdown, and a reader that joins texts to one word have none.
   */
  added_words?: string;
}

/** Events of one thread. */
export interface ThreadEvents {
  /** The thread's id. */
  thread: string;
  /** The next of its events. */
  events: readonly LogEvent[];
}

/** The threads of a session, opened to be read in their order. */
export interface OpenThreads {
  /** Their ids, the main one first. */
  readonly ids: readonly string[];
  /** Reads a thread; what it shares with one that was read may be left out. */
  read(id: string): AsyncIterable<readonly LogEvent[]>;
}

/** A log of Reprise in an encrypted file: read from its beginning, and never continued. */
export interface SealedLog {
  /** Absent, because its lines have no file. */
  readonly path?: undefined;
  /**
   * Reads its bytes. Chunks may be used until the next one is asked for.
   *
   * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `encrypted`, `damaged`
   */
  bytes(): AsyncIterable<Uint8Array>;
  /** Reports all that is wrong in it, and accounts for every byte. */
  verify(report: Report): Promise<SourceAccount>;
}

/** A log of Reprise. It is append-only, and each line can be read by itself, and mended. */
export interface PlainLog extends Omit<SealedLog, "path"> {
  /** Absolute path of its file. */
  readonly path: string;
  /** Builds its conversation from the last compaction on. */
  conversation(options: AgentConversationOptions): Promise<Conversation>;
  /** Yields its events, then appended ones, until the signal. */
  watch(options: AgentWatchOptions): AsyncGenerator<LogEvent[]>;
}

/**
 * Reads one session, whichever agent keeps it. Nothing that it does changes a byte or a time of a
 * source. What an agent does not implement, the engine derives.
 *
 * @throws {SessionError} From each read or its iterator: `not-found`, `permission`, `io`,
 * `unsupported-source`
 */
export interface SessionReader {
  readonly session: AgentSession;
  /** Its log; undefined where its file has another agent's format. */
  readonly log: PlainLog | SealedLog | undefined;
  /**
   * Returns the summary that a list shows: from head and tail wherever the format allows. Undefined
   * when there is no session in it.
   */
  summarize(options?: AgentSummaryOptions): Promise<Summary | undefined>;
  /**
   * Reads one thread as our events, seq from 1, `integrity` "unverified" or "salvaged", `source.id`
   * the record's own id. Folding `conversation({reasoning: "include"})` over them gives what the
   * agent itself would send on resume.
   */
  read(options?: AgentReadOptions): AsyncIterable<readonly LogEvent[]>;
  /**
   * Opens a read of one thread that can begin again at places in it. Its events are those of
   * {@linkcode SessionReader.read}, but a compaction may not name what it keeps. Undefined where
   * this session can be read from its beginning alone.
   */
  openReading(options?: AgentReadingOptions): Promise<SessionReading | undefined>;
  /**
   * Reads the events of the last messages: from the end, if the format lets a reader work from there.
   */
  readTail(options: AgentTailOptions): Promise<readonly LogEvent[]>;
  /**
   * Reads the messages of the conversation, oldest first, in batches. They are those of folding
   * {@linkcode SessionReader.read}. Some agents' readers make them without events in between, and
   * hold few of them. There, what follows a call waits for its result until some 4 million characters
   * do; then the call is unanswered.
   */
  messages(options?: AgentConversationOptions): AsyncIterable<readonly Message[]>;
  /**
   * Returns the threads of the session, the main one first: other branches and roots, subagents, what
   * a rewind cut off. Each is read by {@linkcode SessionReader.read} with its id.
   */
  threads(): Promise<SessionThread[]>;
  /**
   * Reads the events of all threads, each record once. Branches begin with the records of the thread
   * that they left. These are not given again.
   */
  readThreads(options?: AgentThreadsOptions): AsyncIterable<ThreadEvents>;
  /**
   * Reads the tokens of every response, of all threads, in the order of the records. A response that
   * is recorded more than once comes more than once, under one key.
   */
  usage(): AsyncIterable<readonly ResponseUsage[]>;
  /** Returns the files that the session is read from; undefined where that cannot be told. */
  files(): Promise<SourceFiles | undefined>;
}

/** An agent whose sessions can be read. */
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
  /** Opens a session. Nothing is read before it is asked for. */
  open(session: AgentSession): SessionReader;
}
