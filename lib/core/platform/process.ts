/**
 * Describes the process that runs the program: arguments, environment, directory, user, permissions.
 */
import { fileURLToPath } from "node:url";
import { runEndTasks } from "./end_tasks.ts";
import { builtin, isDeno, nodeProcess, operatingSystem } from "./runtime.ts";

export function programArguments(): string[] {
  return isDeno ? Deno.args : nodeProcess.argv.slice(2);
}

/**
 * Returns the command that starts this program again, from any directory: the executable, or the
 * runtime with the program's file.
 */
export function programCommand(): string[] {
  if (!isDeno) return [nodeProcess.execPath, ...nodeProcess.argv.slice(1, 2)];
  if (Deno.build.standalone) return [Deno.execPath()];
  return [Deno.execPath(), "run", "-A", mainFile(Deno.mainModule)];
}

function mainFile(module: string): string {
  return module.startsWith("file:") ? fileURLToPath(module) : module;
}

export function environmentVariable(name: string): string | undefined {
  return isDeno ? Deno.env.get(name) : nodeProcess.env[name];
}

export function environment(): Record<string, string> {
  return isDeno ? Deno.env.toObject() : { ...nodeProcess.env } as Record<string, string>;
}

export function workingDirectory(): string {
  return isDeno ? Deno.cwd() : nodeProcess.cwd();
}

export function processId(): number {
  return isDeno ? Deno.pid : nodeProcess.pid;
}

/** Lowers the priority of this process, if the system supports that. */
export function giveWay(): void {
  try {
    builtin("node:os").setPriority(LOWEST_PRIORITY);
  } catch {
    // The process keeps its priority.
  }
}

const LOWEST_PRIORITY = 19;

/** Returns the CPU time of all threads of this process so far, in milliseconds. */
export function usedCpuTime(): number {
  const { user, system } = nodeProcess.cpuUsage();
  return (user + system) / 1000;
}

export function exitProcess(status: number): never {
  runEndTasks();
  return isDeno ? Deno.exit(status) : nodeProcess.exit(status);
}

/** Returns the host's name, or `unknown` if the program has no permission to read it. */
export function hostName(): string {
  if (!mayKnow("hostname")) return "unknown";
  return isDeno ? Deno.hostname() : builtin("node:os").hostname();
}

/** Returns the name of this WSL system, empty if it has none. Undefined outside WSL. */
export function wslName(): string | undefined {
  if (operatingSystem !== "linux") return undefined;
  const name = mayReadVariable(WSL_NAME) ? environmentVariable(WSL_NAME) : undefined;
  if (name) return name;
  // A service lacks the variable, but has the kernel.
  if (!mayKnow("osRelease")) return undefined;
  const kernel = isDeno ? Deno.osRelease() : builtin("node:os").release();
  return /microsoft/i.test(kernel) ? "" : undefined;
}

const WSL_NAME = "WSL_DISTRO_NAME";

/** Returns the user's id. Undefined if there is none, or no permission to read it. */
export function ownUser(): number | undefined {
  if (!mayKnow("uid")) return undefined;
  return (isDeno ? Deno.uid() : nodeProcess.getuid?.()) ?? undefined;
}

export function ownGroup(): number | undefined {
  if (!mayKnow("gid")) return undefined;
  return (isDeno ? Deno.gid() : nodeProcess.getgid?.()) ?? undefined;
}

/** A fact about the system that Deno gives only with permission. */
type SystemFact = "hostname" | "osRelease" | "uid" | "gid";

function isGranted(descriptor: Deno.PermissionDescriptor): boolean {
  return !isDeno || Deno.permissions.querySync(descriptor).state === "granted";
}

/** True if the program may read a path without asking the user for permission. */
export function mayRead(path: string): boolean {
  return isGranted({ name: "read", path });
}

export function mayWrite(path: string): boolean {
  return isGranted({ name: "write", path });
}

const PERMISSIONS = ["read", "write", "net", "env", "sys", "run", "ffi", "import"] as const;

let may_do_all: boolean | undefined;

/** True if every permission is granted. Callers then query no single permission, to save time. */
export function mayDoAll(): boolean {
  return may_do_all ??= PERMISSIONS.every((name) => isGranted({ name }));
}

export function mayReadVariable(variable: string): boolean {
  return isGranted({ name: "env", variable });
}

function mayKnow(fact: SystemFact): boolean {
  return isGranted({ name: "sys", kind: fact });
}
