/**
 * The contract of a reader of one agent's sessions: where they are, what a list shows of one, its
 * threads, and its records as our events, by that agent's own rules.
 *
 * @module
 */
import type { AgentName } from "../event/agent_name.ts";
import type { LogEvent } from "../event/envelope.ts";
import type { Message } from "../event/message.ts";
import type { EventKind } from "../event/payload.ts";
import type { Report } from "../log/diagnostic.ts";
import type { Conversation, ConversationOptions } from "../projection/conversation.ts";
import type { Summary } from "../projection/summary_row.ts";
import type { Expiry } from "./expiry.ts";
import type { ResponseUsage } from "./response_usage.ts";
import type { SessionThread } from "./session_thread.ts";

/** What a reader may know of the machine. It is given, never asked for. */
export interface AgentEnvironment {
  /** The user's home directory. */
  home: string;
  /** Gives an environment variable's value. */
  variable(name: string): string | undefined;
  /** As `Deno.build.os` names it. */
  os: string;
  /** The data root of Reprise's own sessions; absent where none is known. */
  root?: string;
}

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
}

/** Which sessions to look for. */
export interface LocateOptions {
  /** Leave out folders that cannot hold sessions of this directory. A hint: more may come. */
  cwd?: string;
  /**
   * Give sub-agents' sessions too, which are threads of others that are there: to find one by its id.
   * @default {false}
   */
  subagents?: boolean;
}

/**
 * Where every byte (of a file) or row (of a database) of a session went. `total` is the sum of all
 * others; nothing is dropped silently.
 */
