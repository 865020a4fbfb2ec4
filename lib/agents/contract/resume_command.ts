/**
 * Commands by which agents continue their sessions. An id comes from a file that anyone may have
 * written, so it is checked before a program gets it.
 *
 * @module
 */
import { SessionError } from "../../core/event/session_error.ts";

/** The command line by which an agent continues a session. */
export interface ResumeCommand {
  /** The program's name and its arguments, passed without a shell. */
  argv: readonly [program: string, ...args: string[]];
  /** The form of the agent's session ids; absent if the command names a path instead of an id. */
  id_form?: RegExp;
  /**
   * True if the command must start in the session's directory. Otherwise the agent does not find
   * the session, or works elsewhere. False if the agent changes to the directory by itself.
   */
  in_directory: boolean;
}

export const UUID: RegExp = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** The form of a safe id: a plain word that no program takes for an option or a path. */
export const PLAIN_ID: RegExp = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

export function resumedBy(
  id_form: RegExp,
  ...argv: [program: string, ...args: string[]]
): (session: { id: string }) => ResumeCommand {
  return ({ id }) => ({ argv: [...argv, id], id_form, in_directory: true });
}

// deno-lint-ignore no-control-regex
const CONTROL = /[\x00-\x1f\x7f-\x9f]/;

/**
 * Returns the command, if its arguments are safe. Refuses a session id without the agent's form,
 * and arguments with control characters.
 *
 * @param title The agent's name as its makers write it.
 * @throws {SessionError} `unsupported-source`
 */
export function checkedResumeCommand(
  title: string,
  { id, path }: { id: string; path: string },
  command: ResumeCommand,
): ResumeCommand {
  const { argv, id_form } = command;
  const wrong = id_form !== undefined && !id_form.test(id);
  if (!wrong && !argv.some((word) => CONTROL.test(word))) return command;
  const what = wrong ? `${JSON.stringify(id)} is not a valid session id of ${title}` : (
    "the session's path has control characters"
  );
  const message = `Cannot resume session in ${title}: ${what}: ${path}`;
  throw new SessionError("unsupported-source", message, { path });
}
