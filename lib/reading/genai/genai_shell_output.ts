/**
 * Extracts a shell command's output from its result for the model. The form is that of Gemini CLI
 * and Qwen Code (packages/core/src/tools/shell.ts). Lines are `Command: …`, `Directory: …`,
 * `Output: …`, `Error: …`, `Exit Code: …`, `Signal: …`, `Background PIDs: …`,
 * `Process Group PGID: …`. Gemini CLI 0.61 leaves out empty ones, and wraps all in
 * `<untrusted_context>`.
 */

/** What a shell command gave. */
export interface ShellOutput {
  output: string;
  exit_code?: number;
}

const WRAPPING = /^<untrusted_context>\n([\s\S]*?)\n?<\/untrusted_context>\s*$/;
const OUTPUT = /(?:^|\n)Output: ([\s\S]*)$/;
/** The fields behind the output, each on a line of its own, up to the end. */
const FIELDS = /(?:\n(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): [^\n]*)+\s*$/;
const EXIT_CODE = /\nExit Code: (-?\d+)/;
const ERROR = /\nError: ([^\n]*)/;

/** Reads what the model was told; a text in another form stays as it is. */
export function readShellOutput(text: string): ShellOutput {
  const told = WRAPPING.exec(text)?.[1] ?? text;
  const rest = OUTPUT.exec(told)?.[1];
  if (rest === undefined) return { output: text };
  const fields = FIELDS.exec(rest)?.[0] ?? "";
  const output = rest.slice(0, rest.length - fields.length);
  const code = EXIT_CODE.exec(fields)?.[1];
  const error = ERROR.exec(fields)?.[1];
  return {
    output: [said(output), said(error)].filter((line) => line !== "").join("\n"),
    ...(code === undefined ? {} : { exit_code: Number(code) }),
  };
}

/** Nothing is told as `(empty)` and `(none)`. */
function said(text: string | undefined): string {
  return text === undefined || text === "(empty)" || text === "(none)" ? "" : text;
}
