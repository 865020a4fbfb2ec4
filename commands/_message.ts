/** Prints messages on stderr, and values and JSON on stdout. */
import type { Context, TextOutput } from "./_context.ts";

const MOST_SHOWN = 2000;
/** Number of characters kept from the end of a cut message, because advice stands at the end. */
const END_SHOWN = 400;

/**
 * Writes a message to stderr. Names, paths and references are sanitized, because attackers may have
 * chosen them. A message that repeats a long argument is cut in its middle.
 */
export async function say(context: Context, message: string): Promise<void> {
  const { sanitizeText } = await import("../lib/text/render/sanitize.ts");
  const text = await fitted(context.stderr, sanitizeText(clipText(message)));
  context.stderr.write(`${text}\n`);
}

/** Breaks text between words for a terminal. Leaves text for a pipe unchanged. */
export async function fitted({ terminal, width }: TextOutput, text: string): Promise<string> {
  if (!terminal || text.split("\n").every((line) => line.length <= width / 2)) return text;
  const { wrapWords } = await import("../lib/text/render/wrap.ts");
  return wrapWords(text, width).join("\n");
}

function clipText(text: string): string {
  if (text.length <= MOST_SHOWN) return text;
  const left_out = text.length - MOST_SHOWN;
  const start = text.slice(0, MOST_SHOWN - END_SHOWN).toWellFormed();
  return `${start}… ${left_out} more characters …${text.slice(-END_SHOWN).toWellFormed()}`;
}

/** Writes text to stdout: exact for a program, sanitized and broken between words on a terminal. */
export async function printFitted({ stdout }: Context, text: string): Promise<void> {
  const { sanitizeText } = await import("../lib/text/render/sanitize.ts");
  const shown = stdout.terminal ? await fitted(stdout, sanitizeText(text)) : text;
  stdout.write(`${shown}\n`);
}

/** Writes a path or a value to stdout: exact for a program, sanitized on a terminal. */
export async function printExact({ stdout }: Context, text: string): Promise<void> {
  const { sanitizeLine } = await import("../lib/text/render/sanitize.ts");
  stdout.write(`${stdout.terminal ? sanitizeLine(text) : text}\n`);
}

export async function printJson(context: Pick<Context, "stdout">, value: unknown): Promise<void> {
  await printJsonLines(context, [value]);
}

export async function printJsonLines(
  { stdout }: Pick<Context, "stdout">,
  values: Iterable<unknown>,
): Promise<void> {
  const { toJsonLine } = await import("../lib/text/render/json_lines.ts");
  for (const value of values) stdout.write(toJsonLine(value));
}
