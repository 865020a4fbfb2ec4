/**
 * Opens a file on Windows so that no other handle to it can exist meanwhile. Node and Bun need such
 * a lock, because they cannot call `LockFileEx`. The system closes the handle when the process
 * dies. Whoever holds a lock of `LockFileEx` has the file open, so the two kinds of locks exclude
 * each other.
 */
import { toNamespacedPath } from "node:path";
import { isBusy } from "./system_error.ts";
import { builtin, nodeProcess } from "./runtime.ts";

/** libuv's `UV_FS_O_EXLOCK` (include/uv/win.h), passed on by Node: `CreateFileW` share mode 0. */
const SHARE_NOTHING = 0x10000000;

/** Arguments of `CreateFileW` (fileapi.h). */
const GENERIC_READ = 0x80000000;
const OPEN_EXISTING = 3;
const INVALID_HANDLE = -1n;

interface BunFfi {
  dlopen(library: string, symbols: object): { symbols: Kernel32 };
}

interface Kernel32 {
  CreateFileW(path: Uint8Array, ...rest: (number | null)[]): bigint;
  CloseHandle(handle: bigint): number;
}

let kernel32: Kernel32 | undefined;

/**
 * Opens an existing file so that no other handle to it can be opened.
 *
 * @returns A function that closes the file, or undefined while another handle to the file is open.
 */
export function openAlone(path: string): (() => void) | undefined {
  return "bun" in nodeProcess.versions ? openByBun(path) : openByNode(path);
}

function openByNode(path: string): (() => void) | undefined {
  const { closeSync, openSync } = builtin("node:fs");
  try {
    const fd = openSync(path, SHARE_NOTHING);
    return () => closeSync(fd);
  } catch (error) {
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** Calls `CreateFileW`, because Bun's open drops `SHARE_NOTHING` (src/sys_uv.zig, `fromBunO`). */
function openByBun(path: string): (() => void) | undefined {
  const { CreateFileW, CloseHandle } = kernel32 ??= loadKernel32();
  const name = new Uint8Array(new Uint16Array(utf16(toNamespacedPath(path))).buffer);
  // Bun may lose the reason of a failure. The file was just open, so another handle is the reason.
  const handle = CreateFileW(name, GENERIC_READ, 0, null, OPEN_EXISTING, 0, null);
  return handle === INVALID_HANDLE ? undefined : () => void CloseHandle(handle);
}

function loadKernel32(): Kernel32 {
  const ffi = nodeProcess.getBuiltinModule("bun:ffi" as "node:fs") as unknown as BunFfi;
  const create = ["ptr", "u32", "u32", "ptr", "u32", "u32", "ptr"];
  return ffi.dlopen("kernel32.dll", {
    CreateFileW: { args: create, returns: "i64" },
    CloseHandle: { args: ["i64"], returns: "i32" },
  }).symbols;
}

function utf16(text: string): number[] {
  return [...Array.from(text.split(""), (unit) => unit.charCodeAt(0)), 0];
}
