/** Quotes words and commands for the user's shell, and splits command lines without a shell. */
import { environmentVariable, mayReadVariable } from "./process.ts";
import { operatingSystem } from "./runtime.ts";

export type ShellKind = "posix" | "powershell" | "cmd";

/** Patterns of words that need no quotes. A leading `~` needs quotes, because shells expand it. */
const PLAIN: Readonly<Record<ShellKind, RegExp>> = {
  posix: /^[\w@%+=:,./-][\w@%+=:,./~-]*$/,
  // In PowerShell, a comma makes a list, and `@` stands for several arguments.
  powershell: /^[\w+=:./\\-][\w+=:./\\~-]*$/,
  cmd: /^[\w@+:./\\-][\w@+:./\\~-]*$/,
};

/** Matches invisible characters, and characters that change how the rest of a text is shown. */
const UNSEEN = /[[\p{C}\p{Z}]--[ ]]/v;
const EVERY_UNSEEN = new RegExp(UNSEEN, "gv");

const encoder = new TextEncoder();

/**
 * Returns the shell in which the user types. On Windows, Git Bash sets `MSYSTEM`, and `cmd.exe`
 * sets `PROMPT`. PowerShell sets neither.
 */
function userShell(): ShellKind {
  if (operatingSystem !== "windows") return "posix";
  const has = (name: string): boolean => mayReadVariable(name) && !!environmentVariable(name);
  if (has("MSYSTEM")) return "posix";
  return has("PROMPT") ? "cmd" : "powershell";
}

/** Quotes a word for the user's shell, if needed. Invisible characters are escaped. */
export function quoteWord(word: string): string {
  return quoteFor(userShell(), word);
}

export function quoteFor(shell: ShellKind, word: string): string {
  if (PLAIN[shell].test(word)) return word;
  switch (shell) {
    case "posix":
      return quotePosix(word);
    case "powershell":
      return quotePowerShell(word);
    case "cmd":
      return quoteCmd(word);
  }
}

function quotePosix(word: string): string {
  if (!UNSEEN.test(word)) return `'${word.replaceAll("'", "'\\''")}'`;
  const escaped = word.replace(/[\\']/g, "\\$&").replace(EVERY_UNSEEN, octal);
  return `$'${escaped}'`;
}

function octal(character: string): string {
  return Array.from(encoder.encode(character), (byte) => `\\${byte.toString(8).padStart(3, "0")}`)
    .join("");
}

/** Quotes a word for PowerShell, which treats curly quotes like straight ones. */
function quotePowerShell(word: string): string {
  if (!UNSEEN.test(word)) return `'${word.replace(/['‘-‛]/g, "$&$&")}'`;
  const escaped = word.replace(/[`$"“-„]/g, "`$&").replace(
    EVERY_UNSEEN,
    (character) => `$([char]::ConvertFromUtf32(0x${character.codePointAt(0)?.toString(16)}))`,
  );
  return `"${escaped}"`;
}

/** Quotes a word for `cmd.exe`. Invisible characters become `?`, which matches any character. */
function quoteCmd(word: string): string {
  const shown = word.replace(EVERY_UNSEEN, "?").replaceAll('"', '""');
  return `"${shown.replace(/\\+$/, "$&$&")}"`;
}

export function shellCommand(argv: readonly string[], shell: ShellKind = userShell()): string {
  const words = argv.map((word) => quoteFor(shell, word));
  // PowerShell prints a quoted text alone, and does not start it.
  const starts = shell === "powershell" && words[0] !== argv[0] ? ["&"] : [];
  return [...starts, ...words].join(" ");
}

export function shellLine(
  directory: string | undefined,
  commands: readonly (readonly string[])[],
  shell: ShellKind = userShell(),
): string {
  // Without `/d`, another drive is not entered.
  const change = shell === "cmd" ? "cd /d" : "cd";
  const moves = directory === undefined ? [] : [`${change} ${quoteFor(shell, directory)}`];
  const lines = [...moves, ...commands.map((argv) => shellCommand(argv, shell))];
  // The PowerShell of Windows has no `&&`.
  return lines.join(shell === "powershell" ? "; " : " && ");
}

/** Matches a word of a command line. Quotes group spaces, and no other character is special. */
const WORD = /(?:[^\s"']|"[^"]*"|'[^']*')+/g;

/** Splits a command line without a shell, so nothing is expanded. */
export function commandWords(line: string): string[] {
  return (line.match(WORD) ?? []).map((word) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single)
  );
}

/** Joins words to a command line that {@linkcode commandWords} splits into the same words. */
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
