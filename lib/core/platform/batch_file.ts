/** Starts Windows batch files, such as `claude.cmd`, which npm makes for each program. */
import { notFound } from "./system_error.ts";

/** Characters that have a meaning for `cmd.exe`, even in quotes. */
const SPECIAL = /[()\][%!^"`<>&|;, *?]/g;

function withCarets(text: string): string {
  return text.replace(SPECIAL, "^$&");
}

/** Quotes an argument for the program's own parser (CommandLineToArgvW), then for `cmd.exe`. */
function argument(text: string): string {
  const quoted = `"${text.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
  // Twice: the batch file passes its arguments on, and `cmd.exe` reads them again.
  return withCarets(withCarets(quoted));
}

export function isBatchFile(program: string): boolean {
  return /\.(?:cmd|bat)$/i.test(program);
}

/**
 * Returns the arguments with which `cmd.exe` starts a batch file. Pass them without more quotes.
 *
 * @throws For an argument with a line break, at which `cmd.exe` would cut the line.
 */
export function batchArguments(program: string, args: readonly string[]): string[] {
  if (args.some((arg) => /[\r\n\0]/.test(arg))) {
    throw notFound(`arguments of a batch file cannot contain line breaks: ${program}`);
  }
  const line = [withCarets(program), ...args.map(argument)].join(" ");
  return ["/d", "/v:off", "/s", "/c", `"${line}"`];
}
