/** Asks the user at the terminal for a line, a confirmation or a passphrase. */
import type { Context } from "./_context.ts";
import { SessionError } from "../lib/core/event/session_error.ts";
import { CommandExit, STATUS, UsageError } from "./_failure.ts";
import { contextTerminal } from "./_terminal.ts";

/** Asks for a line and trims it. Returns "" at the end of input. Stdin can be read again later. */
export async function askLine(context: Context, question: string): Promise<string> {
  context.stderr.write(question);
  const reader = context.stdin().getReader();
  const decoder = new TextDecoder();
  let answer = "";
  try {
    while (!answer.includes("\n")) {
      const { value, done } = await reader.read();
      if (done) break;
      answer += decoder.decode(value, { stream: true });
    }
  } finally {
    reader.releaseLock();
  }
  return (answer.split("\n")[0] ?? "").trim();
}

/** True if the user answers `y` or `yes`. Any other answer, and the end of the input, mean no. */
export async function isConfirmed(context: Context, question: string): Promise<boolean> {
  return /^y(es)?$/i.test(await askLine(context, `${question} [y/N] `));
}

async function readHidden(context: Context, prompt: string): Promise<string> {
  const { Keyboard } = await import("../lib/frontends/ui/keyboard.ts");
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
 * Asks for a passphrase without echoing it.
 *
 * @param question Ends with a colon and a space.
 * @param again True to ask twice, because the user does not see a typing error.
 * @throws {UsageError} if stdin or stderr is not a terminal
 * @throws {SessionError} `invalid-key` if the passphrase is empty, or the two answers differ
 * @throws {CommandExit} if the user cancels
 */
export async function askPassphrase(
  context: Context,
  question: string,
  { again = false }: { again?: boolean } = {},
): Promise<string> {
  if (!context.stdin_terminal || !context.stderr.terminal) {
    throw new UsageError(
      "a passphrase can be typed only at a terminal; in a script, encrypt for a public " +
        "key: --encrypt KEY",
    );
  }
  const passphrase = await readHidden(context, question);
  if (passphrase === "") {
    throw new SessionError("invalid-key", "Cannot continue: no passphrase was given");
  }
  if (again && await readHidden(context, "Once more: ") !== passphrase) {
    throw new SessionError("invalid-key", "Cannot encrypt: the two passphrases differ");
  }
  return passphrase;
}
