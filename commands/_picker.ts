/**
 * Choosing a session on a terminal: a list that typing narrows down.
 */
import type { Summary } from "../lib/projection/summary_row.ts";
import { TerminalScreen } from "../lib/ui/terminal_screen.ts";
import { type Context, hasScreen } from "./_context.ts";
import { CommandExit, STATUS, UsageError } from "./_failure.ts";
import { contextTerminal } from "./_terminal.ts";
import { type PickOptions, SessionList } from "./_picker/session_list.ts";

export type { PickOptions } from "./_picker/session_list.ts";
export type { PickerScope } from "./_picker/state.ts";

/**
 * Lets the person at the terminal choose a session. The terminal is as before at the end, however
 * it ends.
 *
 * @returns The session; undefined when nothing was chosen.
 * @throws {UsageError} where there is no terminal to ask at.
 * @throws {CommandExit} when the process is told to end.
 */
export async function pickSession(
  context: Context,
  options: PickOptions = {},
): Promise<Summary | undefined> {
  if (!hasScreen(context)) {
    throw new UsageError(
      "Cannot ask which session: this is not a terminal; give a REF (see: reprise list)",
    );
  }
  const makeList = await SessionList.load();
  const { promise, resolve, reject } = Promise.withResolvers<Summary | undefined>();
  /** Ends at once: whatever is typed from now on is for what comes next. */
  const end = (settle: () => void): void => {
    list.hide();
    screen.close();
    settle();
  };
  const onError = (error: unknown): void => end(() => reject(error));
  const guarded = (step: () => void): void => {
    try {
      step();
    } catch (error) {
      onError(error);
    }
  };
  const screen = TerminalScreen.open(contextTerminal(context), {
    onKeys: (keys) => guarded(() => list.press(keys)),
    onResize: () => guarded(() => list.draw()),
    onEnd: (reason) =>
      end(() =>
        reason === "interrupted" ? resolve(undefined) : reject(new CommandExit(STATUS.terminated))
      ),
    onError,
  });
  const list = makeList(context, options, screen, {
    onChosen: (row) => end(() => resolve(row)),
    onCancelled: () => end(() => resolve(undefined)),
    onError,
  });
  try {
    guarded(() => list.draw());
    return await promise;
  } finally {
    list.hide();
    screen.close();
  }
}

/**
 * The reference of a session that is chosen now.
 *
 * @throws {CommandExit} when none is chosen.
 */
export async function pickRef(context: Context, action: string): Promise<string> {
  const row = await pickSession(context, { action });
  if (row === undefined) throw new CommandExit(STATUS.cancelled);
  return row.ref;
}
