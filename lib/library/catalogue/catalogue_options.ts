/** The options of the catalogue: its cache folder, and the version of the program that uses it. */
import { digest, type SeenState } from "./session_state.ts";

/** The cache folder of a catalogue, and the version of the program that reads it. */
export interface CatalogueOptions {
  /** The cache folder. If absent, nothing is read from a cache or written to a cache. */
  folder?: string | undefined;
  /** The program's version. Rows that another version stored are not used. @default {""} */
  version?: string;
  /** Returns the current time in milliseconds. @default {Date.now} */
  now?: () => number;
}

/** Returns the number that marks cache files as made by a version of the program. */
export function programOf(version: string): number {
  return digest(version) >>> 0;
}

/** Milliseconds within which a file may change again while its times stay the same. */
export const SETTLED_MS = 50;

/** True if later changes of the files will surely change the files' times. */
export function isSettled(
  { size, changed }: SeenState,
  { now = Date.now }: CatalogueOptions,
): boolean {
  return size >= 0 && now() - changed >= SETTLED_MS;
}
