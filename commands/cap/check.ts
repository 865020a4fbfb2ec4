/** `reprise cap check`: the hook that warns Claude Code near a cap and stops it above. */
import { readCaps } from "../../lib/core/workspace/caps_file.ts";
import type { Context } from "../_context.ts";
import { contextLibrary } from "../_library.ts";

/** Maximum characters of the hook's input. A tool call may contain a whole file. */
const MOST_INPUT = 64 * 1024 * 1024;

/** Prints the answer to a hook call, or nothing after an error, which must not stop the agent. */
export async function checkCaps(context: Context): Promise<void> {
  try {
    const text = await readInput(context);
    const library = contextLibrary(context);
    if (readCaps(library.root).length === 0) return;
    const { capAnswer } = await import("../../lib/library/limits/caps/cap_answer.ts");
    const answer = await capAnswer(library, text, { cwd: context.cwd, now: context.now() });
    if (answer !== undefined) context.stdout.write(`${JSON.stringify(answer)}\n`);
  } catch {
    // The agent goes on.
  }
}

/**
 * Reads standard input to its end, because the agent fails if it cannot write all of it. Drops text
 * beyond {@linkcode MOST_INPUT} characters.
 */
async function readInput({ stdin }: Context): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stdin()) {
    if (text.length < MOST_INPUT) text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
