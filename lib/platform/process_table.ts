/** Finds the processes that run a program in a directory. */
import { basename } from "node:path";
import { readDirSync, readFile, readLinkSync } from "./files.ts";
import { processStart, startTime } from "./process_state.ts";
import { operatingSystem } from "./runtime.ts";

/** A process that runs a program. */
export interface FoundProcess {
  pid: number;
  /** Milliseconds since 1970; undefined where the system does not tell. */
  began: number | undefined;
}

/** Arguments to compare with the program's name: a script's interpreter comes first. */
const FIRST_ARGUMENTS = 3;
const ENDING = /\.(?:js|mjs|cjs|exe|cmd)$/i;

const decoder = new TextDecoder();

/** The processes of this user at one moment, by their directories. Only Linux tells. */
export class ProcessTable {
  readonly #pids = new Map<string, number[]>();

  /** Looks at the directories of all processes. */
  constructor() {
    for (const name of operatingSystem === "linux" ? processNames() : []) {
      try {
        const cwd = readLinkSync(`/proc/${name}/cwd`);
        this.#pids.set(cwd, [...this.#pids.get(cwd) ?? [], Number(name)]);
      } catch {
        // It has ended, or is another user's.
      }
    }
  }

  /** Returns the processes that run a program in a directory, without the children of others. */
  async running(program: string, cwd: string): Promise<FoundProcess[]> {
    const found = new Set<number>();
    for (const pid of this.#pids.get(cwd) ?? []) if (await runs(pid, program)) found.add(pid);
    const processes: FoundProcess[] = [];
    for (const pid of found) {
      // A program that starts itself again, as Gemini CLI does, has one session.
      if (found.has(await parentOf(pid) ?? 0)) continue;
      const start = await processStart(pid);
      processes.push({ pid, began: start === undefined ? undefined : await startTime(start) });
    }
    return processes;
  }
}

function processNames(): string[] {
  try {
    return [...readDirSync("/proc")].map(({ name }) => name).filter((name) => /^\d+$/.test(name));
  } catch {
    // No /proc.
    return [];
  }
}

async function runs(pid: number, program: string): Promise<boolean> {
  try {
    const words = decoder.decode(await readFile(`/proc/${pid}/cmdline`)).split("\0");
    return words.slice(0, FIRST_ARGUMENTS)
      .some((word) => basename(word).replace(ENDING, "") === program);
  } catch {
    return false;
  }
}

async function parentOf(pid: number): Promise<number | undefined> {
  try {
    const text = decoder.decode(await readFile(`/proc/${pid}/stat`));
    // A program's name stands in parentheses before it, and may hold any character.
    return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}
