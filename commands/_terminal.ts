/** The terminal that a full screen is drawn on. */
import { standardInput } from "../lib/platform/standard_streams.ts";
import type { ScreenTerminal } from "../lib/ui/terminal_screen.ts";
import type { Context } from "./_context.ts";

/** The terminal of a command. */
export function contextTerminal({ stdin, stdout }: Context): ScreenTerminal {
  return { stdin, stdout, setRaw: (raw) => standardInput().setRaw(raw) };
}
