/** Asks for a session on a screen of its own. */
import type { Summary } from "../../../core/projection/summary_row.ts";
import { runScreen } from "../../ui/run_screen.ts";
import type { ScreenTerminal } from "../../ui/terminal_screen.ts";
import type { ScreenSettings } from "../screen.ts";
import { type PickOptions, SessionList } from "./session_list.ts";

export async function chooseSession(
  terminal: ScreenTerminal,
  settings: ScreenSettings,
  options: PickOptions,
): Promise<Summary | "terminated" | undefined> {
  return await runScreen<Summary | "terminated" | undefined>(
    terminal,
    (screen, { finish, fail }) =>
      new SessionList(settings, options, screen, {
        onChosen: (row) => finish(row),
        onCancelled: () => finish(undefined),
        onError: fail,
      }),
    (reason) => reason === "interrupted" ? undefined : "terminated",
  );
}
