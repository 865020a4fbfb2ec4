/**
 * The most memory that a process ever held.
 */

/** Bytes resident at the peak of this process; undefined where the system does not tell. */
export function peakMemory(): number | undefined {
  return Deno.build.os === "linux" ? peakOf("self") : undefined;
}

/** Bytes resident at the peak of another process so far; undefined where the system does not tell. */
export function peakMemoryNow(pid: number): number | undefined {
  return Deno.build.os === "linux" ? peakOf(`${pid}`) : undefined;
}

/** How often a process is looked at that is to end. */
const STEP_MS = 20;

/** Bytes resident at the peak of a process, once it has ended; undefined where nothing tells. */
export async function peakMemoryOf(child: Deno.ChildProcess): Promise<number | undefined> {
  if (Deno.build.os !== "linux") return undefined;
  let peak: number | undefined;
  let ended = false;
  const end = child.status.then(() => ended = true);
  while (!ended) {
    peak = peakOf(String(child.pid)) ?? peak;
    const step = Promise.withResolvers<void>();
    const timer = setTimeout(step.resolve, STEP_MS);
    await Promise.race([end, step.promise]);
    clearTimeout(timer);
  }
  return peak;
}

function peakOf(process: string): number | undefined {
  try {
    const status = Deno.readTextFileSync(`/proc/${process}/status`);
    const kilobytes = /^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    // It has ended.
    return undefined;
  }
}
