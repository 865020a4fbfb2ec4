/**
 * The most memory that this process ever held.
 */

/** Bytes resident at the peak; undefined where the system does not tell. */
export function peakMemory(): number | undefined {
  if (Deno.build.os !== "linux") return undefined;
  const kilobytes = /^VmHWM:\s*(\d+) kB$/m.exec(Deno.readTextFileSync("/proc/self/status"))?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}
