/** The place of the catalogue, and its user. */
import { digest, type SeenState } from "./session_state.ts";

/** The place of a catalogue, and the program that reads it. */
export interface CatalogueOptions {
  /** The cache folder; without it nothing is known and nothing is kept. */
  folder?: string | undefined;
  /** The program's version: another one may summarize sessions differently. @default {""} */
  version?: string;
  /** Gives the time in milliseconds. @default {Date.now} */
  now?: () => number;
}

/** Returns the number that marks files of this version of the program. */
export function programOf(version: string): number {
  return digest(version) >>> 0;
}

/** A file that was changed within this time may change again without a trace in its times. */
export const SETTLED_MS = 50;

/** True for files that cannot change again without a trace in their times. */
export function isSettled(
  { size, changed }: SeenState,
  { now = Date.now }: CatalogueOptions,
): boolean {
  return size >= 0 && now() - changed >= SETTLED_MS;
}
