/** The daily commands on a copy of the Windows home, and what was printed. */
import { fileURLToPath } from "node:url";
import { ROOT } from "../_support/source_code.ts";
import { DAILY_COMMANDS, withoutPlace } from "./daily_commands.ts";

/** What a command line printed. */
export interface Printed {
  status: number;
  stdout: string;
  stderr: string;
}

/** The files of the home, to be copied: what is in them never changes. */
export const WINDOWS_HOME = fileURLToPath(new URL("testdata/windows/home", ROOT));
const EXPECTED = new URL("testdata/windows/expected.txt", ROOT);

/** What the command lines that are the same everywhere print, one behind the other. */
export function expectedOutputs(): string {
  return Deno.readTextFileSync(EXPECTED);
}

/** Runs the command lines that are the same everywhere. @param home As the program names it. */
export async function sameOutputs(
  run: (words: readonly string[]) => Promise<Printed>,
  home: string,
): Promise<string> {
  const parts: string[] = [];
  for (const { words, same } of DAILY_COMMANDS) {
    if (!same) continue;
    const { status, stdout } = await run(words);
    parts.push(`$ reprise ${words.join(" ")}\n(${status})\n${withoutPlace(stdout, home)}\n`);
  }
  return parts.join("");
}
