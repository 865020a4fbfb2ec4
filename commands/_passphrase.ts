/** Asks for a passphrase at the terminal, without showing it. */
import { SessionError } from "../lib/event/session_error.ts";
import type { Context } from "./_context.ts";
import { CommandExit, STATUS, UsageError } from "./_failure.ts";
import { contextTerminal } from "./_terminal.ts";

/** Reads a line of which nothing is shown. */
async function readHidden(context: Context, prompt: string): Promise<string> {
  const { Keyboard } = await import("../lib/ui/keyboard.ts");
  const keyboard = new Keyboard({ ...contextTerminal(context), stdout: context.stderr });
  try {
    const input = await keyboard.line({ prompt, hidden: true });
    const { aborted, reason } = keyboard.gone;
    if (aborted && reason !== "interrupted") throw new CommandExit(STATUS.terminated);
    if (aborted || input.type === "cancel") throw new CommandExit(STATUS.cancelled);
    return input.type === "line" ? input.text.trimEnd() : "";
  } finally {
    keyboard.close();
  }
}

/**
 * Asks for a passphrase.
 *
 * @param question Ends with a colon and a space.
 * @param again True to ask twice: nobody sees what was mistyped.
 * @throws {UsageError} where no person is at a terminal
 * @throws {SessionError} `invalid-key` where it is empty, or the second one is another
 */
export async function askPassphrase(
  context: Context,
  question: string,
  { again = false }: { again?: boolean } = {},
): Promise<string> {
  if (!context.stdin_terminal || !context.stderr.terminal) {
    throw new UsageError("a passphrase is asked for on a terminal only; programs use --encrypt");
  }
  const passphrase = await readHidden(context, question);
  if (passphrase === "") throw new SessionError("invalid-key", "Cannot go on: no passphrase given");
  if (again && await readHidden(context, "Once more: ") !== passphrase) {
    throw new SessionError("invalid-key", "Cannot encrypt: the two passphrases differ");
  }
  return passphrase;
}
