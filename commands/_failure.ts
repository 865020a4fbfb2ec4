/**
 * Turns a thrown value into a message and an exit status. No other module decides either of them.
 */
import { SessionError } from "../lib/core/event/session_error.ts";
import { isSystemError } from "../lib/core/log/io_error.ts";
import {
  isBrokenPipe,
  isForbiddenByRuntime,
  isPermissionDenied,
} from "../lib/core/platform/system_error.ts";

export const STATUS = {
  done: 0,
  failed: 1,
  usage: 2,
  fault: 70,
  cancelled: 130,
  terminated: 143,
} as const;

interface Failure {
  status: number;
  /** The message; empty if the command has printed it. */
  message: string;
}

/** An error that ends a command with an exit status. All messages have been printed before. */
export class CommandExit extends Error {
  override name = "CommandExit";
  readonly status: number;

  constructor(status: number) {
    super(`Exit with status ${status}`);
    this.status = status;
  }
}

export class UsageError extends Error {
  override name = "UsageError";
}

/** Library calls that error messages recommend, with the equivalent commands. */
const COMMANDS: readonly (readonly [RegExp, string])[] = [
  [/\bstore\.list\(\) has all sessions/, "to list all sessions: reprise list --all"],
  [/\bstore\.trash\(\) lists the trash/, "to list the trash: reprise trash list"],
  [/\bstore\.fork\("([^"]*)"\)/, "reprise fork $1"],
];

export function inCommands(message: string): string {
  return COMMANDS.reduce((text, [call, command]) => text.replace(call, command), message);
}

export function toFailure(error: unknown): Failure {
  if (error instanceof CommandExit) return { status: error.status, message: "" };
  if (isParserExit(error)) {
    return { status: error.exitCode === 0 ? STATUS.done : STATUS.usage, message: "" };
  }
  if (error instanceof UsageError) return { status: STATUS.usage, message: error.message };
  if (isBrokenPipe(error)) return { status: STATUS.done, message: "" };
  if (error instanceof SessionError) {
    return { status: STATUS.failed, message: inCommands(error.message) };
  }
  if (error instanceof Error && (isForbiddenByRuntime(error) || isPermissionDenied(error))) {
    return { status: STATUS.failed, message: error.message };
  }
  if (isSystemError(error)) {
    return { status: STATUS.failed, message: `Cannot continue: ${error.message}` };
  }
  const stack = error instanceof Error ? error.stack ?? error.message : String(error);
  const plea = "This is a bug in Reprise. Please report it with the lines above";
  return { status: STATUS.fault, message: `${stack}\n${plea}` };
}

/**
 * True if the argument parser threw the error. Checks the code, because loading the parser for
 * `instanceof` is slow.
 */
function isParserExit(error: unknown): error is Error & { exitCode: number } {
  return error instanceof Error && "exitCode" in error && "code" in error &&
    String(error.code).startsWith("commander.");
}
