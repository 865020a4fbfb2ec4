/** Opens files in the user's editor. */
import { basename, dirname, isAbsolute } from "node:path";
import type { SessionHandle } from "../lib/library/handle/session_handle.ts";
import type { FilePlace } from "../lib/frontends/screens/reader/actions.ts";
import type { TerminalScreen } from "../lib/frontends/ui/terminal_screen.ts";
import type { Context } from "./_context.ts";
import { STATUS } from "./_failure.ts";
import { userProgram } from "./_user_program.ts";

/** Editors that take a line as `PATH:LINE`. Those in `GOTO_EDITORS` need `--goto` first. */
const COLON_EDITORS = /^(?:subl|zed|hx|helix|lapce)$/;
const GOTO_EDITORS = /^(?:code|code-insiders|codium|cursor|windsurf|positron)$/;

export function planEdit(
  { path, line }: FilePlace,
  command: string,
  find: (name: string) => string | undefined,
): { program: string; args: string[] } | undefined {
  const [name = "", ...args] = command.trim().split(/\s+/);
  const program = isAbsolute(name) ? name : find(name);
  if (program === undefined) return undefined;
  const editor = basename(name);
  if (GOTO_EDITORS.test(editor)) args.push("--goto", `${path}:${line}`);
  else if (COLON_EDITORS.test(editor)) args.push(`${path}:${line}`);
  else args.push(`+${line}`, path);
  return { program, args };
}

/** Opens a file in `$VISUAL` or `$EDITOR`. Returns an error message, or "" on success. */
export async function editFile(
  context: Context,
  session: SessionHandle,
  screen: TerminalScreen,
  file: FilePlace,
): Promise<string> {
  const command = context.variable("VISUAL") || context.variable("EDITOR") || "";
  const cannot = `Cannot open ${file.path}:`;
  if (command === "") return `${cannot} EDITOR is not set. Set it: export EDITOR=nano`;
  // A program of the project could be anyone's.
  const { cwd = dirname(file.path) } = await session.summary();
  const plan = planEdit(file, command, (name) => userProgram(context, name, cwd));
  const { runInForeground } = await import("../lib/core/platform/foreground.ts");
  const run = plan && { args: plan.args, cwd: context.cwd };
  const exit = run &&
    await screen.lend(() => runInForeground(plan.program, run).catch(() => undefined));
  if (exit === undefined) {
    return `${cannot} ${command} does not start. Set EDITOR to a working editor`;
  }
  return exit.code === STATUS.done ? "" : `The editor exited with status ${exit.code}`;
}
