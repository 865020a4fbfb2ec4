/** Tells which runtime and operating system the program runs on. */

/** The global `process`, as far as Deno, Node and Bun all have it. */
export type NodeProcess = typeof import("node:process");

export const isDeno = typeof Deno === "object";

export const nodeProcess = (globalThis as unknown as { process: NodeProcess }).process;

interface Builtins {
  "node:fs": typeof import("node:fs");
  "node:child_process": typeof import("node:child_process");
  "node:os": typeof import("node:os");
  "node:stream": typeof import("node:stream");
  "node:tty": typeof import("node:tty");
}

const loaded: Partial<Builtins> = {};

/** Returns a module of Node, loaded on demand: Deno needs none of them. */
export function builtin<Name extends keyof Builtins>(name: Name): Builtins[Name] {
  return loaded[name] ??= nodeProcess.getBuiltinModule(name) as Builtins[Name];
}

export function sqliteModule(): typeof import("node:sqlite") | undefined {
  try {
    return nodeProcess.getBuiltinModule("node:sqlite");
  } catch {
    // Node before it has SQLite, or a runtime that does not allow it.
    return undefined;
  }
}

/**
 * Tells which runtime is too old to read logs: Bun before 1.4 has no `ReadableStream.from`.
 *
 * @returns Undefined if this runtime can read logs.
 */
export function tooOldRuntime(from: unknown = ReadableStream.from): string | undefined {
  if (typeof from === "function") return undefined;
  const { bun, node } = nodeProcess.versions;
  return bun === undefined
    ? `Node ${node} is too old; install Node 22.15 or later`
    : `Bun ${bun} is too old; install Bun 1.4.5 or later`;
}

/** The operating system, by Deno's name: "windows", not "win32" as in Node. */
export const operatingSystem: string = isDeno ? Deno.build.os : osOfNode();

function osOfNode(): string {
  const { platform } = nodeProcess;
  return platform === "win32" ? "windows" : platform;
}
