/**
 * The part of `Deno` that tests use, over Node. A bundle puts it into the modules of tests alone: the
 * library must find none, and do without.
 */
import { hostname } from "node:os";
import process from "node:process";
import { readSync, writeSync } from "node:fs";
import { Command } from "./command.ts";
import { errors } from "./errors.ts";
import { files } from "./files.ts";
import { test } from "./tests.ts";

type Listener = () => void;

const stream = (fd: number): object => ({
  writeSync: (bytes: Uint8Array) => writeSync(fd, bytes),
  // deno-lint-ignore require-await
  write: async (bytes: Uint8Array) => writeSync(fd, bytes),
});

export const Deno = {
  ...files,
  Command,
  errors,
  test,
  build: {
    os: process.platform === "win32" ? "windows" : process.platform,
    arch: process.arch === "x64" ? "x86_64" : "aarch64",
  },
  env: {
    get: (name: string) => process.env[name],
    set: (name: string, value: string) => void (process.env[name] = value),
    delete: (name: string) => void delete process.env[name],
    toObject: () => ({ ...process.env }),
  },
  args: process.argv.slice(2),
  pid: process.pid,
  execPath: () => process.execPath,
  cwd: () => process.cwd(),
  chdir: (path: string) => process.chdir(path),
  uid: () => process.getuid?.() ?? null,
  gid: () => process.getgid?.() ?? null,
  hostname,
  kill: (pid: number, signal: string) => void process.kill(pid, signal),
  exit: (status = 0) => process.exit(status),
  addSignalListener: (signal: string, listener: Listener) => void process.on(signal, listener),
  removeSignalListener: (signal: string, listener: Listener) => void process.off(signal, listener),
  get exitCode(): number {
    return Number(process.exitCode ?? 0);
  },
  set exitCode(status: number) {
    process.exitCode = status;
  },
  memoryUsage: () => process.memoryUsage(),
  stdin: {
    readSync: (bytes: Uint8Array) => readSync(0, bytes) || null,
    get readable(): unknown {
      return ReadableStream.from(process.stdin);
    },
  },
  stdout: stream(1),
  stderr: stream(2),
};
