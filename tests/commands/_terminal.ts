/** A real terminal: a tmux server of its own, whose one pane runs a shell script. */
import type { Requirement } from "../_support/needing.ts";
import { join } from "node:path";
import { cliCommand, cliEnvironment } from "../_support/cli.ts";
import { type CliHome, testsAtHome } from "../_support/cli_home.ts";
import { eventually } from "../_support/eventually.ts";
import { TERMINAL_CACHES } from "../_support/terminal_caches.ts";
import { TmuxClient } from "../_support/tmux_client.ts";

/** True if tmux is installed. */
export const HAS_TERMINAL = Deno.build.os !== "windows" && isThere("tmux") && isThere("less");

function isThere(program: string): boolean {
  try {
    return new Deno.Command(program, { args: ["-V"], stdin: "null", stdout: "null" })
      .outputSync().success;
  } catch {
    // Not installed.
    return false;
  }
}

/** The size and the environment of a terminal. */
export interface TerminalOptions {
  columns: number;
  rows?: number;
  env?: Record<string, string>;
}

/** Returns the shell words that run the program. */
export function shellLine(args: readonly string[]): string {
  return [...cliCommand(), ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
}

/** A terminal that runs a script; ended with its processes. */
export class Terminal implements AsyncDisposable {
  readonly #tmux: TmuxClient;

  private constructor(tmux: TmuxClient) {
    this.#tmux = tmux;
  }

  /** Opens a terminal and runs `script` in it. All that it writes is kept as it was written. */
  static async open(home: CliHome, script: string, options: TerminalOptions): Promise<Terminal> {
    const { columns, rows = 24, env = {} } = options;
    // A home may have several terminals, and a shell may read its script late.
    const path = join(home.path, `script-${crypto.randomUUID().slice(0, 8)}.sh`);
    // The script waits until what it writes is caught, and the terminal stays when it has ended.
    const term = env.TERM === undefined ? "" : `TERM=${env.TERM}; export TERM\n`;
    await Deno.writeTextFile(path, `${term}read go\n${script}\nexec cat\n`);
    const caches = Deno.env.get(TERMINAL_CACHES);
    const variables = {
      // What is longer than the screen would wait for a key, where a test does not ask for it.
      ...cliEnvironment({
        home: home.path,
        env: {
          ...(caches === undefined ? {} : { DENO_DIR: caches }),
          ...{ TERM: "xterm-256color", PAGER: "cat", ...env },
        },
      }),
      TMUX_TMPDIR: home.path,
    };
    const size = ["-x", `${columns}`, "-y", `${rows}`];
    const tmux = await TmuxClient.start([...size, `sh '${path}'`], {
      cwd: home.work,
      clearEnv: true,
      env: variables,
    });
    const terminal = new Terminal(tmux);
    await terminal.press("Enter");
    return terminal;
  }

  /** Presses keys, as tmux names them. */
  async press(...keys: string[]): Promise<void> {
    await this.#tmux.run("send-keys", ...keys);
  }

  /** Types text. */
  async type(text: string): Promise<void> {
    await this.#tmux.run("send-keys", "-l", "--", text);
  }

  /** Pastes text, as a terminal does that brackets what is pasted. */
  async paste(text: string): Promise<void> {
    await this.#tmux.run("set-buffer", "--", text);
    await this.#tmux.run("paste-buffer", "-p");
  }

  /** Makes the terminal larger or smaller, as a person does with its window. */
  async resize(columns: number, rows: number): Promise<void> {
    await this.#tmux.run("resize-window", "-x", `${columns}`, "-y", `${rows}`);
  }

  /** Returns the rows of the screen and of the scrollback. */
  async screen(...flags: string[]): Promise<string> {
    return await this.#tmux.run("capture-pane", "-p", "-S", "-", ...flags);
  }

  /** Waits until the screen shows something: with what scrolled off it, or only what is visible. */
  async until(pattern: RegExp, part: "all" | "visible" = "all"): Promise<string> {
    let screen = "";
    return await this.#tmux.untilWritten(async () => {
      screen = await (part === "all" ? this.screen() : this.screen("-S", "0"));
      return pattern.test(screen) && screen;
    }, () => `${pattern} on the screen\n${screen}`);
  }

  /** Presses a key until the screen shows something: a program may drop keys while it is not ready. */
  async pressUntil(key: string, pattern: RegExp): Promise<void> {
    await eventually(async () => {
      await this.press(key);
      return pattern.test(await this.screen());
    }, () => `${pattern} on the screen after ${key}`);
  }

  /** Returns what was written to the terminal. */
  raw(): string {
    return this.#tmux.written;
  }

  /** Waits until what is written holds a text; the screen may be ahead of it. */
  async rawWith(text: string): Promise<string> {
    return await this.#tmux.untilWritten(() => {
      const raw = this.raw();
      return raw.includes(text) && raw;
    }, () => `${text} written to the terminal`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tmux.end();
  }
}

/** A terminal with a pager. */
export const TERMINAL: Requirement = {
  what: "tmux and less",
  get: "apt install tmux less",
  met: HAS_TERMINAL,
};

/** Tests at a terminal, with a home each. */
export const atTerminal = testsAtHome(TERMINAL);
