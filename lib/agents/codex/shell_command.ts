/**
 * Recognizes calls that run a shell command, and extracts the command and its outcome. Codex has
 * several shell tools (core/src/tools). `shell` and `container.exec` take a list of words.
 * `shell_command` takes a text, and `exec_command` takes a text `cmd`.
 */
import type { CallStatus } from "../../core/event/message.ts";
import { asList, asNumber, asObject, asText, parsedObject, present } from "../engine/json.ts";

const TOOLS: ReadonlySet<string> = new Set([
  "shell",
  "container.exec",
  "shell_command",
  "exec_command",
  "local_shell",
]);
const SHELL = /(?:^|[\\/])(?:ba|z|da|k)?sh$/;
const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

export function shellCommand(tool: string, input: unknown): string | undefined {
  if (!TOOLS.has(tool)) return undefined;
  const { command, cmd } = asObject(input);
  if (typeof cmd === "string") return cmd;
  return commandText(command);
}

/** Returns a command (a text or a list of arguments) as a text. For `sh -c SCRIPT`, only SCRIPT. */
function commandText(command: unknown): string | undefined {
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

/** Returns the patch that a call applies with `apply_patch` or a shell script, else undefined. */
export function patchOf(tool: string, input: unknown): string | undefined {
  const { command, input: text } = asObject(input);
  const words = asList(command);
  if (tool === "apply_patch") {
    const patch = typeof input === "string" ? input : text;
    return typeof patch === "string" ? patch : undefined;
  }
  if (words[0] === "apply_patch" && typeof words[1] === "string") return words[1];
  return scriptedPatch(shellCommand(tool, input) ?? "");
}

/**
 * Matches a script that only applies a patch, with or without changing the directory. Codex also
 * extracts the patch from such a script (codex-rs/apply-patch, `maybe_parse_apply_patch`).
 */
const SCRIPT =
  /^\s*(?:cd\s+('[^']*'|"[^"]*"|[^\s;&|]+)\s*&&\s*)?(?:apply_patch|applypatch)\s*<<-?\s*(['"]?)(\w+)\2[ \t]*\n([^]*?)\n\3\s*$/;
const HEAD = /^(\*\*\* (?:(?:Add|Update|Delete) File|Move to): )(?![\\/]|[a-z]:)/gim;

function scriptedPatch(script: string): string | undefined {
  const [, directory, , , patch] = SCRIPT.exec(script) ?? [];
  if (directory === undefined || patch === undefined) return patch;
  const folder = directory.replace(/^(['"])(.*)\1$/, "$2").replace(/[\\/]+$/, "");
  return patch.replaceAll(HEAD, (head) => `${head}${folder}/`);
}

// Derives the outcome of a call from its result for the model. Codex wraps what a command gave, and
// each version in another way: `{"output":…,"metadata":{"exit_code":0,"duration_seconds":0.1}}`
// (0.40), `Exit code: 0\nWall time: …\nOutput:\n…`, and `Chunk ID: …\nWall time: …\nProcess exited
// with code 0\nOriginal token count: …\nOutput:\n…` (0.169, unified exec).

interface CallOutcome {
  status: CallStatus;
  /** The command's output, without the text that Codex wraps around it. */
  output: string;
  exit_code?: number;
  duration_ns?: number;
}

const WRAPPING =
  /^(?:Chunk ID: [^\n]*\n)?(?:Exit code: (-?\d+)\n)?Wall time: ([\d.]+) seconds\n(?:Process exited with code (-?\d+)\n)?(?:Original token count: \d+\n)?(?:Total output lines: \d+\n)?Output:\n/;
/** Start of the output of a stopped call (codex-rs/core/src/tools). */
const INTERRUPTED = /^(?:aborted|command aborted|tool call aborted)\b/i;
const SKIPPED =
  /^(?:exec command |patch |mcp tool call |tool call )?rejected by user|^user rejected/i;
const FAILED =
  /^(?:unsupported call|failed to parse function arguments|execution error|tool call error|exec_command failed|apply_patch verification failed|sandbox error)\b/i;

export function readOutcome(text: string): CallOutcome {
  const wrapped = readWrapping(text) ?? readJson(text);
  if (wrapped !== undefined) return wrapped;
  return { status: wordedStatus(text), output: text };
}

function wordedStatus(text: string): CallStatus {
  if (INTERRUPTED.test(text)) return "interrupted";
  if (SKIPPED.test(text)) return "skipped";
  return FAILED.test(text) ? "error" : "ok";
}

function readWrapping(text: string): CallOutcome | undefined {
  const [wrapping, early, seconds, late] = WRAPPING.exec(text) ?? [];
  const exit_code = early ?? late;
  // Without a code the process goes on, and the model needs to be told so.
  if (wrapping === undefined || exit_code === undefined) return undefined;
  return exited(text.slice(wrapping.length), Number(exit_code), Number(seconds));
}

function readJson(text: string): CallOutcome | undefined {
  if (!text.startsWith('{"output":')) return undefined;
  const { output, metadata } = parsedObject(text) ?? {};
  const { exit_code, duration_seconds } = asObject(metadata);
  const code = asNumber(exit_code);
  const inner = asText(output);
  if (code === undefined || inner === undefined) return undefined;
  return exited(inner, code, asNumber(duration_seconds));
}

function exited(output: string, exit_code: number, seconds: number | undefined): CallOutcome {
  return present({
    status: exit_code === 0 ? "ok" : "error",
    output,
    exit_code,
    duration_ns: seconds === undefined ? undefined : Math.round(seconds * 1e9),
  });
}
