/** Waits for a time that a signal may shorten. Lets the process end while a timer runs. */
import { isDeno } from "./runtime.ts";

/** Resolves after some milliseconds, or when the signal aborts. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const timer = setTimeout(done, milliseconds);
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
    signal?.addEventListener("abort", done, { once: true });
  });
}

export function unrefTimer(timer: ReturnType<typeof setTimeout>): void {
  if (isDeno) Deno.unrefTimer(timer);
  else (timer as unknown as { unref(): void }).unref();
}

export function pauseSync(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
