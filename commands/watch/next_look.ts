/** Waits for the time of the next look at running sessions. */
import { pause } from "../../lib/platform/pause.ts";

/** A killed client is told of within two seconds, with the time that a look takes. */
const LOOK_MS = 1500;
/** Looking takes at most this part of the time. */
const SHARE = 4;

/** Resolves when it is time to look again, or at the signal. */
export async function nextLook(took: number, signal: AbortSignal): Promise<void> {
  await pause(Math.max(LOOK_MS, SHARE * took), signal);
}
