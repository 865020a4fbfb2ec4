/** Sends long output on a terminal through `$REPRISE_PAGER`, `$PAGER`, or `less`. */
import { type ChildProcess, startProgram } from "../lib/core/platform/child_process.ts";
import { onSignals } from "../lib/core/platform/signals.ts";
import { brokenPipe } from "../lib/core/platform/system_error.ts";
import type { Context, TextOutput } from "./_context.ts";

export interface PagedOutput extends TextOutput {
  /** Resolves when the pager can take more output. A log is read faster than a person reads it. */
  ready(): Promise<void>;
  /** Resolves when the reader has left the pager. */
  close(): Promise<void>;
}

/** The default pager, with options that keep colours and do not page a single screen. */
const DEFAULT_PAGER = "less -FRX";

/** Starts the pager. Without a terminal or pager, the returned output writes to stdout. */
export function pagedOutput(context: Context): PagedOutput {
  const { stdout, variable } = context;
  // An empty variable switches the pager off.
  const command = (variable("REPRISE_PAGER") ?? variable("PAGER") ?? DEFAULT_PAGER).trim();
  if (!stdout.terminal || command === "" || command === "cat") return directOutput(stdout);
  const [program = "", ...args] = command.split(/\s+/);
  try {
    const env = pagerEnvironment(context);
    const pager = startProgram(program, {
      args,
      stdin: "piped",
      stdout: "inherit",
      stderr: "inherit",
      env,
    });
    return piped(stdout, pager);
  } catch {
    // Without the program, the terminal is used.
    return directOutput(stdout);
  }
}

function pagerEnvironment({ variable }: Context): Record<string, string> {
  return {
    LESS: variable("LESS") ?? "FRX",
    LESSCHARSET: variable("LESSCHARSET") ?? "utf-8",
  };
}

export function directOutput(stdout: TextOutput): PagedOutput {
  return {
    terminal: stdout.terminal,
    width: stdout.width,
    height: stdout.height,
    write: (text) => stdout.write(text),
    ready: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

export async function printPaged(context: Context, text: string): Promise<void> {
  const { stdout } = context;
  const rows = text.split("\n").length;
  const output = rows > stdout.height ? pagedOutput(context) : directOutput(stdout);
  output.write(text);
  await output.close();
}

function piped(stdout: TextOutput, pager: ChildProcess): PagedOutput {
  const writer = pager.stdin.getWriter();
  const encoder = new TextEncoder();
  let left = false;
  const onLeft = (): void => void (left = true);
  // ^C is for the pager, which would otherwise stay alone on the terminal.
  const endListening = onSignals({ SIGINT: () => {} });
  return {
    terminal: true,
    width: stdout.width,
    height: stdout.height,
    write(text): void {
      if (left) throw brokenPipe("the pager was closed");
      writer.write(encoder.encode(text)).catch(onLeft);
    },
    ready: () => writer.ready.catch(onLeft),
    async close(): Promise<void> {
      await writer.close().catch(onLeft);
      await pager.status;
      endListening();
    },
  };
}
