/**
 * Reads which files are locked from `/proc/locks`, where Linux lists the locks that this process can
 * see. Those of other containers, and of other machines, are not listed.
 */
import { builtin, isDeno, operatingSystem } from "./runtime.ts";

const LIST = "/proc/locks";
/** A lock of `flock(2)` that a writer has: those of waiting writers have an arrow before the type. */
const HELD = /^\d+: FLOCK +ADVISORY +WRITE +-?\d+ ([0-9a-f]+):([0-9a-f]+):(\d+) /;

/** The locks that are listed now. Having a lock is certain, and lacking one is not. */
export interface ListedLocks {
  /** True if an exclusive lock of the file is listed. */
  has(path: string): boolean;
}

/** Reads the list once. It is empty where the system has none; Deno asks for each lock itself. */
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

/** Returns a file's key: its device, as `makedev(3)` joins the two numbers, and its inode. */
function fileKey(device: bigint, inode: bigint): string {
  const major = ((device >> 8n) & 0xfffn) | ((device >> 32n) & ~0xfffn);
  const minor = (device & 0xffn) | ((device >> 12n) & ~0xffn);
  return `${major}:${minor}:${inode}`;
}
