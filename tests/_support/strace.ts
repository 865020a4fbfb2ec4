/** Programs under `strace`: what they ask of the system, and faults that the system did not have. */
import { join } from "node:path";

function isAvailable(): boolean {
  if (Deno.build.os !== "linux") return false;
  try {
    const command = new Deno.Command("strace", { args: ["-f", "-o", "/dev/null", "true"] });
    return command.outputSync().success;
  } catch {
    // Not installed, or not allowed here.
    return false;
  }
}

/** Whether programs can be traced here. */
export const HAS_STRACE = isAvailable();

/** How a traced program ended. */
export interface Traced {
  status: number;
  stdout: string;
  stderr: string;
  /** One system call a line. */
  calls: string[];
}

/** Runs a command under strace. */
export async function runTraced(
  options: readonly string[],
  command: readonly string[],
  more: { env?: Record<string, string>; cwd?: string } = {},
): Promise<Traced> {
  const directory = await Deno.makeTempDir({ prefix: "reprise-strace-" });
  const trace = join(directory, "calls");
  try {
    const { code, stdout, stderr } = await new Deno.Command("strace", {
      args: ["-f", "-qq", "-y", "-s", "96", "-o", trace, ...options, "--", ...command],
      stdin: "null",
      ...more,
    }).output();
    const decoder = new TextDecoder();
    return {
      status: code,
      stdout: decoder.decode(stdout),
      stderr: decoder.decode(stderr),
      calls: (await Deno.readTextFile(trace)).split("\n").filter((line) => line !== ""),
    };
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}
