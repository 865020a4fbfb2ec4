/** Quotes words of a command for a shell, and splits command lines that no shell sees. */

/** Matches a word that needs no quotes in a shell. A leading `~` does, because shells expand it. */
const PLAIN = /^[\w@%+=:,./-][\w@%+=:,./~-]*$/;

/** Invisible characters, and those that change how the rest is shown. */
const UNSEEN = /[[\p{C}\p{Z}]--[ ]]/v;
const EVERY_UNSEEN = new RegExp(UNSEEN, "gv");

const encoder = new TextEncoder();

/** Quotes a word for a shell, if needed. Invisible characters are escaped. */
export function quoteWord(word: string): string {
  if (PLAIN.test(word)) return word;
  if (!UNSEEN.test(word)) return `'${word.replaceAll("'", "'\\''")}'`;
  const escaped = word.replace(/[\\']/g, "\\$&").replace(EVERY_UNSEEN, octal);
  return `$'${escaped}'`;
}

function octal(character: string): string {
  return Array.from(encoder.encode(character), (byte) => `\\${byte.toString(8).padStart(3, "0")}`)
    .join("");
}

/** A word of a shell's line. Quotes hold spaces together; no other character is special. */
const WORD = /(?:[^\s"']|"[^"]*"|'[^']*')+/g;

/** Splits a command line into its words. No shell is used, so nothing is expanded. */
export function commandWords(line: string): string[] {
  return (line.match(WORD) ?? []).map((word) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single)
  );
}

/** Returns the command line that {@linkcode commandWords} splits into some words. */
export function commandLine(words: readonly string[]): string {
  return words.map((word) =>
    word.replaceAll(
      /[^"']+|"+|'+/g,
      (run) =>
        run.startsWith('"') ? `'${run}'` : run.startsWith("'") || /\s/.test(run) ? `"${run}"` : run,
    ) ||
    '""'
  ).join(" ");
}
