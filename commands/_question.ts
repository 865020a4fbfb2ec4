/**
 * Asking the person at the terminal.
 */
import type { Context } from "./_context.ts";

/** Asks for a line; empty at the end of the input. The input can be read again afterwards. */
export async function askLine(context: Context, question: string): Promise<string> {
  context.stderr.write(question);
  const reader = context.stdin().getReader();
  const decoder = new TextDecoder();
  let answer = "";
  try {
    while (!answer.includes("\n")) {
      const { value, done } = await reader.read();
      if (done) break;
      answer += decoder.decode(value, { stream: true });
    }
  } finally {
    reader.releaseLock();
  }
  return (answer.split("\n")[0] ?? "").trim();
}

/** Asks a question that takes yes or no; anything but yes is no, the end of the input too. */
export async function isConfirmed(context: Context, question: string): Promise<boolean> {
  return /^y(es)?$/i.test(await askLine(context, `${question} [y/N] `));
}
