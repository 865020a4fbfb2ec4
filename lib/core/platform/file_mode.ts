/** Tells which access a file's mode gives to other users. Windows has no such modes. */
import { operatingSystem } from "./runtime.ts";

/** Bits of a file's mode that give access to the group and to all users. */
const OTHERS = { read: 0o044, write: 0o022, anything: 0o077, write_of_all: 0o002 } as const;

/**
 * True if a file's mode gives other users than its owner the access that `what` names.
 * `write_of_all` is about users outside the file's group. Undefined if the mode does not tell: on
 * Windows, each file that can be written has mode 0666.
 */
export function othersMay(
  what: keyof typeof OTHERS,
  mode: number | null,
  os: string = operatingSystem,
): boolean | undefined {
  return os === "windows" || mode === null ? undefined : (mode & OTHERS[what]) !== 0;
}
