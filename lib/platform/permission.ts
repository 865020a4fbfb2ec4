/** Tells what the program may do. Deno asks the user where it is not told; Node and Bun allow all. */
import { isDeno } from "./runtime.ts";

/** A fact about the machine that Deno does not tell everyone. */
export type SystemFact = "hostname" | "uid" | "gid";

function isGranted(descriptor: Deno.PermissionDescriptor): boolean {
  return !isDeno || Deno.permissions.querySync(descriptor).state === "granted";
}

/** True where a path can be read without a prompt. */
export function mayRead(path: string): boolean {
  return isGranted({ name: "read", path });
}

/** True where a variable of the environment can be read without a prompt. */
export function mayReadVariable(variable: string): boolean {
  return isGranted({ name: "env", variable });
}

/** True where a fact can be had without a prompt. */
export function mayKnow(fact: SystemFact): boolean {
  return isGranted({ name: "sys", kind: fact });
}
