/** The terminal that screens are drawn on, and what they are given. */
import { standardInput } from "../lib/platform/standard_streams.ts";
import type { Library } from "../lib/library/library.ts";
import type { ScreenSettings } from "../lib/screens/screen.ts";
import type { ScreenTerminal } from "../lib/ui/terminal_screen.ts";
import { type Context, wantsColor } from "./_context.ts";
import { contextLibrary } from "./_library.ts";
import { timeFormat } from "./_time.ts";

/** The terminal of a command. */
export function contextTerminal({ stdin, stdout }: Context): ScreenTerminal {
  return { stdin, stdout, setRaw: (raw) => standardInput().setRaw(raw) };
}

/** What a screen needs of a command. */
export function screenSettings(context: Context): ScreenSettings {
  return {
    get library(): Library {
      return contextLibrary(context);
    },
    cwd: context.cwd,
    home: context.variable("HOME"),
    get color(): boolean {
      return wantsColor(context, context.stdout);
    },
    now: context.now,
    format_time: timeFormat(context),
  };
}
