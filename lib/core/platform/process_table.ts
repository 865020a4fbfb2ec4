/** Finds the processes that run a program in a directory. */
import { basename } from "node:path";
import { readDirSync, readLinkSync } from "./files.ts";
import { processStart, procText, startTime, statFields } from "./process_state.ts";
import { operatingSystem } from "./runtime.ts";

export interface FoundProcess {
  pid: number;
  /** Start of the process in milliseconds since 1970. Undefined if the system does not tell. */
  began: number | undefined;
}

/** Number of arguments to compare with the program's name: a script's interpreter comes first. */
const FIRST_ARGUMENTS = 3;
const ENDING = /\.(?:js|mjs|cjs|exe|cmd)$/i;

/** This user's processes at one moment, by working directory. It is empty except on Linux. */
export class ProcessTable {
  readonly #pids = new Map<string, number[]>();
  readonly #found = new Map<string, FoundProcess[]>();

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

  /** Returns the processes that run a program in a directory, without their child processes. */
  running(program: string, cwd: string): readonly FoundProcess[] {
    const name = `${program}\0${cwd}`;
    let found = this.#found.get(name);
    if (found === undefined) this.#found.set(name, found = this.#find(program, cwd));
    return found;
  }

  #find(program: string, cwd: string): FoundProcess[] {
    const found = new Set<number>();
    for (const pid of this.#pids.get(cwd) ?? []) if (runs(pid, program)) found.add(pid);
    const processes: FoundProcess[] = [];
    for (const pid of found) {
      // A program that starts itself again, as Gemini CLI does, has one session.
      if (found.has(parentOf(pid))) continue;
      const start = processStart(pid);
      processes.push({ pid, began: start === undefined ? undefined : startTime(start) });
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

function runs(pid: number, program: string): boolean {
  const words = procText(`${pid}/cmdline`)?.split("\0") ?? [];
  return words.slice(0, FIRST_ARGUMENTS)
    .some((word) => basename(word).replace(ENDING, "") === program);
}

export function hasOpen(pid: number, text: string): boolean {
  try {
    const folder = `/proc/${pid}/fd`;
    return [...readDirSync(folder)].some(({ name }) =>
      readLinkSync(`${folder}/${name}`).includes(text)
    );
  } catch {
    // It has ended, or closed a file meanwhile.
    return false;
  }
}

function parentOf(pid: number): number {
  return Number(statFields(pid)?.[1] ?? 0);
}
