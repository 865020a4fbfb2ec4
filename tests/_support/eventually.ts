/** Waiting for events that nothing announces: files, processes, screens. */

/** How long an event may take, on a machine that does much else. */
export const PATIENCE_MS = 60_000;
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 50;

/**
 * Asks until there is an answer, and returns it.
 *
 * @param seen Describes what is there instead, for the error.
 * @throws {Error} when there is still no answer after {@linkcode PATIENCE_MS}.
 */
export async function eventually<Answer>(
  ask: () => Answer | undefined | false | Promise<Answer | undefined | false>,
  seen: () => string = () => `${ask}`,
): Promise<Answer> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let pause = FIRST_PAUSE_MS;; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > deadline) throw new Error(`It did not happen: ${seen()}`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
