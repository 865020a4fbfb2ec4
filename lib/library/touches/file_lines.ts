/** Splits texts into lines without carriage returns, to compare changes with files. Pure. */

export function comparedLine(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

/** Drops carriage returns, and the empty line after a final line feed. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n").map(comparedLine);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
