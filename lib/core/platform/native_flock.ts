/**
 * Calls `flock(2)` under Bun by `bun:ffi`, and under Node by koffi. Koffi is a package from npm that
 * an application may install beside this one.
 */
import { builtin, nodeProcess, operatingSystem } from "./runtime.ts";

/** Operations of `flock` (sys/file.h), each of which fails instead of waiting. */
const LOCK_SH_NB = 1 | 4;
const LOCK_EX_NB = 2 | 4;

/** Tries to lock a descriptor: false if the lock is not free, undefined for another error. */
export type NativeFlock = (fd: number, exclusive: boolean) => boolean | undefined;

const LIBRARIES = [
  "libc.so.6",
  "libc.musl-x86_64.so.1",
  "libc.musl-aarch64.so.1",
  "/usr/lib/libSystem.B.dylib",
];

interface BunFfi {
  dlopen(
    library: string,
    symbols: object,
  ): { symbols: Record<string, (...of: number[]) => number> };
  read: { i32(pointer: number, offset: number): number };
}

interface Koffi {
  load(library: null): { func(prototype: string): (fd: number, operation: number) => number };
  errno(): number;
}

let known: { flock: NativeFlock | undefined } | undefined;

export function nativeFlock(): NativeFlock | undefined {
  known ??= { flock: "bun" in nodeProcess.versions ? flockOfBun() : flockOfKoffi() };
  return known.flock;
}

function flockOfBun(): NativeFlock | undefined {
  try {
    const ffi = nodeProcess.getBuiltinModule("bun:ffi" as "node:fs") as unknown as BunFfi;
    const location = operatingSystem === "darwin" ? "__error" : "__errno_location";
    const symbols = {
      flock: { args: ["i32", "i32"], returns: "i32" },
      [location]: { args: [], returns: "ptr" },
    };
    for (const library of LIBRARIES) {
      try {
        const { flock, [location]: errno } = ffi.dlopen(library, symbols).symbols;
        if (flock === undefined || errno === undefined) continue;
        return flockBy(flock, () => ffi.read.i32(errno(), 0));
      } catch {
        // This system has another C library.
      }
    }
  } catch {
    // This Bun has no compiler for native calls.
  }
  return undefined;
}

function flockOfKoffi(): NativeFlock | undefined {
  try {
    const { createRequire } = nodeProcess.getBuiltinModule("node:module");
    const koffi = createRequire(import.meta.url)("koffi") as Koffi;
    return flockBy(koffi.load(null).func("int flock(int, int)"), () => koffi.errno());
  } catch {
    // Koffi is not installed, or not for this system.
    return undefined;
  }
}

function flockBy(
  flock: (fd: number, operation: number) => number,
  errno: () => number,
): NativeFlock {
  const { EWOULDBLOCK } = builtin("node:os").constants.errno;
  return (fd, exclusive) => {
    if (flock(fd, exclusive ? LOCK_EX_NB : LOCK_SH_NB) === 0) return true;
    return errno() === EWOULDBLOCK ? false : undefined;
  };
}
