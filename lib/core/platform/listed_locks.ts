/**
 * Reads which files are locked from `/proc/locks`, where Linux lists the locks that this process
 * can see. Locks of other containers and other machines are not listed.
 */
import { builtin, isDeno, operatingSystem } from "./runtime.ts";

const LIST = "/proc/locks";
/** Matches a held write lock of `flock(2)`. Awaited locks have an arrow before `FLOCK`. */
const HELD = /^\d+: FLOCK +ADVISORY +WRITE +-?\d+ ([0-9a-f]+):([0-9a-f]+):(\d+) /;

/** The locks that Linux lists now. A listed lock surely exists, but the list may lack some. */
export interface ListedLocks {
  /** True if an exclusive lock of the file is listed. */
  has(path: string): boolean;
}

/** Reads Linux's list of locks once. Empty on other systems and under Deno, which needs no list. */
export function listedLocks(): ListedLocks {
  if (isDeno || operatingSystem !== "linux") return { has: () => false };
  const held = heldFiles();
  return {
    has(path): boolean {
      const stats = held.size > 0
        ? builtin("node:fs").statSync(path, { throwIfNoEntry: false, bigint: true })
        : undefined;
      return stats !== undefined && held.has(fileKey(stats.dev, stats.ino));
    },
  };
}

function heldFiles(): Set<string> {
  const held = new Set<string>();
  let lines: string[];
  try {
    lines = builtin("node:fs").readFileSync(LIST, "utf8").split("\n");
  } catch {
    return held;
  }
  for (const line of lines) {
    const [, major = "", minor = "", inode = ""] = HELD.exec(line) ?? [];
    if (inode === "") continue;
    held.add(`${parseInt(major, 16)}:${parseInt(minor, 16)}:${inode}`);
  }
  return held;
}

/** Returns a file's key: its device's major and minor number (see `makedev(3)`), and its inode. */
function fileKey(device: bigint, inode: bigint): string {
  const major = ((device >> 8n) & 0xfffn) | ((device >> 32n) & ~0xfffn);
  const minor = (device & 0xffn) | ((device >> 12n) & ~0xffn);
  return `${major}:${minor}:${inode}`;
}
