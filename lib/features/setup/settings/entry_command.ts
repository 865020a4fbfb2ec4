/** Reads the command of a server's entry, as programs write one in JSON, TOML or YAML. Pure. */
import type { EntryPath, SettingsText } from "./settings_text.ts";

const PROGRAM = /(?<![\w-])(?:command|cmd)["']?\s*[:=]\s*(\[[^\]]*\]|[^\n,]+)/;
const ARGS = /(?<![\w-])args["']?\s*[:=]\s*(\[[^\]]*\]|(?:\s*-\s+[^\n]+)+)/;
const WORDS = /"((?:\\.|[^"\\])*)"|'([^']*)'|([^\s,"'[\]{}-][^\s,\]}]*|-[^\s,\]}]+)/g;

/** True if an entry runs this command. Compares file names: the program may have moved. */
export function runsCommand(
  format: SettingsText,
  text: string,
  path: EntryPath,
  command: readonly string[],
): boolean {
  const entry = removedPart(text, format.remove(text, path));
  const words = [PROGRAM, ARGS].flatMap((part) => wordsOf(part.exec(entry)?.[1] ?? ""));
  return words.length === command.length &&
    words.every((word, index) => fileName(word) === fileName(command[index] ?? ""));
}

function removedPart(text: string, left: string): string {
  let start = 0;
  while (start < left.length && text[start] === left[start]) start++;
  let end = 0;
  while (end < left.length - start && text.at(-1 - end) === left.at(-1 - end)) end++;
  return text.slice(start, text.length - end);
}

function wordsOf(list: string): string[] {
  return [...list.matchAll(WORDS)].map(([, double, single, bare]) =>
    double ?? single ?? bare ?? ""
  );
}

function fileName(path: string): string {
  return path.split(/[\\/]+/).at(-1)?.replace(/\.exe$/i, "") ?? "";
}
