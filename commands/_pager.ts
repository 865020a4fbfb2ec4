/**
 * Long output on a terminal goes through `$PAGER`, if there is one.
 */
import type { Context, Output } from "./_context.ts";

/** Where long output goes; `close` waits until it was read. */
export interface PagedOutput extends Output {
  close(): Promise<void>;
}

/** Starts `$PAGER` for the terminal, or gives the terminal itself. */
export function pagedOutput(context: Context): PagedOutput {
  const { stdout } = context;
  const command = context.variable("PAGER")?.trim();
  if (!stdout.terminal || !command || command === "cat") return direct(stdout);
  const [program = "", ...args] = command.split(/\s+/);
  try {
    const environment = context.variable("LESS") === undefined ? { LESS: "FRX" } : {};
    const pager = new Deno.Command(program, { args, stdin: "piped", env: environment }).spawn();
    return piped(stdout, pager);
  } catch {
    // No such program: the terminal will do.
    return direct(stdout);
  }
}

function direct(stdout: Output): PagedOutput {
  return {
    terminal: stdout.terminal,
    width: stdout.width,
    height: stdout.height,
    write: (text) => stdout.write(text),
    close: () => Promise.resolve(),
  };
}

function piped(stdout: Output, pager: Deno.ChildProcess): PagedOutput {
  const writer = pager.stdin.getWriter();
  const encoder = new TextEncoder();
  let failed = false;
  return {
    terminal: true,
    width: stdout.width,
    height: stdout.height,
    write(text): void {
      if (failed) throw new Deno.errors.BrokenPipe("the pager was left");
      writer.write(encoder.encode(text)).catch(() => {
        failed = true;
      });
    },
    async close(): Promise<void> {
      await writer.close().catch(() => {/* the pager was left before the end */});
      await pager.status;
    },
  };
}
