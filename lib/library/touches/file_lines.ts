/** The lines of a file, as changes are compared with them. Pure. */

/** Removes the carriage return of a line's end, for comparisons. */
export function comparedLine(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

/** Returns the lines of a text, without line feeds and carriage returns. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n").map(comparedLine);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
