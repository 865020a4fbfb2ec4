/**
 * Callbacks by which a chat informs the program that displays it.
 *
 * @module
 */
import type { TranscriptItem } from "../../mod.ts";
import type { AskedText } from "./asked_text.ts";
import type { ModelDelta } from "./models/model.ts";

export type { AskedText } from "./asked_text.ts";

/** The subject of a notice. */
export type NoticeCode =
  /** Events cannot be written for now; said once. The chat goes on and keeps them in memory. */
  | "saving-failed"
  /** All that was kept back is written; said once after `saving-failed`. */
  | "saving-works"
  /** The session ends, and some events could not be written. */
  | "not-saved"
  /** The work tree is on another branch than when the session stopped. */
  | "branch-changed"
  /** A request to the model failed and is tried again. */
  | "retrying"
  /** The conversation is being summarized, because the window is nearly full. */
  | "compacting"
  /** It could not be: the chat goes on with what it has. */
  | "compaction-failed";

/** Something to tell the user that is no part of the log. */
export interface Notice {
  /** The subject of the notice. */
  code: NoticeCode;
  /** In words, without a final period. Not sanitized: it may quote a file name or a server. */
  message: string;
}

/** A call that is being made. It becomes an item once it is settled. */
export interface CallUnderWay {
  /** Ties it to its output and to its item. */
  call_id: string;
  /** The tool's name. */
  name: string;
  /** The input as the model wrote it. */
  input: unknown;
  /** One line for a person: the command, or the path. Not sanitized. */
  title: string;
}

/** A call that the user has to allow. */
export interface PermissionRequest extends CallUnderWay, AskedText {
  /** Why it asks, without a final period: `runs a command`. */
  reason: string;
  /** The calls that `always` allows from then on, until the chat ends: `bash`. */
  scope: string;
}

/** The user's answer. `always` holds for the scope that the request names, until the chat ends. */
export type Permission = "yes" | "no" | "always";

/** Asks the user; never kept. Reject, or answer `no`, when the signal aborts. */
export type Permit = (request: PermissionRequest, signal: AbortSignal) => Promise<Permission>;

/**
 * The program's side of a chat. What is given to `onItem` equals the log. An item comes in the
 * order of the transcript, when nothing can change it any more. All else is live, and shown only
 * until its item comes. No text is sanitized.
 */
export interface ChatView {
  /** Shows a settled item, as a reader of the log gets it (except the head of the session). */
  onItem(item: TranscriptItem): void;
  /** Shows a fragment of the response under way. */
  onDelta?(delta: ModelDelta): void;
  /** Ends the response under way: its items have come, or it is tried again from the start. */
  onResponseEnd?(): void;
  /** Shows that a call begins. */
  onCall?(call: CallUnderWay): void;
  /** Shows output of a running command. */
  onOutput?(call_id: string, text: string): void;
  /** Shows a notice that is no part of the log. */
  onNotice?(notice: Notice): void;
}
