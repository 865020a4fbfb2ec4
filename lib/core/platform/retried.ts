/** Repeats a call on files that Windows refuses while another program has the file open. */
import { pauseSync } from "./pause.ts";

/** Milliseconds before each repetition: half a second in all, as virus scanners need. */
const PAUSES = [10, 20, 40, 80, 160, 200];

export function retried(
  action: () => void,
  mayPass: (error: unknown) => boolean,
  wait: (milliseconds: number) => void = pauseSync,
): void {
  for (const pause of PAUSES) {
    try {
      return action();
    } catch (error) {
      if (!mayPass(error)) throw error;
      wait(pause);
    }
  }
  action();
}
