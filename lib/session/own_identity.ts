/**
 * Facts about the process and its machine, read only with permission. Asking without it would make
 * Deno prompt.
 */
import { hostname } from "node:os";

type Fact = "hostname" | "uid" | "gid";

function mayAsk(kind: Fact): boolean {
  return Deno.permissions.querySync({ name: "sys", kind }).state === "granted";
}

/** The host's name; `unknown` where the program may not ask for it. */
export function hostName(): string {
  return mayAsk("hostname") ? hostname() : "unknown";
}

/** The user; undefined where there is none, or the program may not ask for it. */
export function ownUser(): number | undefined {
  return mayAsk("uid") ? Deno.uid() ?? undefined : undefined;
}

/** The user's own group; undefined where there is none, or the program may not ask for it. */
export function ownGroup(): number | undefined {
  return mayAsk("gid") ? Deno.gid() ?? undefined : undefined;
}
