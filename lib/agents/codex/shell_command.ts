/**
 * Recognizes calls that run a shell command, and extracts the command. Codex's tools for that
 * (core/src/tools): `shell` and `container.exec` take a list of words, `shell_command` a text,
 * `exec_command` a text `cmd`.
 */
import { asList, asObject } from "../../reading/json_value.ts";

const TOOLS: ReadonlySet<string> = new Set([
  "shell",
  "container.exec",
  "shell_command",
  "exec_command",
  "local_shell",
]);
const SHELL = /(?:^|[\\/])(?:ba|z|da|k)?sh$/;
const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

/** The command that a call runs; undefined when it runs none. */
export function shellCommand(tool: string, input: unknown): string | undefined {
  if (!TOOLS.has(tool)) return undefined;
  const { command, cmd } = asObject(input);
  if (typeof cmd === "string") return cmd;
  return commandText(command);
}

/** A command given as a text, or as words: a script for a shell is shown as it is. */
export function commandText(command: unknown): string | undefined {
  if (typeof command === "string") return command;
  const words = asList(command);
  if (words.length === 0 || words.some((word) => typeof word !== "string")) return undefined;
  const [program = "", flag = "", script] = words as string[];
  if (words.length === 3 && script !== undefined && SHELL.test(program) && /^-l?c$/.test(flag)) {
    return script;
  }
  return (words as string[]).map(quoted).join(" ");
}

function quoted(word: string): string {
  return PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The patch that a call applies, as a tool of its own or by the shell; undefined if none. */
export function patchOf(tool: string, input: unknown): string | undefined {
  const { command, input: text } = asObject(input);
  const words = asList(command);
  if (tool === "apply_patch") {
    const patch = typeof input === "string" ? input : text;
    return typeof patch === "string" ? patch : undefined;
  }
  if (words[0] === "apply_patch" && typeof words[1] === "string") return words[1];
  return undefined;
}
