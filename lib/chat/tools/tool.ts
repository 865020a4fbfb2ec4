/**
 * The interface of the chat's tools.
 *
 * @module
 */
import type { CallStatus } from "../../../mod.ts";
import type { DiffPayload } from "../../pipeline/mod.ts";
import type { ToolDefinition } from "../models/model.ts";

/** The facts a tool may use while it runs. */
export interface ToolContext {
  /** Working directory: relative paths begin here. */
  cwd: string;
  /** Ends the call at once. */
  signal: AbortSignal;
  /** Gets output as it comes. */
  onOutput?: (text: string) => void;
}

/** The outcome of a call. */
export interface ToolOutcome {
  /** `interrupted` where the signal ended it. */
  status: CallStatus;
  /** The output; absent where it gave nothing. */
  output?: string;
  /** Why it failed, in words for model and user. */
  error?: string;
  /** True if `output` is cut. */
  truncated?: boolean;
  /** The exit code of a command that ended by itself. */
  exit_code?: number;
  /** The change as it is shown; kept in the log, and not told to the model. */
  diff?: Omit<DiffPayload, "call_id">;
  /** The file that was changed, as the snapshot of the turn lists it. */
  touched?: string;
}

/** A question to the user before a call is made. */
export interface ToolQuestion {
  /** Why it asks, without a final period: `runs a command`. */
  reason: string;
  /** The calls that `always` would allow. @default {the tool's name} */
  scope?: string;
}

/** A tool. It never throws: what goes wrong is an outcome. */
export interface ChatTool {
  /** The definition that the model gets. */
  readonly definition: ToolDefinition;
  /** `bash`: kept as a shell command, whose text is `input.command`. @default {"tool"} */
  readonly keeps?: "tool" | "bash";
  /** Returns one line for a person: the command, or the path. */
  title(input: unknown): string;
  /** Returns what to ask the user first; undefined where nothing. */
  asks?(input: unknown, cwd: string): ToolQuestion | undefined;
  /** Runs it. */
  run(input: unknown, context: ToolContext): Promise<ToolOutcome>;
}
