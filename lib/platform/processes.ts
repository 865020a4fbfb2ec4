/** Finds running programs by name and working directory, where the system lists them as files. */
import { basename } from "node:path";
import { readDirSync, readFile, readLinkSync } from "./files.ts";
import { operatingSystem } from "./runtime.ts";

/** Of a script, its interpreter comes first. */
const FIRST_ARGUMENTS = 3;
const ENDING = /\.(?:js|mjs|cjs|exe|cmd)$/i;

const decoder = new TextDecoder();

/**
 * Returns the process that runs a program in a directory; undefined where there is none, or the
 * system does not tell: it does on Linux, for processes of the same user.
 */
export async function processRunning(program: string, cwd: string): Promise<number | undefined> {
  if (operatingSystem !== "linux") return undefined;
  for (const { name } of processEntries()) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if (readLinkSync(`/proc/${name}/cwd`) !== cwd) continue;
      const words = decoder.decode(await readFile(`/proc/${name}/cmdline`)).split("\0");
      const programs = words.slice(0, FIRST_ARGUMENTS)
        .map((word) => basename(word).replace(ENDING, ""));
      if (programs.includes(program)) return Number(name);
    } catch {
      // It has ended, or is another user's.
    }
  }
  return undefined;
}

function processEntries(): { name: string }[] {
  try {
    return [...readDirSync("/proc")];
  } catch {
    // Nothing tells.
    return [];
  }
}
