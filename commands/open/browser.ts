/** Opens a page in the user's browser, by the program that the system has for it. */
import { present } from "../../lib/event/present.ts";
import { startProgram } from "../../lib/platform/child_process.ts";
import { findProgram } from "../../lib/platform/find_program.ts";
import { operatingSystem } from "../../lib/platform/runtime.ts";
import type { Context } from "../_context.ts";

/** Programs that open a file as the user would, and what they are given before it; the first that is there. */
const OPENERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  darwin: [["open"]],
  windows: [["rundll32", "url.dll,FileProtocolHandler"]],
};
const OTHER_OPENERS = [["xdg-open"], ["wslview"], ["gio", "open"]];

/** A program that opens a page; it resolves to false where it failed. */
export type StartedBrowser = Promise<boolean>;

/** Starts a program that opens a file of HTML; undefined where there is none. */
export function openBrowser(
  { cwd, variable }: Context,
  file: string,
): StartedBrowser | undefined {
  const home = variable("HOME") ?? variable("USERPROFILE");
  // A project may hold a program of such a name.
  const options = present({ path: variable("PATH"), avoided: cwd, home });
  for (const [name = "", ...args] of OPENERS[operatingSystem] ?? OTHER_OPENERS) {
    const program = findProgram(name, options);
    if (program === undefined) continue;
    try {
      const { status } = startProgram(program, {
        args: [...args, file],
        stdin: "null",
        stdout: "null",
        stderr: "null",
        // ^C ends the server, and not the browser.
        detached: true,
      });
      return status.then(({ code }) => code === 0, () => false);
    } catch {
      // The next one may be runnable.
    }
  }
  return undefined;
}
