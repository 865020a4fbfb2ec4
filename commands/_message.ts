/**
 * What is told to the person at the terminal, on stderr.
 */
import type { Context } from "./_context.ts";

/**
 * Writes a message, and makes harmless what it holds of names, paths and references: whoever
 * planted them must not reach the terminal.
 */
export async function say(context: Context, message: string): Promise<void> {
  const { sanitizeText } = await import("../lib/render/sanitize.ts");
  context.stderr.write(`${sanitizeText(message)}\n`);
}
