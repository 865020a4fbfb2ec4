/** Opens an address in the user's browser, by the program that the system has for it. */
import { delimiter, isAbsolute, join } from "node:path";
import { startProgram } from "../../lib/platform/child_process.ts";
import { statSync } from "../../lib/platform/files.ts";
import { operatingSystem } from "../../lib/platform/runtime.ts";
import type { Context } from "../_context.ts";

/** Programs that open an address, and what they are given before it; the first that is there. */
const OPENERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  darwin: [["open"]],
  windows: [["rundll32.exe", "url.dll,FileProtocolHandler"]],
};
const OTHER_OPENERS = [["xdg-open"], ["wslview"], ["gio", "open"]];

/** True if a program was started that opens the address. */
export function openBrowser(context: Context, address: string): boolean {
  for (const [name = "", ...args] of OPENERS[operatingSystem] ?? OTHER_OPENERS) {
    const program = findProgram(context, name);
    if (program === undefined) continue;
    try {
      const { status } = startProgram(program, {
        args: [...args, address],
        stdin: "null",
        stdout: "null",
        stderr: "null",
        // ^C ends the server, and not the browser.
        detached: true,
      });
      status.catch(() => {});
      return true;
    } catch {
      // The next one may be runnable.
    }
  }
  return false;
}

/** A program's path. A relative entry of PATH would run what lies in a session's directory. */
function findProgram({ variable }: Context, name: string): string | undefined {
  const folders = (variable("PATH") ?? "").split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, name)).find(isFile);
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile;
  } catch {
    // Not there.
    return false;
  }
}
