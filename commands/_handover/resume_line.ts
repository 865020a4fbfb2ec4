/** Formats the shell command line that continues a handed-over session. */
import type { HandoverOutcome } from "./hand_over_session.ts";
import { shellLine } from "../../lib/core/platform/shell_word.ts";

export function resumeLine(
  { prepare, command: { argv, in_directory } }: NonNullable<HandoverOutcome["done"]>,
  cwd: string,
): string {
  const moves = in_directory || prepare.length > 0;
  return shellLine(moves ? cwd : undefined, [...prepare, argv]);
}
