/** Shows what a question is about, so that nothing of it is overlooked. Pure. */
import { sanitizeText } from "./sanitize.ts";

/**
 * Makes control characters and line ends visible.
 *
 * @param text What is asked about. @param left_out Characters that are missing at its end.
 */
export function questionText(text: string, left_out: number): string {
  const shown = sanitizeText(text).replaceAll("\n", "␊\n");
  return left_out === 0 ? shown : `${shown}\n… ${left_out} more characters are not shown`;
}
