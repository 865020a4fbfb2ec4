/** Programs under `strace`: what they ask of the system, and faults that the system did not have. */
import type { Requirement } from "./needing.ts";
import { testsNeeding } from "./tests_in.ts";
import { roundsOf } from "./few_rounds.ts";
import { join } from "node:path";

/** Stops a program at the calls that are asked for alone: a start takes half the time. */
const CALLS_ALONE = "--seccomp-bpf";

function isAvailable(more: readonly string[] = []): boolean {
  if (Deno.build.os !== "linux") return false;
  try {
    const args = [...more, "-f", "-o", "/dev/null", "true"];
    return new Deno.Command("strace", { args }).outputSync().success;
  } catch {
    // Not installed, or not allowed here.
    return false;
  }
}

/** Whether programs can be traced here. */
export const HAS_STRACE = isAvailable();
const QUICK = HAS_STRACE && isAvailable([CALLS_ALONE]) ? [CALLS_ALONE] : [];

/** How a traced program ended. */
export interface Traced {
  status: number;
  stdout: string;
  stderr: string;
  /** One system call a line. */
  calls: string[];
}

/** The words that trace a command which is put behind them; its calls go to a file. */
export function traceCommand(file: string, options: readonly string[]): string[] {
  return ["strace", ...QUICK, "-f", "-qq", "-y", "-s", "4096", "-o", file, ...options, "--"];
}

/** Runs a command under strace. */
export async function runTraced(
  options: readonly string[],
  command: readonly string[],
  more: { env?: Record<string, string>; cwd?: string } = {},
): Promise<Traced> {
  const directory = await Deno.makeTempDir({ prefix: "reprise-strace-" });
  const trace = join(directory, "calls");
  // From such a stop no signal can be sent.
  const quick = options.some((option) => option.includes(":signal=")) ? [] : QUICK;
  const usual = [...quick, "-f", "-qq", "-y", "-s", "96", "-o", trace];
  try {
    const { code, stdout, stderr } = await new Deno.Command("strace", {
      args: [...usual, ...options, "--", ...command],
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

/** Each moment at which a program can be stopped: the n-th time that it makes a system call. */
function killPoints({ calls }: Traced, names: readonly string[]): [string, number][] {
  return names.flatMap((name) => {
    const made = calls.filter((call) => new RegExp(`^\\d+ +${name}\\(`).test(call));
    return made.map((_, index): [string, number] => [name, index + 1]);
  });
}

/** Programs that run side by side. */
const AT_ONCE = 3;

/**
 * Runs a program again for each system call of a run that was let be, and kills it before that call.
 * Threads count their own calls, so a point of theirs may not come.
 *
 * @param attempt Runs it with these options of strace, and checks what it left.
 * Takes every fourth point in the usual run.
 *
 * @returns How many points there were, how many were tried, and at how many it was killed.
 */
export async function killAtEach(
  whole: Traced,
  names: readonly string[],
  attempt: (fault: readonly string[]) => Promise<Traced>,
): Promise<{ total: number; tried: number; killed: number }> {
  const all = killPoints(whole, names);
  const every = all.length / roundsOf(all.length);
  // The later of the same calls: the earlier ones come before there is anything to lose.
  const points = all.filter((_, index) => Math.floor((index + 1) % every) === 0);
  const seen = { total: all.length, tried: points.length, killed: 0 };
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let point = points.shift(); point !== undefined; point = points.shift()) {
      const [name, when] = point;
      const { status } = await attempt(["-e", `inject=${name}:signal=SIGKILL:when=${when}`]);
      seen.killed += Number(status !== 0);
    }
  }));
  return seen;
}

/** Programs that are traced. */
export const STRACE: Requirement = { what: "strace", get: "apt install strace", met: HAS_STRACE };

export const underStrace = testsNeeding(STRACE);
