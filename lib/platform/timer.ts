/** Timers that do not keep the process alive. */
import { isDeno } from "./runtime.ts";

/** Lets the process end while the timer runs. */
export function unrefTimer(timer: ReturnType<typeof setTimeout>): void {
  if (isDeno) Deno.unrefTimer(timer);
  else (timer as unknown as { unref(): void }).unref();
}
