/** The options of a store and of the sessions that it begins and reads. */
import type { PayloadByKind } from "../event/payload.ts";
import type { ConversationOptions } from "../projection/conversation/conversation.ts";
import type { Durability } from "./session_parts.ts";

/** Facts about a new session, such as its directory, program and title, and an optional id. */
export type CreateOptions = Omit<PayloadByKind["session_started"], "session_id" | "created_at"> & {
  /**
   * The session's id: 4 to 64 letters, digits, `-`, `_` and single dots, such as
   * `2025-11-19_abc123`. If a session has this id, `create` or the first append throws `exists`.
   * Case is ignored. After a kill in the first append, `resume` opens a session without messages or
   * throws `not-found`. After `not-found`, `create` throws `exists` until the id is free, within a
   * minute: try again.
   *
   * @default {what `newId` of the store returns}
   */
  id?: string | undefined;
};

/** Options of a subagent's session: those of a new session, in the same directory. */
export type SubagentOptions = Omit<CreateOptions, "cwd" | "parent">;

/** Options of `openStore`: the store's folder, durability, clock and ids. */
export interface StoreOptions {
  /** The folder that holds the store. @default {$REPRISE_HOME, else the user's state folder} */
  root?: string | undefined;
  /** The moment when an append resolves. @default {"boundary"} */
  durability?: Durability | undefined;
  /** Returns the present time. @default {the system's clock} */
  now?: (() => Date) | undefined;
  /** Returns the id of a new session, in the form of `CreateOptions.id`. @default {UUID v4} */
  newId?: (() => string) | undefined;
  /**
   * True if a reference must be a whole id, for example because ids are names of users. `1234` then
   * never means a session whose UUID begins with `1234`. `Ada` never means `ada`. The option holds
   * for all methods of the store, and for `resumeSubagent`.
   *
   * @default {false: the first characters of a UUID are enough}
   */
  whole_ids?: boolean | undefined;
}

/** Options of a store's `fork`: the last event to copy, and the new session's id and title. */
export interface ForkOptions {
  /** The fork's id, as `CreateOptions.id`. @default {what `newId` of the store returns} */
  id?: string | undefined;
  /** Number of the last event to copy. @default {the last one} */
  seq?: number | undefined;
  /** The fork's title. @default {the title given to the original, else the fork's first prompt} */
  title?: string | undefined;
}

/** Options of a store's `events`: whether to include abandoned branches. */
export interface EventsOptions {
  /** `omit` leaves out the events of abandoned branches. @default {"include"} */
  undone?: "include" | "omit" | undefined;
}

/**
 * Options of a store's `load`: what the conversation includes, and a signal. By default, reasoning
 * is left out.
 */
export type ReadConversationOptions = Omit<ConversationOptions, "partial"> & {
  /** Cancels the read, which then throws the signal's reason and leaves no file open. */
  signal?: AbortSignal | undefined;
};
