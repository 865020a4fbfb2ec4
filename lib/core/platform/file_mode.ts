/** Tells what the mode of a file lets others do, where the system has such modes. */
import { operatingSystem } from "./runtime.ts";

/** Bits of a file's mode that give access to the group and to all users. */
const OTHERS = { read: 0o044, write: 0o022, anything: 0o077, write_of_all: 0o002 } as const;

/**
 * True if a file's mode lets others read, write or reach it; with `write_of_all`, users outside of its
 * group. Undefined where that is unknown: Windows has other permissions, and its modes say 0666 for
 * each file that can be written.
 */
export function othersMay(
  what: keyof typeof OTHERS,
  mode: number | null,
  os: string = operatingSystem,
): boolean | undefined {
  return os === "windows" || mode === null ? undefined : (mode & OTHERS[what]) !== 0;
}
