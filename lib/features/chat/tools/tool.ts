/**
 * The interface of the chat's tools.
 *
 * @module
 */
import type { CallStatus } from "../../../../mod.ts";
import type { PayloadByKind } from "../../../../mod.ts";
import type { ToolDefinition } from "../models/model.ts";

export interface ToolContext {
  cwd: string;
  signal: AbortSignal;
  onOutput?: (text: string) => void;
}

export interface ToolOutcome {
  /** `interrupted` if the signal ended the call. */
  status: CallStatus;
  output?: string;
  /** The reason of the failure, in words for the model and the user. */
  error?: string;
  truncated?: boolean;
  /** The exit code of a command that ended by itself. */
  exit_code?: number;
  /** The change to show, stored in the log and not sent to the model. */
  diff?: Omit<PayloadByKind["diff"], "call_id">;
  /** Path of the changed file, for the turn's workspace snapshot. */
  touched?: string;
}

export interface ToolQuestion {
  /** The reason for the question, without a final period, such as `runs a command`. */
  reason: string;
  /** Name for the group of calls that the answer `always` allows. @default {the tool's name} */
  scope?: string;
}

/** A tool. It never throws: failures are outcomes. */
export interface ChatTool {
  readonly definition: ToolDefinition;
  /** The form of logged calls. `bash`: a command, from `input.command`. @default {"tool"} */
  readonly keeps?: "tool" | "bash";
  /** Returns the call's title for the user, such as the command or the path. */
  title(input: unknown): string;
  /** Returns the question to the user before a call, or undefined if none is needed. */
  asks?(input: unknown, cwd: string): ToolQuestion | undefined;
  run(input: unknown, context: ToolContext): Promise<ToolOutcome>;
}
