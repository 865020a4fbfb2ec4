/** Tells whether a process runs or was stopped. */
import { startProgram } from "./child_process.ts";
import { readFile } from "./files.ts";
import { operatingSystem } from "./runtime.ts";

/** Returns the state of a process; undefined where nothing tells. */
export async function processState(pid: number): Promise<"running" | "stopped" | undefined> {
  const letter = operatingSystem === "linux" ? await stateInProc(pid) : await stateOfPs(pid);
  if (letter === undefined) return undefined;
  return letter === "T" ? "stopped" : "running";
}

async function stateInProc(pid: number): Promise<string | undefined> {
  try {
    const text = new TextDecoder().decode(await readFile(`/proc/${pid}/stat`));
    // A program's name stands in parentheses before it, and may hold any character.
    return text.at(text.lastIndexOf(")") + 2);
  } catch {
    // It has ended, or /proc is not there.
    return undefined;
  }
}

async function stateOfPs(pid: number): Promise<string | undefined> {
  try {
    const options = { stdin: "null", stdout: "piped", stderr: "null" } as const;
    const ps = startProgram("/bin/ps", { args: ["-o", "state=", "-p", `${pid}`], ...options });
    const text = await new Response(ps.stdout).text();
    await ps.status;
    return text.trim().at(0);
  } catch {
    // No such program here.
    return undefined;
  }
}

/** Behind the name of a program: the state is the third field of `/proc/<pid>/stat`, this the 22nd. */
const START_FIELD = 22 - 3;

/**
 * Returns when a process began, in the system's own unit: two with one number never have the same.
 * Undefined where the system does not tell, or the process has ended.
 */
export async function processStart(pid: number): Promise<string | undefined> {
  if (operatingSystem !== "linux") return undefined;
  try {
    const text = new TextDecoder().decode(await readFile(`/proc/${pid}/stat`));
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[START_FIELD];
  } catch {
    // It has ended, or /proc is not there.
    return undefined;
  }
}
