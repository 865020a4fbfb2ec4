/** Makes a session's reader from the methods that its agent implements, and derives the others. */
import type { LogEvent } from "../../core/event/envelope.ts";
import type { Message } from "../../core/event/message.ts";
import type { ResponseUsage } from "../../core/projection/response_usage.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import type {
  Agent,
  AgentConversationOptions,
  AgentReadingOptions,
  AgentReadOptions,
  AgentSession,
  AgentSummaryOptions,
  AgentTailOptions,
  AgentThreadsOptions,
  OpenThreads,
  SessionReader,
  SourceFiles,
  ThreadEvents,
} from "../contract/agent.ts";
import type { SessionReading } from "../contract/session_reading.ts";
import { MAIN_THREAD, type SessionThread } from "../../core/projection/session_thread.ts";
import { filesByName } from "./files/session_files.ts";
import { foldConversation } from "./fold_conversation.ts";
import { foldUsage } from "./fold_usage.ts";
import { readThreads } from "./threads.ts";

/** A method of `SessionReader` as a function that also takes the session. */
type Read<
  Name extends "summarize" | "read" | "openReading" | "readTail" | "messages" | "threads" | "usage",
> = (
  session: AgentSession,
  ...options: Required<Parameters<SessionReader[Name]>>
) => ReturnType<SessionReader[Name]>;

/**
 * The methods of {@linkcode SessionReader} that an agent implements. The engine derives absent
 * methods from the others, in the end from `read`.
 */
export interface AgentReads {
  summarize: Read<"summarize">;
  read: Read<"read">;
  openReading?: Read<"openReading">;
  /**
   * True if other processes can resume a read. See {@linkcode AgentReadingOptions}.
   * @default {false}
   */
  has_lasting_places?: boolean;
  readTail?: Read<"readTail">;
  messages?: Read<"messages">;
  threads?: Read<"threads"> | undefined;
  /** Opens all threads together, so that each file is read only about once. */
  openThreads?:
    | ((session: AgentSession, options: AgentThreadsOptions) => Promise<OpenThreads>)
    | undefined;
  usage?: Read<"usage">;
  /** Returns the session's files. Without this method, the files are found by their names. */
  files?(session: AgentSession): SourceFiles | undefined | Promise<SourceFiles | undefined>;
  log?(session: AgentSession): SessionReader["log"];
}

export function deriveReader(reads: AgentReads): Agent["open"] {
  return (session) => new DerivedReader(reads, session);
}

/** A reader with defaults for missing methods. A class takes little memory for 100,000 readers. */
class DerivedReader implements SessionReader {
  readonly session: AgentSession;
  readonly #reads: AgentReads;

  constructor(reads: AgentReads, session: AgentSession) {
    this.#reads = reads;
    this.session = session;
  }

  get log(): SessionReader["log"] {
    return this.#reads.log?.(this.session);
  }

  summarize(options: AgentSummaryOptions = {}): Promise<Summary | undefined> {
    return this.#reads.summarize(this.session, options);
  }

  read({ onPlace, ...options }: AgentReadOptions = {}): AsyncIterable<readonly LogEvent[]> {
    const { read, has_lasting_places = false } = this.#reads;
    return read(this.session, has_lasting_places ? { ...options, onPlace } : options);
  }

  async openReading(
    options: AgentReadingOptions = {},
  ): Promise<SessionReading | undefined> {
    const { openReading, has_lasting_places = false } = this.#reads;
    if (options.lasting === true && !has_lasting_places) return undefined;
    return await openReading?.(this.session, options);
  }

  async readTail(options: AgentTailOptions): Promise<readonly LogEvent[]> {
    return await this.#reads.readTail?.(this.session, options) ??
      (await Array.fromAsync(this.read(options))).flat();
  }

  async *messages(options: AgentConversationOptions = {}): AsyncGenerator<readonly Message[]> {
    const messages = this.#reads.messages?.(this.session, options);
    if (messages === undefined) yield (await foldConversation(this, options)).messages;
    else yield* messages;
  }

  async threads(): Promise<SessionThread[]> {
    return await this.#reads.threads?.(this.session) ??
      [{ id: MAIN_THREAD, kind: "main", records: 0 }];
  }

  async *readThreads(
    { main, ...options }: AgentThreadsOptions = {},
  ): AsyncGenerator<ThreadEvents> {
    yield* readThreads(
      await this.#reads.openThreads?.(this.session, options) ?? {
        ids: (await this.threads()).map(({ id }) => id),
        read: (thread) => this.read({ ...options, thread }),
      },
      main,
    );
  }

  usage(): AsyncIterable<readonly ResponseUsage[]> {
    return this.#reads.usage?.(this.session) ?? foldUsage(this);
  }

  async files(): Promise<SourceFiles | undefined> {
    const { files = filesByName } = this.#reads;
    return await files(this.session);
  }
}