export interface SourceAccount {
  /** What is counted: bytes of a file, or rows of a database. */
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

/** How to read a session. */
export interface AgentReadOptions {
  /**
   * Kinds that are wanted: a reader may leave out others, and not even parse them. Where only the
   * head, titles and answers are wanted, seqs may be those of what is left.
   */
  needs?: ReadonlySet<EventKind>;
  /** Gets what is wrong in the source. */
  report?: Report;
  /** Filled while reading. */
  account?: SourceAccount;
  /**
   * Another thread than the main one: its id, or the first characters of it; where a thread is a
   * branch, also the id of any record on it.
   */
  thread?: string;
  /**
   * Only what the conversation is made of: a reader may leave out what the compaction in force
   * replaced, and not even read it. Seqs are then those of what is left.
   */
  in_force?: boolean;
  /**
   * So many last messages are enough: a reader may leave out what stands before them, where the
   * items of the rest are those that the whole ends with, with the same seqs.
   */
  last_messages?: number;
  /** Stops reading. */
  signal?: AbortSignal;
}

/** Which end of a session to read. */
export interface AgentTailOptions extends AgentReadOptions {
  /** At least so many user and assistant messages, where there are as many. */
  messages: number;
}

/** How to read a conversation. */
export interface AgentConversationOptions
  extends
    Omit<ConversationOptions, "partial">,
    Pick<AgentReadOptions, "report" | "thread" | "signal"> {
}

/** How to follow a session as it is written. */
export interface AgentWatchOptions {
  /** Ends the watch. */
  signal?: AbortSignal;
  /** Gets what is wrong in what is read. */
  report?: Report;
  /** Called once, when all that was there has been given. */
  onCaughtUp?: () => void;
}

/** Where all texts of a session stand word for word, as JSON. */
export interface VerbatimSource {
  /** Absolute paths. */
  paths: readonly string[];
  /** What the reader says in words of its own around those of the files. */
  added_words: string;
}

/** A reader of one agent's sessions. Nothing that it does changes a byte or a time of a source. */
export interface Agent {
  /** Its name on the command line and in references. */
  readonly name: AgentName;
  /** As its makers call it. */
  readonly title: string;
  /** Finds sessions by folders and indexes, without reading logs. Roots that are missing are no error. */
  locate(environment: AgentEnvironment, options?: LocateOptions): AsyncIterable<AgentSession>;
  /**
   * Whether a file is one of this agent's, from its first bytes (up to 64 KiB) and, only where these
   * cannot tell, from its name.
   */
  recognize(path: string, head: Uint8Array): boolean;
  /** The sessions in a file that was named: one of a log, many of a database or a history. */
  sessionsIn(path: string): Promise<AgentSession[]>;
  /**
   * What a list shows: from head and tail wherever the format allows. Undefined when there is no
   * session in it. `exact` reads all of it to tell the counts.
   *
   * @throws {SessionError} `permission`, `io`, `unsupported-source`
   */
  summarize(session: AgentSession, options?: { exact?: boolean }): Promise<Summary | undefined>;
  /**
   * The session as our events, seq from 1, `integrity` "unverified" or "salvaged", `source.id` the
   * record's own id. Folding `conversation({reasoning: "include"})` over them gives what the agent
   * itself would send on resume.
   *
   * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
   */
  read(session: AgentSession, options?: AgentReadOptions): AsyncIterable<readonly LogEvent[]>;
  /**
   * The threads of a session, the main one first: other branches and roots, subagents, what a rewind
   * cut off. Each is read by {@linkcode Agent.read} with its id. Without this method a session has
   * only its main thread.
   *
   * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
   */
  threads?(session: AgentSession): Promise<SessionThread[]>;
  /**
   * The tokens of every response that the session's files record, those of all threads, in the order
   * of the records. A response that is recorded more than once comes more than once, under one key.
   * Without this method they are folded from the events of every thread.
   *
   * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
   */
  usage?(session: AgentSession): AsyncIterable<readonly ResponseUsage[]>;
  /** The conversation, where the format gives a quicker way than folding {@linkcode Agent.read}. */
  conversation?(session: AgentSession, options: AgentConversationOptions): Promise<Conversation>;
  /**
   * Reports all that is wrong in a session, and accounts for every byte or row. Without this method
   * reading all of it does.
   */
  verify?(session: AgentSession, report: Report): Promise<SourceAccount>;
  /**
   * The session's log, where its file is one of Reprise's format: it is only appended to, its lines
   * can be read by themselves, and its bytes can be copied, forked and repaired. Undefined for all
   * other formats.
   */
  log?(session: AgentSession): string | undefined;
  /** The events of a session, and then those that are appended, until the signal. */
  watch?(session: AgentSession, options: AgentWatchOptions): AsyncGenerator<LogEvent[]>;
  /**
   * The messages of the conversation, oldest first, in batches: the same as of folding {@linkcode
   * Agent.read}, without events in between, and without anybody having to hold all of them.
   *
   * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
   */
  messages?(
    session: AgentSession,
    options?: AgentConversationOptions,
  ): AsyncIterable<readonly Message[]>;
  /** The last messages, where the format lets a reader work from the end. */
  readTail?(session: AgentSession, options: AgentTailOptions): Promise<readonly LogEvent[]>;
  /**
   * The files whose bytes tell what cannot be in a session. Undefined, as where an agent lacks this,
   * where only reading tells: of a database, whose pages cut texts anywhere, of a history in Markdown,
   * or where a reader joins texts to one word.
   */
  verbatim?(session: AgentSession): Promise<VerbatimSource | undefined>;
  /**
   * The files that a session is read from: while they are as they were, so is it. Undefined where
   * that cannot be told. Without this, they are those that hold its texts verbatim, or else what the
   * names of its file and folder tell.
   */
  stateFiles?(session: AgentSession): Promise<readonly string[] | undefined>;
  /**
   * The rule by which the agent deletes its sessions, by its settings as they are for one that starts
   * in `cwd`; undefined where it deletes none. An agent without this never deletes any by itself.
   */
  expiry?(environment: AgentEnvironment, cwd?: string): Expiry | undefined;
  /** The command line that goes on with it in the agent itself. */
  resumeCommand(session: AgentSession): readonly string[] | undefined;
}
