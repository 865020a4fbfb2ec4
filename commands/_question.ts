/**
 * Asking the person at the terminal.
 */
import type { Context } from "./_context.ts";

/** Asks a question that takes yes or no; anything but yes is no, the end of the input too. */
export async function isConfirmed(context: Context, question: string): Promise<boolean> {
  context.stderr.write(`${question} [y/N] `);
  const decoder = new TextDecoder();
  let answer = "";
  for await (const chunk of context.stdin()) {
    answer += decoder.decode(chunk, { stream: true });
    if (answer.includes("\n")) break;
  }
  return /^\s*y(es)?\s*$/i.test(answer.split("\n")[0] ?? "");
}
