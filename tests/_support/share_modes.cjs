// deno-lint-ignore-file explicit-function-return-type
/**
 * Loaded into Node or Bun before the program: opens lock files with the share modes of Windows, and
 * says that this is Windows. An open of the usual kind shares all, which is a shared `flock` here.
 * One that shares nothing is an exclusive `flock`. Linux lets go of both at a kill, as Windows
 * closes handles.
 */
const fs = require("node:fs");
const process = require("node:process");
const programs = require("node:child_process");

const SHARE_NOTHING = 0x10000000;
const { openSync } = fs;
const { spawnSync } = programs;

Object.defineProperty(process, "platform", { value: "win32" });

// Windows has none of the programs that take a lock elsewhere.
programs.spawnSync = () => ({ error: new Error("not found") });

function openWith(kind, path, flags, mode) {
  const fd = openSync(path, flags, mode);
  const stdio = ["ignore", "ignore", "inherit", fd];
  if (spawnSync("flock", [kind, "-n", "3"], { stdio }).status === 0) return fd;
  fs.closeSync(fd);
  throw Object.assign(new Error("EBUSY: resource busy or locked"), { code: "EBUSY" });
}

fs.openSync = (path, flags, mode) => {
  if (!/(^|[/.])lock$/.test(path)) return openSync(path, flags, mode);
  return (flags & SHARE_NOTHING) !== 0 && process.versions.bun === undefined
    ? openWith("-x", path, flags & ~SHARE_NOTHING, mode)
    : openWith("-s", path, flags & ~SHARE_NOTHING, mode);
};

/** What Bun calls of kernel32.dll; Bun drops the flag of libuv. */
const kernel32 = {
  CreateFileW(name, access, share, security, disposition) {
    if (access !== 0x80000000 || share !== 0 || security !== null || disposition !== 3) return -1n;
    const units = new Uint16Array(name.buffer, name.byteOffset, name.byteLength / 2);
    if (units.at(-1) !== 0) return -1n;
    try {
      return BigInt(openWith("-x", String.fromCharCode(...units.subarray(0, -1)), "r"));
    } catch {
      return -1n;
    }
  },
  CloseHandle(handle) {
    fs.closeSync(Number(handle));
    return 1;
  },
};

const { getBuiltinModule } = process;
process.getBuiltinModule = (name) =>
  name === "bun:ffi" ? { dlopen: () => ({ symbols: kernel32 }) } : getBuiltinModule(name);
