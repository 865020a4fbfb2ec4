/**
 * Finds the terminal pane in which a process runs, and shows it. Supports tmux (3.3), herdr (0.9),
 * WezTerm (20240203) and kitty (0.32), if they are installed.
 */
import { isObject } from "../event/guard.ts";
import { parsedJson } from "../event/parsed_json.ts";
import { type ChildProcess, startProgram } from "./child_process.ts";
import { pause } from "./pause.ts";
import { terminalOf } from "./process_terminal.ts";
import { sendSignal } from "./signals.ts";

type Line = readonly [program: string, ...args: string[]];

export interface TerminalPane {
  /** The displayed name, such as "tmux pane work:1.0". */
  name: string;
  show: Line;
  /** True if `show` takes over this terminal until the user leaves the pane. */
  takes_terminal: boolean;
}

export interface PaneOptions {
  find(name: string): string | undefined;
  variable(name: string): string | undefined;
}

/** Maximum milliseconds to wait for a program's answer. */
const PATIENCE_MS = 2000;

export async function findPane(
  pid: number,
  options: PaneOptions,
): Promise<TerminalPane | undefined> {
  const terminal = await terminalOf(pid);
  if (terminal === undefined) return undefined;
  // The first two come first because they run in windows of the others.
  for (const find of [paneOfTmux, paneOfHerdr, paneOfWezTerm, paneOfKitty]) {
    const pane = await find(terminal, options);
    if (pane !== undefined) return pane;
  }
  return undefined;
}

/** Runs the pane's `show` command without a terminal. Returns false if it fails. */
export async function showPane({ show }: TerminalPane): Promise<boolean> {
  return await answerOf(show) !== undefined;
}

const FORMAT = "#{pane_tty}\t#{socket_path}\t#{session_id}:#{window_id}.#{pane_id}\t" +
  "#{session_name}:#{window_index}.#{pane_index}";

async function paneOfTmux(
  terminal: string,
  { find, variable }: PaneOptions,
): Promise<TerminalPane | undefined> {
  const program = find("tmux");
  if (program === undefined) return undefined;
  // The tmux server around this program, and the usual one.
  const servers = variable("TMUX") ? [[], ["-L", "default"]] : [[]];
  const answers = await Promise.all(
    servers.map((words) => answerOf([program, ...words, "list-panes", "-a", "-F", FORMAT])),
  );
  const found = answers.join("\n").split("\n").map((line) => line.split("\t"))
    .find(([tty]) => tty === terminal);
  if (found === undefined) return undefined;
  const [, socket = "", target = "", name = ""] = found;
  // Within the same tmux server, this client changes to the pane.
  const is_inside = variable("TMUX")?.split(",")[0] === socket;
  const command = is_inside ? "switch-client" : "attach-session";
  const show: Line = [program, "-S", socket, command, "-t", target];
  return { name: `tmux pane ${name}`, show, takes_terminal: !is_inside };
}

async function paneOfHerdr(
  terminal: string,
  { find }: PaneOptions,
): Promise<TerminalPane | undefined> {
  const program = find("herdr");
  if (program === undefined) return undefined;
  const panes = await objectsOf([program, "pane", "list"]);
  for (const id of new Set(panes.map(({ pane_id }) => pane_id))) {
    if (typeof id !== "string") continue;
    const told = await objectsOf([program, "pane", "process-info", "--pane", id]);
    const pid = told.find(({ shell_pid }) => shell_pid !== undefined)?.shell_pid;
    if (!await runsOn(terminal, pid)) continue;
    const show: Line = [program, "agent", "focus", id];
    return { name: `herdr pane ${id}`, show, takes_terminal: false };
  }
  return undefined;
}

async function paneOfWezTerm(
  terminal: string,
  { find }: PaneOptions,
): Promise<TerminalPane | undefined> {
  const program = find("wezterm");
  if (program === undefined) return undefined;
  // Without this option, WezTerm starts a server if none runs.
  const cli = [program, "cli", "--no-auto-start"] as const;
  const panes = await objectsOf([...cli, "list", "--format", "json"]);
  const id = panes.find(({ tty_name }) => tty_name === terminal)?.pane_id;
  if (id === undefined) return undefined;
  const show: Line = [...cli, "activate-pane", "--pane-id", `${id}`];
  return { name: `WezTerm pane ${id}`, show, takes_terminal: false };
}

async function paneOfKitty(
  terminal: string,
  { find, variable }: PaneOptions,
): Promise<TerminalPane | undefined> {
  const program = find("kitten");
  const socket = variable("KITTY_LISTEN_ON");
  // Without a socket, kitty would answer in this terminal, between typed keys.
  if (program === undefined || socket === undefined) return undefined;
  const remote = [program, "@", "--to", socket] as const;
  for (const { id, pid } of await objectsOf([...remote, "ls"])) {
    // Processes in a window have no id.
    if (id === undefined || !await runsOn(terminal, pid)) continue;
    const show: Line = [...remote, "focus-window", "--match", `id:${id}`];
    return { name: `kitty window ${id}`, show, takes_terminal: false };
  }
  return undefined;
}

async function runsOn(terminal: string, pid: unknown): Promise<boolean> {
  return typeof pid === "number" && await terminalOf(pid) === terminal;
}

/** Runs a command and returns all objects in its JSON output, outer objects first. */
async function objectsOf(line: Line): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  const take = (value: unknown): void => {
    if (isObject(value)) found.push(value);
    if (typeof value === "object" && value !== null) Object.values(value).forEach(take);
  };
  take(parsedJson(await answerOf(line)));
  return found;
}

/** Runs a program without a shell. Returns its output, or undefined if it fails or hangs. */
async function answerOf([program, ...args]: Line): Promise<string | undefined> {
  let child: ChildProcess | undefined;
  const late = new AbortController();
  try {
    child = startProgram(program, { args, stdin: "null", stdout: "piped", stderr: "null" });
    const { status, stdout } = child;
    const answer = Promise.all([new Response(stdout).text(), status]);
    const first = await Promise.race([answer, pause(PATIENCE_MS, late.signal)]);
    if (first !== undefined) return first[1].code === 0 ? first[0] : undefined;
    sendSignal(child.pid, "SIGTERM");
  } catch {
    // No such program, or it has ended meanwhile.
  } finally {
    late.abort();
  }
  return undefined;
}
