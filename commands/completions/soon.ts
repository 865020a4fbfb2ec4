/** Answers within a time. */

/**
 * Waits for an answer, but only so long. After that it takes a quick answer, where there is one.
 *
 * @param quick Gives what is known without waiting; undefined where nothing is.
 */
export async function answerSoon<Answer>(
  answer: Promise<Answer>,
  milliseconds: number,
  quick: () => Promise<Answer | undefined>,
): Promise<Answer> {
  const late = Symbol("late");
  const { promise, resolve } = Promise.withResolvers<typeof late>();
  const timer = setTimeout(() => resolve(late), milliseconds);
  try {
    const first = await Promise.race([answer, promise]);
    return first === late ? await quick() ?? await answer : first as Answer;
  } finally {
    clearTimeout(timer);
  }
}
