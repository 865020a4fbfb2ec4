/**
 * A session that can be read, wherever it is kept.
 */
import type { SourceAccount } from "../lib/source/agent.ts";
import type { LogEvent } from "../lib/event/envelope.ts";
import type { EventKind } from "../lib/event/payload.ts";
import type { ByteTally, Report } from "../lib/log/diagnostic.ts";
import type { Conversation, ConversationOptions } from "../lib/projection/conversation.ts";
import type { Summary } from "../lib/projection/summary_row.ts";
import { UsageError } from "./_failure.ts";

/** How to read the events of a source. */
export interface SourceOptions {
  needs?: ReadonlySet<EventKind>;
  report?: Report;
  signal?: AbortSignal;
  /** Of another agent's session: a record on the branch to read. */
  thread?: string;
  /** Of another agent's session: filled while reading. */
  account?: SourceAccount;
  /** Of a log: filled while reading. */
  tally?: ByteTally;
}

/** What a source is made of, by what it is: of a log of ours, or of another agent's source. */
export type SourceTally = ByteTally | SourceAccount;

/** A session that can be read. */
export interface SessionSource {
  /** How messages name it. */
  ref: string;
  path: string;
  /** Its id, where it is one of the store's: then it can be gone on with. */
  id?: string;
  /** The event that the reference names. */
  seq?: number;
  summary(exact?: boolean): Promise<Summary>;
  events(options?: SourceOptions): AsyncIterable<readonly LogEvent[]>;
  /** The events of at least so many last messages, where the format lets a reader work from the end. */
  tail?(messages: number, options?: SourceOptions): Promise<readonly LogEvent[]>;
  conversation(
    options: Omit<ConversationOptions, "partial"> & { report?: Report; thread?: string },
  ): Promise<Conversation>;
  /** Reports all that is wrong; says what every byte or row is. */
  verify(report: Report): Promise<SourceTally>;
  /** Of another agent's session: the files that hold it alone; none where a database holds it. */
  files?(): Promise<string[]>;
  /** The command line that goes on with it in its own agent. */
  resumeCommand?(): readonly string[] | undefined;
}

/** Whether another agent keeps the session. */
export function isForeign({ resumeCommand }: SessionSource): boolean {
  return resumeCommand !== undefined;
}

/** Refuses to choose a branch where there is only one. */
export function assertBranches(source: SessionSource): void {
  if (isForeign(source)) return;
  throw new UsageError(
    "--thread is for other agents' sessions; those that Reprise keeps have none",
  );
}
