/**
 * Finds the pane of a terminal program in which a process runs, and shows it. Asked are tmux (3.3),
 * herdr (0.9), WezTerm (20240203) and kitty (0.32), where they are installed.
 */
import { isObject } from "../event/guard.ts";
import { parsedJson } from "../event/parsed_json.ts";
import { type ChildProcess, startProgram } from "./child_process.ts";
import { pause } from "./pause.ts";
import { terminalOf } from "./process_terminal.ts";
import { sendSignal } from "./signals.ts";

/** A command line. */
type Line = readonly [program: string, ...args: string[]];

/** A pane of a terminal program. */
export interface TerminalPane {
  /** The program and the pane, for people. */
  name: string;
  /** Shows the pane. */
  show: Line;
  /** True if `show` needs this terminal, and ends when the person leaves. */
  takes_terminal: boolean;
}

/** What asking terminal programs needs. */
export interface PaneOptions {
  /** Returns the absolute path of a program; undefined where it is not installed. */
  find(name: string): string | undefined;
  /** Returns a variable of the environment. */
  variable(name: string): string | undefined;
}

/** Milliseconds that an answer may take. */
const PATIENCE_MS = 2000;

/** Returns the pane in which a process runs; undefined where no terminal program has it. */
export async function findPane(
  pid: number,
  options: PaneOptions,
): Promise<TerminalPane | undefined> {
  const terminal = await terminalOf(pid);
  if (terminal === undefined) return undefined;
  // The inner ones first: these run in windows of the others.
  for (const find of [paneOfTmux, paneOfHerdr, paneOfWezTerm, paneOfKitty]) {
    const pane = await find(terminal, options);
    if (pane !== undefined) return pane;
  }
  return undefined;
}

/** Runs a command line without a terminal. Returns false if it failed. */
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
  // The server around this program, and the usual one.
  const servers = variable("TMUX") ? [[], ["-L", "default"]] : [[]];
  const answers = await Promise.all(
    servers.map((words) => answerOf([program, ...words, "list-panes", "-a", "-F", FORMAT])),
  );
  const found = answers.join("\n").split("\n").map((line) => line.split("\t"))
    .find(([tty]) => tty === terminal);
  if (found === undefined) return undefined;
  const [, socket = "", target = "", name = ""] = found;
  // Within the same server this client changes to the pane.
  const is_inside = variable("TMUX")?.split(",")[0] === socket;
  const command = is_inside ? "switch-client" : "attach-session";
  return {
    name: `tmux pane ${name}`,
    show: [program, "-S", socket, command, "-t", target],
    takes_terminal: !is_inside,
  };
}

async function paneOfHerdr(
  terminal: string,
  { find }: PaneOptions,
): Promise<TerminalPane | undefined> {
  const program = find("herdr");
  if (program === undefined) return undefined;
  const listed = fieldOf(fieldOf(await jsonOf([program, "pane", "list"]), "result"), "panes");
  for (const one of listOf(listed)) {
    const id = fieldOf(one, "pane_id");
    if (typeof id !== "string") continue;
    const told = await jsonOf([program, "pane", "process-info", "--pane", id]);
    const pid = fieldOf(fieldOf(fieldOf(told, "result"), "process_info"), "shell_pid");
    if (typeof pid !== "number" || await terminalOf(pid) !== terminal) continue;
    return {
      name: `herdr pane ${id}`,
      show: [program, "agent", "focus", id],
      takes_terminal: false,
    };
  }
  return undefined;
}

async function paneOfWezTerm(
  terminal: string,
  { find }: PaneOptions,
): Promise<TerminalPane | undefined> {
  const program = find("wezterm");
  if (program === undefined) return undefined;
  // Without this word it starts a server where none runs.
  const cli = [program, "cli", "--no-auto-start"] as const;
  const panes = listOf(await jsonOf([...cli, "list", "--format", "json"]));
  const id = fieldOf(panes.find((one) => fieldOf(one, "tty_name") === terminal), "pane_id");
  if (id === undefined) return undefined;
  return {
    name: `WezTerm pane ${id}`,
    show: [...cli, "activate-pane", "--pane-id", `${id}`],
    takes_terminal: false,
  };
}

async function paneOfKitty(
  terminal: string,
  { find, variable }: PaneOptions,
): Promise<TerminalPane | undefined> {
  const program = find("kitten");
  const socket = variable("KITTY_LISTEN_ON");
  // Without a socket kitty would answer in this terminal, among the keys.
  if (program === undefined || socket === undefined) return undefined;
  const remote = [program, "@", "--to", socket] as const;
  const windows = listOf(await jsonOf([...remote, "ls"]))
    .flatMap((one) => listOf(fieldOf(one, "tabs")))
    .flatMap((one) => listOf(fieldOf(one, "windows")));
  for (const one of windows) {
    const [id, pid] = [fieldOf(one, "id"), fieldOf(one, "pid")];
    if (typeof pid !== "number" || await terminalOf(pid) !== terminal) continue;
    return {
      name: `kitty window ${id}`,
      show: [...remote, "focus-window", "--match", `id:${id}`],
      takes_terminal: false,
    };
  }
  return undefined;
}

function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

async function jsonOf(line: Line): Promise<unknown> {
  return parsedJson(await answerOf(line));
}

/** Runs a program without a shell, and returns its output; undefined where it fails or hangs. */
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
