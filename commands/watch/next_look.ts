/** Waits for the time of the next look at running sessions. */

const LOOK_MS = 2000;
/** Looking takes at most this part of the time. */
const SHARE = 4;

/** Resolves when it is time to look again, or at the signal. */
export function nextLook(took: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(done, Math.max(LOOK_MS, SHARE * took));
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done, { once: true });
  });
}
