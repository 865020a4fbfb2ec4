/** What `test:clients:quick` leaves out: it tries each client and each kind of check, not each pair. */

/** True in a quick run. */
export const QUICK: boolean = Deno.env.get("REPRISE_CLIENTS") === "quick";

/** Returns all columns of a table's row. A quick run gets one: rows take turns, the first takes the last. */
export function chosen<T>(all: readonly T[], row = 0): readonly T[] {
  if (!QUICK) return all;
  const at = (row + all.length - 1) % all.length;
  return all.slice(at, at + 1);
}

/** Prints a line as it comes, which a test's own output would not. */
export function tell(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${text}\n`));
}
