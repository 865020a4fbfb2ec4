/** Prepares the terminal and the settings for screens, and lets the user choose a session. */
import { standardInput } from "../lib/core/platform/standard_streams.ts";
import type { Library } from "../lib/library/library.ts";
import type { ScreenSettings } from "../lib/frontends/screens/screen.ts";
import type { ScreenTerminal } from "../lib/frontends/ui/terminal_screen.ts";
import { type Context, hasScreen, timeFormat, wantsColor } from "./_context.ts";
import { contextLibrary } from "./_library.ts";
import type { Summary } from "../lib/core/projection/summary_row.ts";
import type { PickOptions } from "../lib/frontends/screens/picker/session_list.ts";
import { CommandExit, STATUS, UsageError } from "./_failure.ts";
import { homeFolder } from "../lib/core/workspace/home_folder.ts";

export function contextTerminal({ stdin, stdout }: Context): ScreenTerminal {
  return { stdin, stdout, setRaw: (raw) => standardInput().setRaw(raw) };
}

export function screenSettings(context: Context): ScreenSettings {
  return {
    get library(): Library {
      return contextLibrary(context);
    },
    cwd: context.cwd,
    home: homeFolder(context.variable),
    get color(): boolean {
      return wantsColor(context, context.stdout);
    },
    now: context.now,
    format_time: timeFormat(context),
  };
}

/**
 * Lets the user choose a session at the terminal. The terminal is always restored.
 *
 * @returns The session, or undefined if the user chose none.
 * @throws {UsageError} without a terminal
 * @throws {CommandExit} `terminated` if a signal ends the program
 */
export async function pickSession(
  context: Context,
  options: PickOptions = {},
): Promise<Summary | undefined> {
  if (!hasScreen(context)) {
    throw new UsageError(
      "Cannot ask which session: this is not a terminal. Give a REF (see: reprise list)",
    );
  }
  const { chooseSession } = await import("../lib/frontends/screens/picker/choose_session.ts");
  const row = await chooseSession(contextTerminal(context), screenSettings(context), options);
  if (row === "terminated") throw new CommandExit(STATUS.terminated);
  return row;
}

/**
 * Lets the user choose a session, and returns its reference.
 *
 * @throws {CommandExit} `cancelled` if the user chooses none.
 */
export async function pickRef(context: Context, action: string): Promise<string> {
  const row = await pickSession(context, { action });
  if (row === undefined) throw new CommandExit(STATUS.cancelled);
  return row.ref;
}
