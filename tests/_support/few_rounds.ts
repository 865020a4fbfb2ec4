/**
 * Whether tests of many rounds take a part of them: where they run once more, on another runtime, and
 * the code that they go round in is the same.
 */

/** True where a part of the rounds is enough. */
export const FEW_ROUNDS: boolean = Deno.env.get("REPRISE_FEW_ROUNDS") !== undefined;

/** How many rounds a test takes of those that it has. */
export function roundsOf(all: number): number {
  return FEW_ROUNDS ? Math.ceil(all / 16) : all;
}
