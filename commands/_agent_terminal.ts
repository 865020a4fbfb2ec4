/** Goes to the terminal in which a session's agent runs. */
import type { RunningSessions } from "../lib/library/running/running_sessions.ts";
import type { Summary } from "../lib/core/projection/summary_row.ts";
import type { TerminalScreen } from "../lib/frontends/ui/terminal_screen.ts";
import { homeFolder } from "../lib/core/workspace/home_folder.ts";
import type { Context } from "./_context.ts";
import { userProgram } from "./_user_program.ts";

export async function goToAgent(
  context: Context,
  running: RunningSessions,
  row: Summary,
  screen: TerminalScreen,
): Promise<string> {
  const pid = await running.processOf(row);
  if (pid === undefined) {
    return "Cannot find this session's terminal, because its agent does not record which process " +
      "runs the session. To read the session here, press r";
  }
  const { findPane, showPane } = await import("../lib/core/platform/terminal_pane.ts");
  const { variable, cwd } = context;
  const find = (name: string): string | undefined => userProgram(context, name, cwd);
  const pane = await findPane(pid, { find, variable });
  if (pane?.takes_terminal) {
    const { runInForeground } = await import("../lib/core/platform/foreground.ts");
    const [program, ...args] = pane.show;
    // Within another server tmux would refuse.
    await screen.lend(() => runInForeground(program, { args, cwd, env: { TMUX: "" } }));
    return "";
  }
  if (pane !== undefined && await showPane(pane)) return `Went to ${pane.name}`;
  const { terminalOf } = await import("../lib/core/platform/process_terminal.ts");
  const { directoryText } = await import("../lib/text/render/path_text.ts");
  const place = pane?.name ?? await terminalOf(pid);
  return [
    `Runs as process ${pid}`,
    place && `on ${place}`,
    row.cwd === undefined ? "" : `in ${directoryText(row.cwd, homeFolder(variable))}`,
  ].filter(Boolean).join(" ");
}
