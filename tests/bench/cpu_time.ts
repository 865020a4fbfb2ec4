/** CPU time of this process and of all that it started and waited for. */
import process from "node:process";

/** Ticks of the kernel's clock in a second, on every Linux. */
const TICKS = 100;

/** Seconds so far; without the children's where the system does not tell. */
export function cpuSeconds(): number {
  if (Deno.build.os !== "linux") {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
  const stat = Deno.readTextFileSync("/proc/self/stat");
  // Behind the name, which may hold anything: utime, stime, cutime and cstime are the 12th to 15th.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ").slice(11, 15);
  return fields.reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
}
