/**
 * The machine's name, for whoever finds a session locked. Not worth a permission of its own.
 */
import { hostname } from "node:os";

/** The host's name; `unknown` where the program may not ask for it. */
export function hostName(): string {
  // Asking without the permission would make Deno prompt for it.
  const { state } = Deno.permissions.querySync({ name: "sys", kind: "hostname" });
  return state === "granted" ? hostname() : "unknown";
}
