/** Writes the shell line that continues a session that was handed over. */
import type { HandoverOutcome } from "./hand_over_session.ts";
import { quoteWord } from "../../lib/core/platform/shell_word.ts";

export function resumeLine(
  { prepare, command: { argv, in_directory } }: NonNullable<HandoverOutcome["done"]>,
  cwd: string,
): string {
  const commands = [...prepare, argv].map((words) => words.map(quoteWord).join(" "));
  const moves = in_directory || prepare.length > 0 ? [`cd ${quoteWord(cwd)}`] : [];
  return [...moves, ...commands].join(" && ");
}
