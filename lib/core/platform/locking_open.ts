/**
 * Locks a file while opening it, as `open(2)` of macOS can. The lock is that of `flock(2)`. Node
 * passes the flags to the system unchanged.
 */
import { builtin } from "./runtime.ts";

/** Flags of `open(2)` on macOS (sys/fcntl.h). */
const O_NONBLOCK = 0x4;
const O_SHLOCK = 0x10;
const O_EXLOCK = 0x20;

/** True if the system locks files by flags of `open(2)`. Undefined before the first lock. */
let is_locking: boolean | undefined;

/**
 * Opens a file again with a lock.
 *
 * @param fd A descriptor of the file. If `path` leads to another file by now, nothing is locked.
 * @returns The locked descriptor, or false if the lock is not free. Undefined if opening cannot
 * lock the file.
 */
export function lockingOpen(
  path: string,
  fd: number,
  exclusive: boolean,
): number | false | undefined {
  if (is_locking === false) return undefined;
  const { closeSync, constants, fstatSync, openSync } = builtin("node:fs");
  const open = (access: number, lock: number): number | false | undefined => {
    try {
      return openSync(path, access | lock | O_NONBLOCK | constants.O_NOFOLLOW);
    } catch (error) {
      return (error as { code?: string }).code === "EAGAIN" ? false : undefined;
    }
  };
  const opened = exclusive ? open(constants.O_RDWR, O_EXLOCK) : open(constants.O_RDONLY, O_SHLOCK);
  if (typeof opened !== "number") return opened;
  if (is_locking === undefined) {
    // A system that does not know the flags ignores them. Then a second open succeeds.
    const second = open(constants.O_RDONLY, O_EXLOCK);
    if (typeof second === "number") closeSync(second);
    is_locking = second === false;
  }
  const [one, other] = [fstatSync(opened), fstatSync(fd)];
  if (is_locking && one.ino === other.ino && one.dev === other.dev) return opened;
  closeSync(opened);
  return undefined;
}
