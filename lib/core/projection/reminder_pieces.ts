/** Finds the reminders that agents put into texts. */

interface TextPiece {
  text: string;
  is_reminder: boolean;
}

const OPEN = "<system-reminder>";
const CLOSE = "</system-reminder>";
/**
 * Splits a text into pieces, in linear time. A reminder starts a line and has a closing tag. All
 * other text is prose, such as a reminder within a quoted log.
 */
export function splitReminders(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let at = 0;
  for (let open = text.indexOf(OPEN); open >= 0;) {
    const close = text.indexOf(CLOSE, open);
    if (close < 0) break;
    const is_quoted = open > at && text[open - 1] !== "\n";
    if (!is_quoted) {
      if (open > at) pieces.push({ text: text.slice(at, open), is_reminder: false });
      pieces.push({ text: text.slice(open + OPEN.length, close).trim(), is_reminder: true });
      at = close + CLOSE.length;
    }
    open = text.indexOf(OPEN, close);
  }
  if (at < text.length) pieces.push({ text: text.slice(at), is_reminder: false });
  return pieces;
}
