/**
 * The items of a transcript: what a person saw, one item at a time.
 *
 * @module
 */
import type { Integrity } from "../../event/envelope.ts";
import type { CallStatus, Content, Output } from "../../event/message.ts";
import type { ContextSource, DiffLine, PayloadByKind } from "../../event/payload.ts";

/** One thing that a person saw. Its `type` says which fields it has. */
export type TranscriptItem =
  & {
    /** Number of the item's first event. */
    seq: number;
    /**
     * The id of the item's record, as in `REF@ID`. In a session that another program wrote, this is
     * the record's own id or the byte offset of its line.
     */
    id?: string;
    /** Number of the event that ended the call. Absent if there is no call or no recorded end. */
    end_seq?: number;
    /** Time of the item's first event in ISO 8601, UTC. Absent if the event has none. */
    time?: string;
    /** The turn that the item belongs to; absent between turns. */
    turn_id?: string;
    /** The worst integrity of the item's events. */
    integrity: Integrity;
  }
  & (
    | {
      type: "session";
      session: PayloadByKind["session_started"];
    }
    /** The instructions that the agent loaded. */
    | {
      type: "context";
      /** One entry for each file, without its text. Files that could not be read are included. */
      sources: ContextSource[];
    }
    | {
      type: "message";
      role: "user" | "assistant";
      /** The content that the user saw. An empty answer is an item only if it was interrupted. */
      content: Content;
      /** The id that reasoning, text and calls of one response share; absent on user messages. */
      message_id?: string;
      model?: string;
      /** True if the answer was cut off. `content` is what was shown until then. */
      interrupted?: boolean;
      reason?: string;
    }
    /** A text or a file that only the model got: a mentioned file, a selection, a reminder. */
    | {
      type: "attached";
      /** The path of the file, or a short description of the text. */
      name: string;
      content: Content;
    }
    /** A text that the agent's program showed the user, such as an error of the provider. */
    | {
      type: "notice";
      title: string;
      /** The notice's full text, which may be empty. */
      text: string;
      level?: "error";
    }
    | {
      type: "reasoning";
      /** The part of the reasoning that the provider shows; never empty. */
      text: string;
    }
    | {
      type: "tool";
      /** The id that start and end of the call share; not unique in a session. */
      call_id: string;
      name: string;
      /** The input; absent if the call's start was not recorded and its end has no input. */
      input?: unknown;
      /**
       * The state of the call. `unsettled`: no end was recorded before the turn ended, or before
       * too many characters followed. `not_run`: the call was declared, but never started. An
       * unsettled call has no `output` and no `error`.
       */
      status: CallStatus | "unsettled" | "not_run";
      /** The tool's output; absent if there was none. A single text is a string. */
      output?: Output;
      error?: string;
      duration_ns?: number;
      truncated?: boolean;
      /** Lines that the agent displayed for the call, at its start and at its end. */
      captions?: string[];
      /** True if only the end was recorded, and not the start. */
      orphan?: boolean;
    }
    | {
      type: "bash";
      /** The id that start and end of the call share; not unique in a session. */
      call_id: string;
      /** The command line, verbatim; may have several lines. */
      command: string;
      /** The purpose of the command, in a few words. */
      summary?: string;
      /** The sender of the command. Absent if the log has no `bash_start` for the command. */
      origin?: "model" | "user";
      /** The state of the command. An unsettled command has no outputs and no exit code. */
      status: CallStatus | "unsettled" | "not_run";
      /** Standard output, possibly mixed with standard error. A single text is a string. */
      output?: Output;
      /** Standard error; absent if `output` includes it. */
      error?: string;
      /** The exit code; absent if the command did not end by itself. */
      exit_code?: number;
      duration_ns?: number;
      truncated?: boolean;
      /** Lines that the agent displayed for the command, at its start and at its end. */
      captions?: string[];
      /** True if only the end was recorded, and not the start. */
      orphan?: boolean;
    }
    | {
      type: "diff";
      call_id?: string;
      /** The changed file, absolute or relative to the working directory; absent if not known. */
      path?: string;
      lines: DiffLine[];
    }
    /** A compaction replaced the conversation. Earlier items remain in the transcript. */
    | {
      type: "compaction";
      /** The status line that the user saw; may be empty. */
      status: string;
      /** The text that replaces the earlier messages for the model; absent if messages replace them. */
      summary?: string;
      tokens_before?: number;
      tokens_after?: number;
      /** The user's instruction about what the compaction keeps. Absent if there was none. */
      guidance?: string;
      /** `manual`: the user started the compaction. `auto`: the agent did. Absent if not known. */
      trigger?: "manual" | "auto";
    }
    /** The messages for the model were replaced by others, without a compaction. */
    | {
      type: "replaced";
      reason: string;
      messages: number;
    }
    /** The session continued from an earlier event. The events between are on another branch. */
    | {
      type: "branched";
      /** Number of the event that the later events continue. */
      from_seq: number;
      reason?: string;
    }
    /** A turn ended without an answer. */
    | {
      type: "failure";
      /** `cancelled` if the turn was stopped on purpose, else `error`. */
      reason: "error" | "cancelled";
      /** The message that the user saw; may be empty. */
      message: string;
    }
    | {
      type: "closed";
      /** `failed` if the program was stopped, or something went wrong. */
      status: "completed" | "failed";
      /** The exit code of the program; absent if the program did not end. */
      exit_code?: number;
      summary?: string;
    }
    /** An event of a known kind whose payload is not valid for the kind. */
    | {
      type: "unreadable";
      /** The event's kind, such as `user_message`. */
      kind: string;
      /** The fault of the payload and its place, such as `payload.content is not a string`. */
      reason: string;
      payload: unknown;
    }
    /** A raw record of an agent that no other item shows. Requires the option `extensions`. */
    | {
      type: "extension";
      agent: string;
      /** The type of the record, in the agent's own word. */
      name: string;
      data: unknown;
    }
  );

type ItemOf<Type extends TranscriptItem["type"]> = Extract<TranscriptItem, { type: Type }>;

export type SessionItem = ItemOf<"session">;
export type ContextItem = ItemOf<"context">;
export type MessageItem = ItemOf<"message">;
export type AttachedItem = ItemOf<"attached">;
export type NoticeItem = ItemOf<"notice">;
export type ReasoningItem = ItemOf<"reasoning">;
export type ToolItem = ItemOf<"tool">;
export type BashItem = ItemOf<"bash">;
export type DiffItem = ItemOf<"diff">;
export type CompactionItem = ItemOf<"compaction">;
export type ReplacedItem = ItemOf<"replaced">;
export type BranchedItem = ItemOf<"branched">;
export type FailureItem = ItemOf<"failure">;
export type ClosedItem = ItemOf<"closed">;
export type UnreadableItem = ItemOf<"unreadable">;
export type ExtensionItem = ItemOf<"extension">;

export type ItemBase = Pick<
  TranscriptItem,
  "seq" | "id" | "end_seq" | "time" | "turn_id" | "integrity"
>;

export type ItemStatus = ToolItem["status"];

const TRUST: readonly Integrity[] = ["verified", "unverified", "salvaged", "mismatch"];

export function worseIntegrity(one: Integrity, other: Integrity): Integrity {
  return TRUST.indexOf(one) > TRUST.indexOf(other) ? one : other;
}
